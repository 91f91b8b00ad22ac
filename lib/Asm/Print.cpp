#include "Asm/Print.h"

#include "Asm/ParsedModule.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <cassert>

namespace rdna {

static unsigned vgprRegister(Vgpr v, unsigned dwords = 1) {
  return McTarget::get().vgpr({RegUnit::vgpr(v.number), static_cast<uint8_t>(dwords), Half::Whole});
}

static llvm::MCOperand regOperand(Vgpr v) { return llvm::MCOperand::createReg(vgprRegister(v)); }

/// LLVM's register for a scalar source by its operand encoding; the printer needs only the name.
static unsigned scalarRegister(uint32_t encoding) {
  const McTarget &target = McTarget::get();
  static const auto *byEncoding = [] {
    const McTarget &t = McTarget::get();
    auto *map = new std::unordered_map<uint32_t, unsigned>;
    for (unsigned reg = 1; reg < t.registers().getNumRegs(); ++reg) {
      const auto range = t.range(reg);
      const llvm::StringRef name = t.registers().getName(reg);
      if (!range || range->first.isVgpr() || range->dwords != 1 || range->half != Half::Whole)
        continue;
      // M0 and null have real twins for gfx11; TTMPs and the rest have one name.
      if (name == "M0" || name == "SGPR_NULL" || name == "SCC" || name.contains("VCCZ") ||
          name.contains("EXECZ") ||
          (name.starts_with("TTMP") && !name.ends_with("_gfx11plus") && name.contains('_')))
        continue;
      const uint32_t e = name == "SRC_SCC" ? 253 : range->first.number();
      map->emplace(e, reg);
    }
    return map;
  }();
  (void)target;
  const auto it = byEncoding->find(encoding);
  return it == byEncoding->end() ? 0 : it->second;
}

static llvm::MCOperand sourceOperand(const VopdSource &source) {
  switch (source.kind) {
  case VopdSource::Kind::Vgpr:
    return regOperand(Vgpr{static_cast<uint8_t>(source.value)});
  case VopdSource::Kind::Scalar:
    return llvm::MCOperand::createReg(scalarRegister(source.value));
  default:
    return llvm::MCOperand::createImm(static_cast<int32_t>(source.value));
  }
}

static unsigned opcode(const std::string &name) {
  const auto found = McTarget::get().opcodeByName(name);
  assert(found && "LLVM renamed an opcode; Print.cpp's unit test pins them");
  return found ? *found : 0;
}

std::optional<std::string> printRenamed(const Module &module, const Instruction &inst,
                                        const RenameFn &rename) {
  const McTarget &target = McTarget::get();
  llvm::MCInst mc = module.parsed().insts[inst.index];
  bool changed = false;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const Operand &operand = inst.operands[i];
    if (!operand.isReg() || !operand.reg.first.isVgpr())
      continue;
    RegRange to = operand.reg;
    for (unsigned d = 0; d < operand.reg.dwords; ++d) {
      const Vgpr renamed = rename(operand, static_cast<int>(i),
                                  Vgpr{static_cast<uint8_t>(operand.reg.first.index + d)});
      if (d == 0)
        to.first = RegUnit::vgpr(renamed.number);
      else if (renamed.number != to.first.index + d)
        return std::nullopt;
    }
    if (to.first == operand.reg.first)
      continue;
    const unsigned reg = target.vgpr(to);
    if (reg == 0)
      return std::nullopt;
    mc.getOperand(static_cast<unsigned>(i)).setReg(reg);
    changed = true;
  }
  if (!changed)
    return std::string(module.instructionText(inst));
  return target.print(mc);
}

/// A half's name inside LLVM's VOPD opcode names.
static std::string vopdName(Op op) {
  switch (op) {
  case Op::v_fmaak_f32:
    return "FMAAK_F32";
  case Op::v_fmamk_f32:
    return "FMAMK_F32";
  case Op::v_add_nc_u32:
    return "ADD_U32_e32";
  case Op::v_dot2acc_f32_f16:
    return "DOT2C_F32_F16_e32";
  case Op::v_dot2acc_f32_bf16:
    return "DOT2C_F32_BF16_e32";
  case Op::v_mul_dx9_zero_f32:
    return "MUL_LEGACY_F32_e32";
  default:
    return llvm::StringRef(opName(op).data() + 2, opName(op).size() - 2).upper() + "_e32";
  }
}

static void addValues(llvm::MCInst &mc, const VopdHalf &half) {
  mc.addOperand(sourceOperand(half.src0));
  if (half.op == Op::v_mov_b32)
    return;
  const auto constant = [&] {
    return llvm::MCOperand::createImm(static_cast<int64_t>(*half.constant));
  };
  if (half.op == Op::v_fmamk_f32)
    mc.addOperand(constant());
  mc.addOperand(sourceOperand(half.src1));
  if (half.op == Op::v_fmaak_f32)
    mc.addOperand(constant());
  if (readsDestination(half.op))
    mc.addOperand(regOperand(half.dst));
}

std::string printVopd(const VopdHalf &x, const VopdHalf &y) {
  llvm::MCInst mc;
  mc.setOpcode(opcode("V_DUAL_" + vopdName(x.op) + "_X_" + vopdName(y.op) + "_gfx11"));
  mc.addOperand(regOperand(x.dst));
  mc.addOperand(regOperand(y.dst));
  addValues(mc, x);
  addValues(mc, y);
  return McTarget::get().print(mc);
}

std::string printLane(const LaneOp &op) {
  const auto half = asVopdHalf(op);
  llvm::MCInst mc;
  if (!half) { // v_fma_f32 dst, src0, src1, addend
    mc.setOpcode(opcode("V_FMA_F32_e64_gfx11"));
    mc.addOperand(regOperand(op.dst));
    const auto zero = llvm::MCOperand::createImm(0);
    for (const VopdSource &source : {op.src0, op.src1}) {
      mc.addOperand(zero);
      mc.addOperand(sourceOperand(source));
    }
    mc.addOperand(zero);
    mc.addOperand(regOperand(op.addend.value_or(op.dst)));
    mc.addOperand(zero);
    mc.addOperand(zero);
    return McTarget::get().print(mc);
  }
  std::string name = vopdName(op.op);
  if (op.op == Op::v_add_nc_u32)
    name = "ADD_NC_U32_e32";
  if (op.op == Op::v_mul_dx9_zero_f32)
    name = "MUL_DX9_ZERO_F32_e32";
  if (op.op == Op::v_dot2acc_f32_f16)
    name = "DOT2ACC_F32_F16_e32";
  mc.setOpcode(opcode("V_" + name + "_gfx11"));
  mc.addOperand(regOperand(op.dst));
  addValues(mc, *half);
  return McTarget::get().print(mc);
}

std::string printMove(Vgpr dst, Vgpr src) {
  LaneOp move;
  move.op = Op::v_mov_b32;
  move.dst = dst;
  move.src0 = {VopdSource::Kind::Vgpr, src.number};
  return printLane(move);
}

std::string printMoveConstant(Vgpr dst, uint32_t bits) {
  LaneOp move;
  move.op = Op::v_mov_b32;
  move.dst = dst;
  move.src0 = {VopdSource::Kind::Literal, bits};
  return printLane(move);
}

std::string printSwap(Vgpr a, Vgpr b) {
  return fmt::format("v_swap_b32 v{}, v{}", a.number, b.number);
}

std::string printDsLoad(Vgpr dst, unsigned dwords, Vgpr address, unsigned offset) {
  llvm::MCInst mc;
  mc.setOpcode(opcode(fmt::format("DS_READ_B{}_gfx11", 32 * dwords)));
  mc.addOperand(llvm::MCOperand::createReg(vgprRegister(dst, dwords)));
  mc.addOperand(regOperand(address));
  mc.addOperand(llvm::MCOperand::createImm(offset));
  mc.addOperand(llvm::MCOperand::createImm(0));
  return McTarget::get().print(mc);
}

static constexpr unsigned kMaxVm = 63, kMaxLgkm = 63, kMaxExp = 7;

std::string printWait(const WaitCounts &counts) {
  llvm::MCInst mc;
  mc.setOpcode(opcode("S_WAITCNT_gfx11"));
  mc.addOperand(llvm::MCOperand::createImm((counts.vm.value_or(kMaxVm) << 10) |
                                           (counts.lgkm.value_or(kMaxLgkm) << 4) |
                                           counts.exp.value_or(kMaxExp)));
  return McTarget::get().print(mc);
}

WaitCounts decodeWait(uint16_t simm16) {
  WaitCounts counts;
  const unsigned vm = simm16 >> 10, lgkm = (simm16 >> 4) & 63, exp = simm16 & 7;
  if (vm != kMaxVm)
    counts.vm = vm;
  if (lgkm != kMaxLgkm)
    counts.lgkm = lgkm;
  if (exp != kMaxExp)
    counts.exp = exp;
  return counts;
}

} // namespace rdna
