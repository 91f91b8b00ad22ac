//===- Completion.h - shell completion from the option table --------------===//
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace rdna::tool {

/// The script by which `shell` (bash, zsh or fish) completes the command line of the tool `name`,
/// made of the same table as --help. Empty for another shell.
std::string completionScript(const CLI::App &app, const std::string &name,
                             const std::string &shell);

} // namespace rdna::tool
