//===- Drained.h - code that counts nothing before it waits for all ----------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna::verify {

/// Is it sure that from `instruction` on, on every way, all LDS operations are waited for before
/// anything counts them, and before anything by which others could notice which have come back?
/// Passes have their own (Analysis/Drains.h).
bool isLdsDrainedNext(const Module &module, const Cfg &cfg, uint32_t instruction);

} // namespace rdna::verify
