//===- Drains.h - places where nobody counts what is in flight ------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

/// By block: on every way from its start on, is the first thing that counts LDS operations, or at
/// which others may notice which have come back, a wait for all of them (or the end)?
std::vector<uint8_t> ldsDrainedNext(const Module &module, const Cfg &cfg);

} // namespace rdna
