//===- Dataflow.h - what is read later, what is known ----------------------===//
#pragma once

#include "Analysis/Liveness.h"

#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <vector>

namespace rdna::mutation {

using Constants = std::array<std::optional<uint32_t>, kRegUnits>;

/// Does an instruction that writes EXEC switch lanes off only?
bool narrowsExec(const Instruction &inst);

class Dataflow {
public:
  Dataflow(const Module &module, uint32_t function);
  Dataflow(const Dataflow &) = delete;
  Dataflow &operator=(const Dataflow &) = delete;

  /// Is none of these registers read behind the instruction? EXEC and everything that is no
  /// register always is.
  bool allDeadBehind(uint32_t instruction, std::span<const RegUnit> units) const;
  /// Registers with a known value (VGPRs: in the active lanes) before the instruction.
  Constants constantsBefore(uint32_t instruction) const;
  /// May neighbours change places? What they share must be dead or, for the upper half of a 64-bit
  /// addend, meaningless.
  bool canExchange(const Instruction &first, const Instruction &second) const;
  /// May a vector instruction wait until `gate`, which switches lanes off, has done so? Nothing up
  /// to there touches what it writes or changes what it reads, its scalar results are dead, and
  /// the lanes that lose its vector results are dead to them as well.
  bool canWaitFor(const Instruction &gate, const Instruction &inst) const;

private:
  using Units = std::bitset<kRegUnits>;
  Units liveBehind(uint32_t instruction) const;
  void findConstants();
  /// What a register holds in the active lanes.
  enum class Active : uint8_t { Useful, Useless };
  bool onlyUsefulIsRead(uint32_t instruction, unsigned vgpr, Active active) const;
  void stepBack(const Instruction &inst, Units &live) const;

  const Module &module_;
  const Cfg cfg_;
  const Liveness liveness_;
  std::vector<Units> liveOut_;                      ///< Scalars, by block.
  std::vector<std::optional<Constants>> constants_; ///< At block starts; nothing: not reached.
};

} // namespace rdna::mutation
