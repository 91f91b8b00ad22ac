//===- UnitSet.h - sets of registers of any kind ---------------------------===//
#pragma once

#include "Asm/Lane.h"
#include "Asm/Module.h"

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

} // namespace rdna
