//===- Waits.h - does a wait stand before every use of a load's result? ---===//
#pragma once

#include "Analysis/Cfg.h"
#include "Verify/Rules.h"

#include <vector>

namespace rdna::verify {

/// Appends a fault for each instruction that reads or overwrites a register which a load of the
/// function may still write. What is in flight at a function's entry or behind a call is nobody's
/// business here: compilers' code counts on its partner, so one text cannot say what is wrong. The
/// simulation compares it with the original (FunctionProof).
void checkWaits(const Module &module, const Cfg &cfg, std::vector<RuleFault> &findings);

} // namespace rdna::verify
