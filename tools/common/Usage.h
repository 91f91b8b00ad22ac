//===- Usage.h - command lines that are nearly right ------------------------===//
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace rdna::tool {

/// The command line with `--unroll 4` as `--unroll=4`, where the option's value is optional (so
/// that a word behind it is the file), the word is a number and no file is called so.
std::vector<std::string> withValuesJoined(const CLI::App &app, std::vector<std::string> arguments);

/// The command line with `command` in front, if it has a file or an option but no subcommand.
std::vector<std::string> withCommand(const CLI::App &app, const std::string &command,
                                     std::vector<std::string> arguments);

/// What is wrong with a command line, and what was probably meant.
std::string usageMessage(const CLI::App &app, const CLI::ParseError &error);

} // namespace rdna::tool
