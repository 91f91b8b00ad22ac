//===- Effects.h - what an instruction does, seen by itself -----------------===//
//
// PathConditions of the ISA that passes and the proof both go by. What follows from several
// instructions is no such fact: each of the two finds that out for itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

namespace rdna {

/// The dword that an immediate of a 32-bit SALU instruction stands for. The K forms hold 16 bits,
/// which LLVM lists as they stand in the text.
uint32_t scalarImmediate(Op op, int64_t imm);

enum class ExecEffect : uint8_t {
  None,
  Narrow, ///< Switches lanes off, none on.
  Widen,  ///< Switches lanes on, none off.
  Any,
};
ExecEffect execEffect(const Instruction &inst);
/// Does it put the EXEC that was into its 32-bit destination?
bool savesExec(Op op);

/// Does the instruction read lanes that EXEC switches off (lane permutations with fetch-inactive,
/// v_readlane, matrix instructions)? v_readfirstlane reads lane 0 if all are switched off.
bool readsAllLanes(const Instruction &inst);
/// Does M0 choose registers that its text does not name (v_movrels_b32, ...)?
bool isRelative(const Instruction &inst);
/// Does it ignore EXEC and write every lane?
bool ignoresExec(Op op);

/// Which half of a VGPR a write replaces, while the other one stays: results in `.l` and `.h`, and
/// loads of 16 bits. Whole: all of it, or it is not known what stays.
Half writtenHalf(const Instruction &inst, const RegRange &to);
/// Is it only what such a write leaves of a register?
bool isKept(const Instruction &inst, const RegAccess &access);
/// Which half of a VGPR it reads: sources in `.l` and `.h`, what stores of 8 and 16 bits store, and
/// what v_fma_mix_f32 and its like take as 16 bits.
Half readHalf(const Instruction &inst, const RegAccess &access);

/// An atomic, or an access with cache bits: other waves are meant.
bool isSynchronising(const Instruction &inst);
/// buffer_gl0_inv: loads behind it find what waves of the workgroup have stored. In WGP mode a
/// workgroup has two L0 caches, so that compilers write it behind every barrier that orders memory
/// (LLVM's AMDGPUUsage, memory model of GFX11). Where the workgroup has stored nothing but to LDS,
/// it changes nothing that a load finds.
bool invalidatesL0(const Instruction &inst);

/// What becomes of a value that an instruction reads.
enum class ValueRole : uint8_t {
  Move,  ///< Hands a value on as it is.
  Sum,   ///< F32 and F16 products and sums.
  Look,  ///< A selection.
  Other, ///< Makes something else of it.
};
ValueRole valueRole(Op op);
/// Does a lane get what another lane has?
bool crossesLanes(Op op);

} // namespace rdna
