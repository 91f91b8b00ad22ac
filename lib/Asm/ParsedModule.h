//===- ParsedModule.h - what MC made of a file (private to lib/Asm) -------===//
#pragma once

#include "Asm/Target.h"

#include "llvm/MC/MCContext.h"
#include "llvm/Support/SourceMgr.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace rdna {

/// MCInsts point into the context (expressions) and locations into the source manager, so all of it
/// lives as long as the module.
struct ParsedModule {
  llvm::SourceMgr sources;
  std::unique_ptr<llvm::MCContext> context;
  std::vector<llvm::MCInst> insts;     ///< Parallel to Module::instructions().
  std::deque<std::string> symbolTexts; ///< Backing of Operand::symbol.
};

} // namespace rdna
