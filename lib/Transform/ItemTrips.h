//===- ItemTrips.h - how often each work-item goes round a loop -------------===//
//
// Of loops that a workgroup fills a tile with: `for (i = tid; i < N; i += 256)`. From which numbers
// a launch's shape gives, work-item by work-item; what a pass concludes from that, the proof finds
// again with numbers of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Symbolic/Claim.h"

#include <optional>
#include <vector>

namespace rdna {

/// The instructions of an innermost loop as a wave executes them that never jumps for want of
/// lanes, from the header to the branch that goes back or leaves. Nothing if there is another
/// branch, more than one way out, or a block that is not on the way.
struct LoopPath {
  std::vector<uint32_t> instructions; ///< Without jumps inside, but with guards' branches.
  uint32_t exit = 0;                  ///< The branch.
  uint32_t exitBlock = 0;             ///< Where it leaves to.
};
std::optional<LoopPath> loopPath(const Module &module, const Cfg &cfg, uint32_t loop);

/// By work-item of a workgroup: how often it goes round, if that is known of each. Masks of lanes
/// that come from elsewhere are taken to have it.
std::optional<std::vector<unsigned>> itemTrips(const Module &module, const Cfg &cfg, uint32_t loop,
                                               const LoopPath &path, const WorkgroupShape &shape);

} // namespace rdna
