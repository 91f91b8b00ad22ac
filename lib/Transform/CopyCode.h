//===- CopyCode.h - may a block's instructions stand in the text twice? ----===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Lane.h"
#include "Code/Code.h"

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

/// Both halves of a pair as instructions of their own, in the order in which neither reads what the
/// other has written; nothing if there is none.
using Halves = llvm::SmallVector<LaneOp, 2>;
std::optional<Halves> inOrder(Halves halves);
/// Is it a VOPD pair with a parity hazard?
bool hasHazard(const Instruction &inst);
/// A copy of an instruction; of a pair with a parity hazard both halves, line by line. Nothing if
/// they cannot be taken apart.
std::optional<Code> copyWithoutHazard(const Module &module, const Instruction &inst);
inline constexpr std::string_view kHazardStays =
    "it would copy a VOPD parity hazard that cannot be taken apart (--vgpr-remap or vgpr-remap "
    "--repair-hazards first)";

/// A label of the block; nothing if it has none.
std::optional<std::string> labelOf(const Module &module, const Block &block);

} // namespace rdna
