#include "Asm/Effects.h"

#include "Asm/GlobalAddress.h"
#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"

namespace rdna {

uint32_t scalarImmediate(Op op, int64_t imm) {
  switch (opTraits(op).shortImmediate) {
  case ShortImmediate::Signed:
    return static_cast<uint32_t>(static_cast<int16_t>(imm));
  case ShortImmediate::Unsigned:
    return static_cast<uint16_t>(imm);
  case ShortImmediate::None:
    break;
  }
  return static_cast<uint32_t>(imm);
}

ExecEffect execEffect(const Instruction &inst) {
  if (!inst.writesUnit(kExecLo))
    return ExecEffect::None;
  if (inst.isValu()) // v_cmpx: EXEC = compare in the active lanes, 0 elsewhere
    return ExecEffect::Narrow;
  const auto reads = [&](unsigned operand) {
    return inst.operands.size() > operand && inst.operands[operand].isReg() &&
           inst.operands[operand].reg.first == kExecLo;
  };
  switch (inst.op) {
  case Op::s_and_saveexec_b32:
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not0_wrexec_b32:
    return ExecEffect::Narrow;
  case Op::s_or_saveexec_b32:
    return ExecEffect::Widen;
  case Op::s_and_b32:
    return reads(1) || reads(2) ? ExecEffect::Narrow : ExecEffect::Any;
  case Op::s_and_not1_b32:
    return reads(1) ? ExecEffect::Narrow : ExecEffect::Any;
  case Op::s_or_b32:
    return reads(1) || reads(2) ? ExecEffect::Widen : ExecEffect::Any;
  default:
    return ExecEffect::Any;
  }
}

bool ignoresExec(Op op) { return opTraits(op).is(OpFlag::Matrix); }

bool savesExec(Op op) {
  switch (op) {
  case Op::s_and_saveexec_b32:
  case Op::s_and_not0_saveexec_b32:
  case Op::s_and_not1_saveexec_b32:
  case Op::s_or_saveexec_b32:
  case Op::s_or_not0_saveexec_b32:
  case Op::s_or_not1_saveexec_b32:
  case Op::s_xor_saveexec_b32:
  case Op::s_nand_saveexec_b32:
  case Op::s_nor_saveexec_b32:
  case Op::s_xnor_saveexec_b32:
    return true;
  default:
    return false;
  }
}
bool isRelative(const Instruction &inst) { return opTraits(inst.op).is(OpFlag::Relative); }

bool readsAllLanes(const Instruction &inst) {
  switch (inst.op) {
  case Op::v_readlane_b32:
  case Op::v_readfirstlane_b32:
  case Op::v_writelane_b32:
  case Op::v_permlane64_b32:
    return true;
  default:
    // Without fetch-inactive a DPP source lane that is switched off counts as invalid.
    return ignoresExec(inst.op) || inst.readsInactiveLanes();
  }
}

bool isSynchronising(const Instruction &inst) {
  switch (inst.memory) {
  case MemoryEffect::None:
    return false;
  case MemoryEffect::Atomic:
  case MemoryEffect::AtomicReturn:
    return true;
  case MemoryEffect::Load:
  case MemoryEffect::Store:
    break;
  }
  return inst.value(OperandName::CachePolicy) != 0; // glc, slc and dlc bits
}

bool invalidatesL0(const Instruction &inst) { return inst.op == Op::buffer_gl0_inv; }

ValueRole valueRole(Op op) {
  switch (op) {
  case Op::v_mov_b32:
  case Op::v_mov_b16:
  case Op::s_mov_b32:
  case Op::s_mov_b64:
  case Op::v_swap_b32:
  case Op::v_swap_b16:
  case Op::v_readlane_b32:
  case Op::v_readfirstlane_b32:
  case Op::v_writelane_b32:
  case Op::v_permlane16_b32:
  case Op::v_permlanex16_b32:
  case Op::v_permlane64_b32:
  case Op::ds_bpermute_b32:
  case Op::ds_permute_b32:
  case Op::ds_swizzle_b32:
    return ValueRole::Move;
  case Op::v_add_f32:
  case Op::v_sub_f32:
  case Op::v_subrev_f32:
  case Op::v_mul_f32:
  case Op::v_mul_dx9_zero_f32:
  case Op::v_fmac_f32:
  case Op::v_fmac_dx9_zero_f32:
  case Op::v_fma_dx9_zero_f32:
  case Op::v_fmamk_f32:
  case Op::v_fmaak_f32:
  case Op::v_fma_f32:
  case Op::v_add_f16:
  case Op::v_sub_f16:
  case Op::v_subrev_f16:
  case Op::v_mul_f16:
  case Op::v_fmac_f16:
  case Op::v_fmamk_f16:
  case Op::v_fmaak_f16:
  case Op::v_fma_f16:
  case Op::v_pk_fma_f16:
  case Op::v_pk_fmac_f16:
  case Op::v_pk_add_f16:
  case Op::v_pk_mul_f16:
  case Op::v_dot2acc_f32_f16:
  case Op::v_dot2_f32_f16:
  case Op::v_dot2_f16_f16:
  case Op::v_fma_mix_f32:
  case Op::v_fma_mixlo_f16:
  case Op::v_fma_mixhi_f16:
  case Op::v_wmma_f32_16x16x16_f16:
  case Op::v_wmma_f16_16x16x16_f16:
    return ValueRole::Sum;
  case Op::v_cndmask_b32:
  case Op::v_cndmask_b16:
  case Op::s_cselect_b32:
  case Op::s_cselect_b64:
    return ValueRole::Look;
  default:
    return ValueRole::Other;
  }
}

Half writtenHalf(const Instruction &inst, const RegRange &to) {
  if (to.half != Half::Whole || !to.first.isVgpr())
    return to.half;
  const MemoryTraits &memory = opTraits(inst.op).memory;
  // Of formatted ones some have several components.
  if (memory.kind != MemoryKind::Load || memory.d16 == D16::None || memory.isFormatted ||
      to.dwords != 1)
    return Half::Whole;
  return memory.d16 == D16::High ? Half::High : Half::Low;
}

bool isKept(const Instruction &inst, const RegAccess &access) {
  if (access.writes())
    return access.reads() && writtenHalf(inst, access.reg) != Half::Whole;
  // Of loads LLVM lists the register a second time, as a source.
  const bool isTied =
      access.operand >= 0 && inst.operands[static_cast<size_t>(access.operand)].tiedTo >= 0;
  return isTied && opTraits(inst.op).memory.kind == MemoryKind::Load &&
         writtenHalf(inst, access.reg) != Half::Whole;
}

/// Of LDS and GLOBAL accesses which operand is the address in VGPRs.
static std::optional<unsigned> vectorAddress(const Instruction &inst) {
  if (const auto address = globalAddress(inst))
    return address->vector;
  return inst.unit == Unit::Lds ? std::optional(unsigned(ldsAddressOperand(inst))) : std::nullopt;
}

/// Sources of v_fma_mix_f32 and its like are 32 bits, or, with op_sel_hi, the half that op_sel
/// says, as the emulator has it (Emu/Vop3p.cpp).
static Half mixedHalf(const Instruction &inst, unsigned operand) {
  constexpr int64_t opSel = 4, opSelHi = 8; // As LLVM has them in a source's modifiers.
  if (operand == 0 || inst.operands[operand - 1].cls != Operand::Class::Modifier)
    return Half::Whole;
  const int64_t modifiers = inst.operands[operand - 1].imm;
  return (modifiers & opSelHi) == 0 ? Half::Whole
         : (modifiers & opSel) != 0 ? Half::High
                                    : Half::Low;
}

Half readHalf(const Instruction &inst, const RegAccess &access) {
  if (access.reg.half != Half::Whole || !access.reg.first.isVgpr())
    return access.reg.half;
  const bool isMix = inst.op == Op::v_fma_mix_f32 || inst.op == Op::v_fma_mixlo_f16 ||
                     inst.op == Op::v_fma_mixhi_f16;
  if (isMix && access.operand > 0)
    return mixedHalf(inst, static_cast<unsigned>(access.operand));
  const MemoryTraits &memory = opTraits(inst.op).memory;
  const bool isPart = memory.kind == MemoryKind::Store && (memory.bytes == 1 || memory.bytes == 2);
  const auto address = isPart ? vectorAddress(inst) : std::nullopt;
  if (!address || access.operand < 0 || static_cast<unsigned>(access.operand) == *address)
    return Half::Whole;
  return memory.d16 == D16::High ? Half::High : Half::Low;
}

bool crossesLanes(Op op) {
  switch (op) {
  case Op::v_readlane_b32:
  case Op::v_readfirstlane_b32:
  case Op::v_permlane16_b32:
  case Op::v_permlanex16_b32:
  case Op::v_permlane64_b32:
  case Op::ds_bpermute_b32:
  case Op::ds_permute_b32:
  case Op::ds_swizzle_b32:
    return true;
  default:
    return false;
  }
}

} // namespace rdna
