//===- Table.h - tables that fit the screen ---------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rdna::tool {

/// Text to the left, numbers to the right.
enum class Align : uint8_t { Left, Right };

struct Column {
  Align align = Align::Left;
  /// Columns with the highest number are left out first where the screen is narrow; 0 stays.
  unsigned dispensable = 0;
};

using Rows = std::vector<std::vector<std::string>>;

/// `width`: characters of a line, 0 for as many as it takes. Where leaving columns out is not
/// enough the last one is folded between words, and a line behind the table says what is missing.
std::string layOut(const Rows &rows, const std::vector<Column> &columns, std::string_view indent,
                   size_t width = 0);

} // namespace rdna::tool
