//===- Slice.h - a row's function for some of the lanes -------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace rdna::emu::jit {

/// The same function on <`lanes` x T> where it has <32 x T>. Null if a lane's result depends on the
/// other lanes or on the lane's number. The functions are those of Semantics::vector().
llvm::Function *sliced(llvm::Function &row, unsigned lanes);

} // namespace rdna::emu::jit
