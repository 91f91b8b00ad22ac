//===- Builder.h - steps that fill a Module (private to lib/Asm, lib/Code) -===//
#pragma once

#include "Asm/Module.h"
#include "Asm/ParsedModule.h"

namespace rdna {

/// Of the symbols that evaluate descriptor values; no file may use it.
inline constexpr std::string_view kQueryPrefix = "__rdnakit_query_";

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

  void create() {
    module.parsed_ = std::make_unique<ParsedModule>();
    module.parsed_->state = std::make_shared<ParseState>();
  }
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
  /// Symbols.cpp: the same after a number in the text was edited. Only the lines that set symbols
  /// are parsed.
  void evaluateDescriptor();
  /// In the order in which they stand in the text.
  void sortFunctions();
  llvm::Error findMetadata();
  /// Adds the functions that are no kernels.
  void addFunctions(const std::vector<std::string> &functionSymbols);
  /// Function extents from the labels.
  void layOutFunctions();
  /// LongBranch.cpp: Instruction::longBranch.
  void findLongBranches();
  /// Entries.cpp: Label::isTaken, Function::entry and Function::enteredAt, from
  /// ParsedModule::entries and the long branches.
  void findEntries();
};

/// Fills op, operands, accesses, unit and memory effect from LLVM's view of an instruction.
void describeInstruction(const llvm::MCInst &mc, ParseState &state, Instruction &inst);

} // namespace rdna
