//===- Tidy.h - what a pass leaves behind, taken away ----------------------===//
#pragma once

#include "Asm/Module.h"

#include "llvm/Support/Error.h"

#include <memory>

namespace rdna {

struct Tidied {
  std::unique_ptr<Module> module;
  unsigned removed = 0; ///< Instructions and halves of pairs.
};

/// Instructions of a function whose results nobody reads.
llvm::Expected<Tidied> removeDeadCode(std::unique_ptr<Module> module, uint32_t function);

/// Addresses are read where they were copied from, if the copy is dead then.
llvm::Expected<Tidied> removeCopies(std::unique_ptr<Module> module, uint32_t function);

} // namespace rdna
