//===- FragmentBuffers.h - the LDS loads of a step among the FMACs of the one before ---===//
//
// In an unrolled loop each step loads from LDS what its FMACs multiply, and waits for it. Issued
// among the FMACs of the step before, into registers of their own, the loads are there when they
// are needed. The registers are congruent modulo 4 to the old ones, so that every dual FMAC stays
// what it was: legal, free of hazards and with the same bank conflicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Transform/OrderWaits.h"
#include "Transform/Pass.h"

#include <string>
#include <vector>

namespace rdna {

struct FragmentOptions {
  OccupancyLoss occupancy = OccupancyLoss::Refuse;
  unsigned workgroupSize = 0; ///< If the file does not say; 0 = unknown.
  PlainSync plain = PlainSync::Possible;
};

/// Of the LDS loads of a block that have FMACs in front of them, all but the first `skipped` ones:
/// FMACs (a dual one counts once) from a load to what stands still for it, its first use or the
/// wait that covers it.
struct LoadDistances {
  unsigned loads = 0, least = 0, median = 0;
  bool operator==(const LoadDistances &) const = default;
};
LoadDistances measureDistances(const Module &module, const Block &block, unsigned skipped);

/// One changed block.
struct BufferedBlock {
  uint32_t block = 0;         ///< Index in the graph, which stays as it is.
  unsigned skipped = 0;       ///< Loads of the first step.
  unsigned loads = 0;         ///< That moved.
  unsigned renamed = 0;       ///< Of these, with other registers.
  unsigned waitsInserted = 0; ///< s_waitcnt.
};

struct FragmentEdits {
  std::vector<TextEdit> edits;
  std::vector<BufferedBlock> blocks;
  struct Left {
    uint32_t line = 0;
    std::string reason;
  };
  std::vector<Left> left; ///< Steps whose loads could not move; one for each block.
};

/// In the given blocks. LDS loads keep their order, and pass no store to LDS, fence, barrier, wait
/// that an acquire may need, change of EXEC, M0 or their address. Waits are exact behind it.
FragmentEdits bufferFragments(const Module &module, const Cfg &cfg,
                              const std::vector<uint32_t> &blocks, const FragmentOptions &options);

/// The pass. A step that has moved may leave registers to others, so it is asked again.
llvm::Expected<PassResult> bufferFragments(const PassSite &site, PassState &state);

} // namespace rdna
