//===- Man.h - a manual page from the option table ------------------------===//
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace rdna::tool {

/// Command lines, each with what it is good for.
using Examples = std::vector<std::pair<std::string, std::string>>;

/// Section 1 page in man(7) markup, made of the same table as --help.
std::string manPage(const CLI::App &app, const std::string &name, const std::string &version,
                    const Examples &examples);

} // namespace rdna::tool
