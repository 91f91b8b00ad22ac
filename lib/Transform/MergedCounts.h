//===- MergedCounts.h - what waits count once LDS stores are merged --------===//
#pragma once

#include "Analysis/Cfg.h"

#include <map>
#include <vector>

namespace rdna {

/// Two LDS stores, no other LDS operation between them, that become one.
struct StorePair {
  uint32_t first = 0, second = 0; ///< Instructions.
  enum class Place : uint8_t { First, Second } place = Place::Second;
};

/// lgkmcnt counts the two as one, so that a later wait may have to count fewer. Gives the new
/// counts by s_waitcnt, and takes out of `pairs` (of one block, in order) those for which there are
/// none: both stores of a pair must have come back where the original has waited for the first one
/// and others can notice it, and at the end of the block, because code behind it counts two; unless
/// that waits for all of them first. `drained` is ldsDrainedNext() of the function.
std::map<uint32_t, unsigned> settleCounts(const Module &module, const Block &block,
                                          const std::vector<uint8_t> &drained,
                                          std::vector<StorePair> &pairs);

} // namespace rdna
