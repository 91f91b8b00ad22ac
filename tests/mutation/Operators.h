//===- Operators.h - faults that are planted mechanically ------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"

#include <string>
#include <vector>

namespace rdna::mutation {

/// A rewritten function, and how far its register files reach.
struct Subject {
  const Module &module;
  uint32_t function = 0;
  Cfg cfg;
  unsigned vgprs = 0, sgprs = 0; ///< Highest one named, plus one.

  const Function &code() const { return module.functions()[function]; }
  const Instruction &inst(uint32_t index) const { return module.instructions()[index]; }
  std::string_view text(uint32_t index) const { return module.instructionText(inst(index)); }
};
Subject makeSubject(const Module &module, uint32_t function);

/// One planted fault.
struct Mutant {
  std::string what;                   ///< For messages: old and new text.
  std::vector<uint32_t> instructions; ///< Of the unmutated text, that were touched.
  std::vector<TextEdit> edits;
};

/// Every site of a subject where the operator applies.
using Sites = std::vector<Mutant> (*)(const Subject &);

struct Operator {
  const char *name;
  /// What kind of argument shows that a survivor is equivalent.
  enum class Class {
    Value,   ///< Registers and constants: by data flow.
    Commute, ///< By the operation's law.
    Order,   ///< By independence.
    Wait,    ///< By the counters: the emulator executes every load at once.
    Branch,  ///< By the target.
    Count,   ///< Never.
  } cls;
  Sites sites;
};

const std::vector<Operator> &operators();

// By file.
std::vector<Mutant> exchangeSources(const Subject &);
std::vector<Mutant> exchangeWithinPair(const Subject &);
std::vector<Mutant> changeDestinations(const Subject &);
std::vector<Mutant> changeConstants(const Subject &);
std::vector<Mutant> changeOffsets(const Subject &);
std::vector<Mutant> changeBases(const Subject &);
std::vector<Mutant> changeOpcodes(const Subject &);
std::vector<Mutant> swapOperands(const Subject &);
std::vector<Mutant> swapCommutativeOperands(const Subject &);
std::vector<Mutant> dropMoves(const Subject &);
std::vector<Mutant> dropStores(const Subject &);
std::vector<Mutant> dropOthers(const Subject &);
std::vector<Mutant> dropHalves(const Subject &);
std::vector<Mutant> duplicateAccumulates(const Subject &);
std::vector<Mutant> reorderMoves(const Subject &);
std::vector<Mutant> reorderDependent(const Subject &);
std::vector<Mutant> moveAcrossExec(const Subject &);
std::vector<Mutant> moveAcrossLabels(const Subject &);
std::vector<Mutant> moveAcrossBarriers(const Subject &);
std::vector<Mutant> weakenWaits(const Subject &);
std::vector<Mutant> changeBranches(const Subject &);
std::vector<Mutant> lowerCounts(const Subject &);

/// An edit that gives one instruction another text; "" drops it.
Mutant replaceInstruction(const Subject &subject, uint32_t index, std::string text);

/// Is the operation the same with its first two sources exchanged?
bool isCommutative(std::string_view baseMnemonic);

} // namespace rdna::mutation
