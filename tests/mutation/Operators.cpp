#include "mutation/Operators.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::mutation {

Subject makeSubject(const Module &module, uint32_t function) {
  Subject subject{module, function, buildCfg(module, function)};
  for (uint32_t i = subject.code().first; i < subject.code().last; ++i)
    for (const RegAccess &access : subject.inst(i).accesses) {
      const unsigned end = access.reg.first.number() + access.reg.dwords;
      if (access.reg.first.isVgpr())
        subject.vgprs = std::max(subject.vgprs, end);
      else if (access.reg.first.isSgpr())
        subject.sgprs = std::max(subject.sgprs, end);
    }
  return subject;
}

Mutant replaceInstruction(const Subject &subject, uint32_t index, std::string text) {
  const Instruction &inst = subject.inst(index);
  Mutant mutant;
  mutant.what = fmt::format("line {}: {} -> {}", inst.line, subject.text(index),
                            text.empty() ? std::string("nothing") : text);
  mutant.instructions = {index};
  mutant.edits = {{inst.begin, inst.end, Code::text(text)}};
  return mutant;
}

const std::vector<Operator> &operators() {
  using Class = Operator::Class;
  static const std::vector<Operator> all = {
      {"source register", Class::Value, exchangeSources},
      {"exchange in a pair", Class::Value, exchangeWithinPair},
      {"destination register", Class::Value, changeDestinations},
      {"constant", Class::Value, changeConstants},
      {"memory offset", Class::Value, changeOffsets},
      {"scalar base", Class::Value, changeBases},
      {"opcode", Class::Value, changeOpcodes},
      {"swap operands", Class::Value, swapOperands},
      {"swap commutative", Class::Commute, swapCommutativeOperands},
      {"drop a move", Class::Value, dropMoves},
      {"drop a store", Class::Value, dropStores},
      {"drop another", Class::Value, dropOthers},
      {"drop half a pair", Class::Value, dropHalves},
      {"duplicate accumulate", Class::Value, duplicateAccumulates},
      {"reorder moves", Class::Order, reorderMoves},
      {"reorder dependent", Class::Order, reorderDependent},
      {"move across EXEC", Class::Order, moveAcrossExec},
      {"move across label", Class::Order, moveAcrossLabels},
      {"move across barrier", Class::Order, moveAcrossBarriers},
      {"weaken a wait", Class::Wait, weakenWaits},
      {"branch", Class::Branch, changeBranches},
      {"register count", Class::Count, lowerCounts},
  };
  return all;
}

} // namespace rdna::mutation
