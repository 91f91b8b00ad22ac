//===- Quieting.h - choosing the one NaN, as late and as cheaply as possible ===//
#pragma once

#include "llvm/IR/Function.h"

namespace rdna::emu::jit {

enum class Quieting {
  Select, ///< A comparison and a selection: two operations.
  Fixup,  ///< VFIXUPIMMPS of AVX-512: one.
};

/// Arithmetic results that are NaN become the one NaN (Half.h). Drops that after an operation whose
/// result only feeds further arithmetic: what that makes of a NaN does not depend on which NaN it
/// is, and the choice is made at its end.
void simplifyQuieting(llvm::Function &function, Quieting how);

} // namespace rdna::emu::jit
