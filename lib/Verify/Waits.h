//===- Waits.h - does a wait stand before every use of a load's result? ---===//
#pragma once

#include "Analysis/Cfg.h"

#include <vector>

namespace rdna::verify {

/// Appends an error for each instruction that reads or overwrites a register which a load may still
/// write.
void checkWaits(const Module &module, const Cfg &cfg, std::vector<Diagnostic> &findings);

} // namespace rdna::verify
