//===- FragmentPlan.h - where the loads of a step go (private to lib/Transform) ---===//
#pragma once

#include "Transform/FragmentModel.h"

#include <string>
#include <vector>

namespace rdna {

/// FMACs that hide the latency of a group of loads: some 35 cycles for the first, and what each
/// takes to come back (LdsLatency of Timing/Constants.def, and issue).
unsigned latencyOf(const FragmentModel &model, const std::vector<size_t> &group);

struct FragmentRefusal {
  uint32_t line = 0;
  std::string reason;
};

struct FragmentPlan {
  unsigned groups = 0;           ///< That move.
  std::vector<unsigned> latency; ///< By fragment.
  std::vector<FragmentRefusal> refusals;
};

/// Decides `place` and `reg` of the model's fragments.
FragmentPlan planFragments(FragmentModel &model);

} // namespace rdna
