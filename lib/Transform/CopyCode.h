//===- CopyCode.h - may a block's instructions stand in the text twice? ----===//
#pragma once

#include "Analysis/Cfg.h"

#include <optional>
#include <string>

namespace rdna {

struct CopyObstacle {
  uint32_t line = 0;
  std::string reason;
};

/// Directives, macros and calls stay single. Labels inside a block are no branch targets: whoever
/// copies it keeps them once.
std::optional<CopyObstacle> obstacleToCopy(const Module &module, const Block &block);
/// So do VOPD pairs with a parity hazard, and what else is wrong already (checkStructure): a
/// rewrite must not have more of it.
std::optional<CopyObstacle> hazardToCopy(const Module &module, const Block &block);

/// A label of the block; nothing if it has none.
std::optional<std::string> labelOf(const Module &module, const Block &block);

} // namespace rdna
