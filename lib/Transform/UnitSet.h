//===- UnitSet.h - sets of registers of any kind ---------------------------===//
#pragma once

#include "Asm/Lane.h"
#include "Asm/Module.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <bitset>

namespace rdna {

using Units = std::bitset<kRegUnits>;

/// Adds what an instruction reads and writes, to each set that is not null.
void addUnits(const Instruction &inst, Units *reads, Units *writes);
/// Halves as bits; what is not dual is one.
inline uint8_t allHalves(const Instruction &inst) { return inst.isVopd() ? 3 : 1; }
/// Of a dual instruction only these halves, as bits.
void addUnits(const Instruction &inst, uint8_t halves, Units *reads, Units *writes);
/// What one half of a dual instruction does.
void addUnits(const LaneOp &lane, Units *reads, Units *writes);

/// What code that goes one way reads before it writes it. Half by half of VGPRs: what keeps the
/// other half of its result does not need it.
class NeededUnits {
public:
  using Written = std::array<Units, 2>; ///< Low halves and high ones.
  NeededUnits() = default;
  /// Where so much has been written already.
  explicit NeededUnits(const Written &written) : written_(written) {}
  using IsRead = llvm::function_ref<bool(RegUnit)>;
  /// The next instruction; of what it reads that counts of which `isRead` says so.
  void add(const Instruction &inst, IsRead isRead);
  /// The same for what reads and writes whole registers.
  void add(const Units &reads, const Units &writes);
  const Units &units() const { return needed_; }
  const Written &written() const { return written_; }

private:
  Units needed_;
  Written written_;
};

} // namespace rdna
