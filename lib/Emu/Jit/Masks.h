//===- Masks.h - bits of a scalar register as lanes of a vector, and back ---===//
#pragma once

#include "llvm/IR/Function.h"

namespace rdna::emu::jit {

/// The semantics' loops take one bit of a mask for each lane and put one bit for each lane together
/// again. Where they do, vectors of i1 are used as what they are, bits of an integer.
void simplifyMasks(llvm::Function &function);

} // namespace rdna::emu::jit
