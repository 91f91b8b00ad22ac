//===- Dataflow.h - what is read later, what is known ----------------------===//
#pragma once

#include "Transform/Constants.h"

#include <bitset>
#include <span>
#include <vector>

namespace rdna::mutation {

class Dataflow {
public:
  Dataflow(const Module &module, uint32_t function);
  Dataflow(const Dataflow &) = delete;
  Dataflow &operator=(const Dataflow &) = delete;

  /// Is none of these registers read behind the instruction? EXEC and everything that is no
  /// register always is.
  bool allDeadBehind(uint32_t instruction, std::span<const RegUnit> units) const;
  /// VGPRs with a known value before the instruction.
  KnownVgprs constantsBefore(uint32_t instruction) const;
  /// May neighbours change places? What they share must be dead or, for the upper half of a 64-bit
  /// addend, meaningless.
  bool canExchange(const Instruction &first, const Instruction &second) const;

private:
  using Units = std::bitset<kRegUnits>;
  Units liveBehind(uint32_t instruction) const;
  bool isOverwritten(uint32_t instruction, RegUnit unit) const;
  void stepBack(const Instruction &inst, Units &live) const;

  const Module &module_;
  const Cfg cfg_;
  const Liveness liveness_;
  std::vector<Units> liveOut_; ///< Scalars, by block.
};

} // namespace rdna::mutation
