//===- ParsedModule.h - what MC made of a file (private to lib/Asm) -------===//
#pragma once

#include "Asm/Target.h"

#include "llvm/MC/MCContext.h"
#include "llvm/Support/SourceMgr.h"

#include <deque>
#include <memory>
#include <optional>
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

/// Something in a section of code that is not an instruction which the file names.
struct CodeGap {
  enum class Kind : uint8_t {
    Bytes,      ///< Data, fill that does something, or what a relocation makes.
    EndPadding, ///< s_code_end up to an aligned place: never to be executed.
    Subsection, ///< Code that is laid out elsewhere than the text has it begins here.
  } kind;
  uint32_t instruction; ///< The next one in the text.
  uint32_t section;     ///< As Instruction::section.
  uint32_t begin;       ///< In bytes; of what a macro makes, the invocation.
};

/// What a macro or a repeated block gives a symbol.
struct Assignment {
  uint32_t begin; ///< The invocation, in bytes.
  std::string symbol;
  std::optional<int64_t> value; ///< If it is a number.
};

struct ParsedModule {
  std::shared_ptr<ParseState> state;
  std::vector<llvm::MCInst> insts; ///< Parallel to Module::instructions().
  EntryFacts entries;
  std::vector<CodeGap> gaps;           ///< In the order of the text.
  std::vector<Assignment> assignments; ///< In the order in which they are made.
};

} // namespace rdna
