//===- Mix.h - what kinds of instructions a piece of code has --------------===//
#pragma once

#include "Asm/Module.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <string_view>

namespace rdna {

/// What reports tell apart. Every instruction is of exactly one kind.
enum class InstructionKind : uint8_t {
  DualFmac, ///< A VOPD of two F32 FMACs.
  DualOther,
  SingleFmac, ///< An F32 FMA of the family of `isFmaFamily` by itself.
  Matrix,
  Transcendental,
  OtherValu,
  Salu,
  ScalarMemory,
  Lds,
  VectorMemory,
  Wait,
  Barrier,
  Branch,
  Hint, ///< s_clause, s_delay_alu, s_nop, s_setprio, ...
  Other,
};
inline constexpr unsigned instructionKinds = 15;

std::string_view toString(InstructionKind kind);
InstructionKind kindOf(const Instruction &inst);

using InstructionMix = std::array<unsigned, instructionKinds>;
InstructionMix instructionMix(const Module &module, llvm::ArrayRef<uint32_t> instructions);

} // namespace rdna
