//===- CopyCode.h - may a block's instructions stand in the text twice? ----===//
#pragma once

#include "Analysis/Cfg.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rdna {

struct CopyObstacle {
  uint32_t line = 0;
  std::string reason;
};

/// What becomes of `.p2align` in a copy.
enum class Alignment : uint8_t { Stays, MayGo };
/// Directives, macros and calls stay single. Labels inside a block are no branch targets: whoever
/// copies it keeps them once.
std::optional<CopyObstacle> obstacleToCopy(const Module &module, const Block &block,
                                           Alignment alignment = Alignment::Stays);
/// What is wrong in a text already; a rewrite must not have more of it. Whoever runs a pass knows
/// (checkStructure of lib/Verify).
using FaultFinder = std::function<std::vector<Diagnostic>(const Module &)>;
/// VOPD pairs with a parity hazard stay single as well, and so do faults.
std::optional<CopyObstacle> hazardToCopy(const Module &module, const Block &block,
                                         const FaultFinder &findFaults);

/// A label of the block; nothing if it has none.
std::optional<std::string> labelOf(const Module &module, const Block &block);

} // namespace rdna
