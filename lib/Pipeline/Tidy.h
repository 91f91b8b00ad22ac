//===- Tidy.h - what a pass leaves behind, taken away ----------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace rdna {

struct Tidied {
  std::unique_ptr<Module> module;
  unsigned removed = 0; ///< Instructions and halves of pairs.
};

/// Instructions of a function whose results nobody reads.
llvm::Expected<Tidied> removeDeadCode(std::unique_ptr<Module> module, uint32_t function);

/// What is left over in a function where code was copied: a counter that is set for nothing once
/// its loop's trips are written out, a test that only a branch needed, an address that advanced in
/// a copy and does so no more. A function that had dead code of its own keeps all of it. Waits for
/// transcendentals come where too few instructions are left behind them.
llvm::Expected<std::unique_ptr<Module>> tidyCopies(const Module &before,
                                                   std::unique_ptr<Module> after, const Cfg &cfg);

/// Addresses are read where they were copied from, if the copy is dead then.
llvm::Expected<Tidied> removeCopies(std::unique_ptr<Module> module, uint32_t function);

} // namespace rdna
