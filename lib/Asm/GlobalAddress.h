//===- GlobalAddress.h - which operands of a global access make its address ===//
#pragma once

#include "Asm/Module.h"

#include <optional>

namespace rdna {

/// Operand indices of a GLOBAL load, store or atomic. Without an SGPR base the vector part has two
/// dwords and is the whole address; with one it is a 32-bit offset, zero-extended. The offset of 13
/// bits is signed. Source: ISA guide 11.3, "GLOBAL".
struct GlobalAddress {
  unsigned vector = 0;
  std::optional<unsigned> base;
  unsigned offset = 0;
};
inline constexpr int64_t kLeastGlobalOffset = -4096, kMostGlobalOffset = 4095;

/// Nothing for other instructions, and for those that add the lane's number by themselves.
std::optional<GlobalAddress> globalAddress(const Instruction &inst);

/// Operand indices of an s_load_b32 (b64, ...) of an SGPR pair and a constant.
struct ScalarAddress {
  unsigned base = 0, offset = 0;
};
/// The offset has 21 bits and a sign; what a negative one does without a register is not used here.
inline constexpr int64_t kMostScalarOffset = 0xfffff;
/// Nothing for other instructions, and for offsets in registers.
std::optional<ScalarAddress> scalarAddress(const Instruction &inst);

} // namespace rdna
