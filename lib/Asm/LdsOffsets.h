//===- LdsOffsets.h - the offset fields of LDS accesses --------------------===//
#pragma once

#include "Asm/Module.h"

namespace rdna {

/// How the offsets of a plain LDS load or store are encoded (ISA guide 12.3). The address of an
/// access is the register's value plus field times unit, modulo 2^32.
struct LdsOffsets {
  unsigned fields = 0; ///< The first so many Control operands; 0: not a plain load or store.
  unsigned unit = 1;   ///< Bytes.
  uint32_t limit = 0;  ///< Largest value of a field.
};
LdsOffsets ldsOffsets(const Instruction &inst);
/// Which operand of an LDS access is its address: the first source.
int ldsAddressOperand(const Instruction &access);

} // namespace rdna
