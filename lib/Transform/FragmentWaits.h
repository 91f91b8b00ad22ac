//===- FragmentWaits.h - waits of a block whose LDS loads moved (private to lib/Transform) ---===//
#pragma once

#include "Isa/WaitCounts.h"
#include "Transform/FragmentPlan.h"

#include <map>

namespace rdna {

/// By instruction of the block.
struct FragmentWaits {
  std::map<uint32_t, WaitCounts> changed;  ///< s_waitcnt; without counts it goes.
  std::map<uint32_t, WaitCounts> inserted; ///< In front of these, and of loads that go there.
};

/// Every wait covers what it covered, however many loads stand in front of it now. One that would
/// stand for a load that came late leaves it to a wait of its own in front of the first use.
FragmentWaits placeWaits(const FragmentModel &model, const FragmentPlan &plan);

} // namespace rdna
