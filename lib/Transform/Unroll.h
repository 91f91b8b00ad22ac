//===- Unroll.h - several iterations of a loop written out ----------------------===//
//
// Loops of one block that end with a branch on SCC. If the trip count follows from constants,
// all of them can be written out, one behind the other. If not, so many at a time: in front of them
// a guard asks whether that many are left, and what is left over takes the loop as it was.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/CopyCode.h"
#include "Transform/LoopUnroller.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna {

struct UnrollOptions {
  uint32_t mostBytes = 32 * 1024; ///< Of the code that a loop becomes: the instruction cache.
  /// Iterations at a time, 2 or more, of loops that have more of them or that cannot be counted;
  /// nothing: loops that can be counted, as a whole.
  std::optional<unsigned> factor;
  FaultFinder findFaults = {}; ///< Of what is not copied.
};

struct UnrollRewrite {
  std::vector<TextEdit> edits;
  uint64_t iterations = 0; ///< That are written out.
  enum class Extent : uint8_t {
    Full,   ///< All.
    Guarded ///< At a time, behind a guard.
  } extent = Extent::Full;
  std::string rest;           ///< Label of what is left over.
  unsigned sgprs = 0;         ///< That the guard needs, as a count of the kernel's.
  unsigned scalarsFolded = 0; ///< SALU instructions that are gone.
  unsigned offsetsFolded = 0; ///< Accesses that took over an addition.
};

/// Unrolled, or why not.
struct UnrollOutcome {
  std::optional<UnrollRewrite> rewrite;
  uint32_t line = 0;
  std::string reason;
};

/// The label of what was left over of a loop in an earlier run.
bool isRestLabel(std::string_view label);

UnrollOutcome unrollLoop(const Module &module, const Cfg &cfg, const Loop &loop,
                         const UnrollOptions &options);

} // namespace rdna
