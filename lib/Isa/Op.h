//===- Op.h - the instructions of gfx1100, one row each -------------------===//
#pragma once

#include <cstdint>
#include <string_view>

namespace rdna {

/// AMD's instruction, whatever its encoding: v_fmac_f32_e32 and v_fmac_f32_e64 are one Op.
/// `unknown` is valid code that the table does not know; every pass treats it as a barrier.
enum class Op : uint16_t {
  unknown,
#define RDNA_OP(name, unit, x, y, ...) name,
#include "Isa/Ops.def"
#undef RDNA_OP
};

/// The part of the machine that executes an instruction.
enum class Unit : uint8_t {
  Valu,
  Trans, ///< Transcendental unit: a VALU instruction with its own hazards (rdna3-facts 5.1).
  Salu,
  Smem,
  Lds,
  Global,
  Flat,
  Scratch,
  Buffer,
  Image,
  Branch,
  Barrier,
  Wait,
  Message,
  Control, ///< s_nop, s_clause, s_delay_alu, s_setprio, ...: no result.
  End,
  Other,
};

/// AMD's name in lower case without encoding suffix.
std::string_view opName(Op op);
/// The row of `name`, or Op::unknown.
Op opByName(std::string_view name);
Unit opUnit(Op op);

/// Is the operation executed by the vector ALU (transcendentals included)?
constexpr bool isValu(Unit unit) { return unit == Unit::Valu || unit == Unit::Trans; }
/// Does the instruction go to the vector memory path (and so bump vmcnt or vscnt)?
constexpr bool isVmem(Unit unit) {
  return unit == Unit::Global || unit == Unit::Flat || unit == Unit::Scratch ||
         unit == Unit::Buffer || unit == Unit::Image;
}

/// Opcode number in the X (Y) slot of a VOPD pair; -1 if the slot does not know the operation.
/// Source: ISA guide 7.6, LLVM.
int vopdOpcodeX(Op op);
int vopdOpcodeY(Op op);

} // namespace rdna
