//===- Builder.h - steps that fill a Module (private to lib/Asm) ----------===//
#pragma once

#include "Asm/Module.h"
#include "Asm/ParsedModule.h"

namespace rdna {

/// Of the symbols that evaluate descriptor values; no file may use it.
inline constexpr std::string_view kQueryPrefix = "__rdnakit_query_";

/// How a symbol's address gets to where it may become a jump.
enum class SymbolUse : uint8_t {
  Branch,  ///< Exactly the target of a branch, by the instruction that branches.
  Address, ///< In memory or in a register.
  Near,    ///< So is the symbol plus a number: it may be any place of the function.
  Export,  ///< Other files see it.
};

/// What the file says about reaching places by other ways than falling through.
struct EntryFacts {
  struct Use {
    std::string symbol;
    SymbolUse how;
    uint32_t instruction; ///< For Branch.
  };
  std::vector<Use> uses;
  std::vector<uint32_t> labelSections; ///< Parallel to Module::labels().
};

/// The one place with write access to a Module; its steps live in Parse.cpp and Kernel.cpp.
struct ModuleBuilder {
  Module &module;

  std::string &text() { return module.text_; }
  std::string &file() { return module.file_; }
  std::vector<uint32_t> &lines() { return module.lines_; }
  std::vector<Instruction> &instructions() { return module.instructions_; }
  std::vector<Label> &labels() { return module.labels_; }
  std::vector<Function> &functions() { return module.functions_; }
  std::map<std::string, uint32_t, std::less<>> &labelIndex() { return module.labelIndex_; }
  ParsedModule &parsed() { return *module.parsed_; }

  void create() { module.parsed_ = std::make_unique<ParsedModule>(); }
  static std::unique_ptr<Module> makeModule() { return std::unique_ptr<Module>(new Module); }
  void indexLines();
  uint32_t lineAt(uint32_t offset) const; ///< 1-based line of a byte.
  llvm::Error runParser();
  /// A branch or address that names a local label which does not exist. MC finds that only when it
  /// lays out an object file.
  llvm::Error checkLabels();
  /// Kernel.cpp: `.amdhsa_kernel` blocks and their values. Refuses code for another GPU and wave64
  /// before MC stumbles over its instructions one by one.
  llvm::Error findDescriptors();
  /// Lines appended for MC that evaluate the symbolic descriptor values (text, not in the file).
  std::string descriptorQueries() const;
  void readDescriptorQueries();
  llvm::Error findMetadata();
  /// Function extents from the labels in `starts`.
  void findFunctions(const std::vector<std::string> &functionSymbols);
  /// Entries.cpp: Label::isTaken, Function::entry and Function::enteredAt.
  void findEntries(const EntryFacts &facts);
};

/// Fills op, operands, accesses, unit and memory effect from LLVM's view of an instruction.
void describeInstruction(const llvm::MCInst &mc, ParsedModule &parsed, Instruction &inst);

} // namespace rdna
