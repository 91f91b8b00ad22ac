//===- DuplicateTail.h - the step of a loop whose loads are guarded, by itself --===//
//
// Compiled kernels load the next tile only if there is one: `if (k < n - 8)` jumps around the loads
// and the step goes on in both cases. Loads that should stand among the step's FMACs need a step in
// which they are certain to happen. So the guarded way gets a copy of the rest of the step, up to
// the loop's next iteration, and tests that the guard decides fall out of it. The other way keeps
// what was there: it is the last step.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/CopyCode.h"

#include <vector>

namespace rdna {

struct PeelOptions {
  uint32_t mostBytes = 32 * 1024; ///< Of the loop with the copy: the instruction cache.
  FaultFinder findFaults = {};    ///< Of what is not copied.
};

struct DuplicatedTail {
  std::vector<TextEdit> edits;
  std::vector<uint32_t> joins; ///< Blocks that were copied although several paths meet there.
  unsigned tests = 0;          ///< Branches that the copy does without.
};

/// Peeled, or why not; neither if the loop has no guarded global loads.
struct PeelOutcome {
  std::optional<DuplicatedTail> rewrite;
  std::optional<CopyObstacle> obstacle;
};

/// The function must have no calls and nothing opaque.
PeelOutcome duplicateTail(const Module &module, const Cfg &cfg, const Loop &loop,
                          const PeelOptions &options);

} // namespace rdna
