//===- PredictedTime.h - what a launch would take on a card ---------------===//
#pragma once

#include "HipRuntime/Runtime.h"

namespace rdna::hip {

/// By the timing model, which runs some workgroups of the launch; memory is then as it was before.
/// Failure::Refused with the reason if it has no figure.
llvm::Expected<std::chrono::nanoseconds> predictTime(Runtime &runtime, ModuleKernel &kernel,
                                                     const emu::Program &program,
                                                     const emu::Launch &launch);

} // namespace rdna::hip
