//===- LookedAt.h - what passes take for the loads of flags -----------------===//
//
// A pass need not keep the order of a load whose value nobody looks at (docs/design.md, "The memory
// model"). This is its guess, by liveness; the proof finds out for itself (Verify/FlagLoads.h), and
// a guess that was too bold costs the step.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Liveness.h"

#include <vector>

namespace rdna {

/// By instruction, relative to the function's first one: loads and atomics whose result goes into
/// more than products and sums that nobody looks at either.
std::vector<uint8_t> loadsLookedAt(const Module &module, const Cfg &cfg, const Liveness &liveness);

} // namespace rdna
