//===- Man.h - a manual page from the option table ------------------------===//
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace rdna::tool {

/// Section 1 page in man(7) markup, made of the same table as --help.
std::string manPage(const CLI::App &app, const std::string &name, const std::string &version);

} // namespace rdna::tool
