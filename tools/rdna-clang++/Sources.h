//===- Sources.h - the source line behind a line of assembly --------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rdna::hipclang {

struct SourcePlace {
  std::string file;
  unsigned line = 0, column = 0;
};

/// Where line `line` of a compiler's assembly comes from, by its .file and .loc; nothing without
/// -g.
std::optional<SourcePlace> sourceOf(std::string_view assembly, unsigned line);

} // namespace rdna::hipclang
