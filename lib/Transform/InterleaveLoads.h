//===- InterleaveLoads.h - global loads among the LDS loads of a step ----------===//
//
// A memory instruction waits until the wave's VALU pipeline is empty, 17 to 18 cycles (trace;
// rdna3-facts 6.1), and sixteen of them in a row keep the memory path of the whole compute unit
// busy while nobody computes. A run of LDS loads has that wait already, so the global loads of a
// step go there, a few to each run, as the by-hand kernel does it ("two per inner step").
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"

#include <vector>

namespace rdna {

struct SpreadEdits {
  std::vector<TextEdit> edits;
  unsigned loads = 0;   ///< That moved.
  unsigned groups = 0;  ///< Runs of LDS loads that they went to.
  unsigned renamed = 0; ///< Offsets in another VGPR, because theirs is used for something else.
};

/// Global loads that stand in front of a block's first run of LDS loads, in loops, in the given
/// blocks. They keep their order, so that vmcnt counts the same, and stay in front of whatever
/// touches their registers, waits for vector memory or EXEC.
SpreadEdits interleaveLoads(const Module &module, const Cfg &cfg,
                            const std::vector<uint32_t> &blocks);

} // namespace rdna
