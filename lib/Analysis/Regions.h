//===- Regions.h - the pieces of a kernel that a user can name ------------===//
//
// A loop is named by its header's label; a pair of comments `; RDNA-BEGIN name` and
// `; RDNA-END name` names any run of lines.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdna {

struct Region {
  std::string name;
  uint32_t functionIndex = 0;
  std::vector<uint32_t> instructions; ///< In text order.
  std::optional<uint32_t> loop;       ///< Index into Cfg::loops; nothing for marked lines.
  uint32_t line = 0;                  ///< Of the BEGIN comment or the loop's first instruction.
};

/// The regions marked by comments, in text order. An error for a BEGIN without END or the reverse,
/// a name used twice and a region that is empty or leaves its function.
llvm::Expected<std::vector<Region>> markedRegions(const Module &module);

/// What stands behind `keyword` in a line's comment; nothing if the line has no such mark.
std::optional<std::string> commentMark(std::string_view line, std::string_view keyword);

/// A loop as a region.
Region loopRegion(const Module &module, const Cfg &cfg, uint32_t loop);
/// The innermost loops of a function in text order; the whole function if it has no loop.
std::vector<Region> defaultRegions(const Module &module, uint32_t functionIndex);

/// Every region called `name` in the functions given: loops that have the label at their header,
/// and marked lines. An error that lists the names there are if there is none.
llvm::Expected<std::vector<Region>>
findRegions(const Module &module, const std::vector<uint32_t> &functions, std::string_view name);

} // namespace rdna
