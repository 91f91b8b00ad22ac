//===- WaitNeeds.h - the highest counts that code can do with --------------===//
#pragma once

#include "Analysis/Waits.h"
#include "Transform/OrderWaits.h"

namespace rdna {

/// By instruction: the s_waitcnt that stand in one of `blocks` and may be changed. Not those of
/// macros.
std::vector<uint8_t> changeableWaits(const Module &module, const Cfg &cfg,
                                     const std::vector<uint32_t> &blocks);

/// Raises or removes counts as far as nothing notices: no instruction touches a register that is
/// still pending, every access finds complete what an acquire or a release in front of it could
/// need, and at every fence and branch, and where paths meet, the same has come back as before. A
/// need that several waits can meet is the last one's. False if the code breaks the rules of the
/// counters already; the plan is as it was then.
bool raiseCounts(const Module &module, const Cfg &cfg, const std::vector<uint8_t> &mayChange,
                 PlainSync plain, WaitPlan &plan);

} // namespace rdna
