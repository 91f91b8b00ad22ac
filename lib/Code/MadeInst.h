//===- MadeInst.h - LLVM's view of an Inst (private to lib/Code) -----------===//
#pragma once

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"

#include <memory>
#include <string>

namespace rdna {

struct MadeInst {
  llvm::MCInst mc; ///< A branch's has no target: that is a symbol of the module it will be in.
  std::string text;
  std::string target; ///< Label of a branch.
};

} // namespace rdna
