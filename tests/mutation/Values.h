//===- Values.h - value numbers along one chain of blocks -------------------===//
#pragma once

#include "mutation/Dataflow.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace rdna::mutation {

/// May 64-bit indices have a high half? Not where that is assumed (Assumption::NoIndexWrap), as
/// long as they are made of zero-extended ones by shifts and multiply-adds.
enum class HighHalves { Any, Zero };

/// Numbers that stand for values: equal numbers, equal values (in the lanes that are active).
class Values {
public:
  explicit Values(HighHalves highHalves) : highHalves_(highHalves) {}
  using State = std::array<uint32_t, kRegUnits>;

  /// The state before an instruction: what the blocks that lead to it without a join compute, and
  /// the constants that reach it on all paths.
  State before(const Module &module, uint32_t function, uint32_t instruction);
  void execute(const Instruction &inst, State &state);

private:
  uint32_t number(const std::string &expression);
  uint32_t constant(uint32_t bits);
  std::optional<uint32_t> lowOfMad(const Instruction &inst, const State &state);
  bool hasNoHighHalf(const Instruction &inst, const State &state);
  uint32_t fresh() { return next_++; }

  const HighHalves highHalves_;
  std::map<std::string, uint32_t> numbers_;
  uint32_t next_ = 1;
};

/// Two versions of a site in one block of `original`, started in the same state, and then the rest
/// of the block behind both: is everything that anybody reads the same, at the latest at the
/// block's end, without a difference having reached memory, EXEC or a branch?
bool sameValues(const Module &original, uint32_t function,
                const std::vector<const Instruction *> &before,
                const std::vector<const Instruction *> &after, HighHalves highHalves);

} // namespace rdna::mutation
