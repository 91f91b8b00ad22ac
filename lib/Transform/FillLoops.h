//===- FillLoops.h - loops that fill a tile, written out --------------------===//
//
// `for (i = tid; i < N; i += 256) tile[i] = a[...]` is a loop of its own in every step of the loop
// around it, and waits for memory in each of its iterations. How many there are follows from the
// workgroup's shape. Written out they are loads and stores of one path, which can be made ahead
// (TileLoop.h). Where some lanes leave earlier than others, lanes are switched off as in the loop.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/ItemTrips.h"
#include "Transform/LdsStages.h"

namespace rdna {

struct FillLoop {
  std::vector<TextEdit> edits;
  unsigned iterations = 0;   ///< The most that a work-item makes.
  unsigned narrowed = 0;     ///< Places where some lanes leave.
  unsigned instructions = 0; ///< Copied.
  unsigned bytes = 0;        ///< Of code, with the loop's own.
};

struct FillLoopOutcome {
  std::optional<FillLoop> rewrite;
  std::optional<StagesLeft> left;
};

/// Does the loop load from memory, store to LDS and do nothing else there, in a step of one that
/// has barriers?
bool isFillLoop(const Module &module, const Cfg &cfg, uint32_t loop);

FillLoopOutcome writeOutFill(const Module &module, const Cfg &cfg, uint32_t loop,
                             const WorkgroupShape &shape);

} // namespace rdna
