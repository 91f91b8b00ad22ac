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
/// lives as long as the last of the modules that were derived from one.
struct ParseState {
  llvm::SourceMgr sources;
  std::unique_ptr<llvm::MCContext> context;
  std::deque<std::string> symbolTexts; ///< Backing of Operand::symbol.
};

/// How a symbol's address gets to where it may become a jump.
enum class SymbolUse : uint8_t {
  Branch,  ///< Exactly the target of a branch, by the instruction that branches.
  Address, ///< In memory or in a register.
  Near,    ///< So is the symbol plus a number: it may be any place of the function.
  Export,  ///< Other files see it.
};

/// What the file says about reaching places by other ways than falling through.
struct EntryFacts {
  static constexpr uint32_t kNoInstruction = ~0u;
  struct Use {
    std::string symbol;
    SymbolUse how;
    uint32_t instruction; ///< That names it, or kNoInstruction.
  };
  std::vector<Use> uses;
  std::vector<uint32_t> labelSections; ///< Parallel to Module::labels().
};

struct ParsedModule {
  std::shared_ptr<ParseState> state;
  std::vector<llvm::MCInst> insts; ///< Parallel to Module::instructions().
  EntryFacts entries;
};

} // namespace rdna
