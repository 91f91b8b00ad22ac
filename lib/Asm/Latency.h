//===- Latency.h - how long LLVM takes results to be on their way ---------===//
#pragma once

#include "Asm/Module.h"

namespace rdna {

/// Cycles until the result in operand `destination` can be used, by LLVM's scheduling model of
/// gfx1100. A model's figure, not a measurement.
unsigned modelLatency(const Module &module, const Instruction &inst, unsigned destination);

} // namespace rdna
