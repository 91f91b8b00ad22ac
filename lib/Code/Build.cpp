#include "Code/Build.h"

#include "Asm/Target.h"
#include "Code/MadeInst.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <cassert>

namespace rdna {

const std::string &Inst::text() const { return made_->text; }

static Inst finish(llvm::MCInst mc) {
  auto made = std::make_shared<MadeInst>();
  made->text = McTarget::get().print(mc);
  made->mc = std::move(mc);
  return Inst(std::move(made));
}

/// As LLVM's parser has 32 bits: small integers with their sign, everything else without.
static int64_t canonical(uint32_t bits) {
  const auto number = static_cast<int32_t>(bits);
  return number >= -16 && number <= 64 ? number : int64_t(bits);
}

Arg imm(int64_t bits) {
  Arg arg{RegUnit{}};
  arg.value = canonical(static_cast<uint32_t>(bits));
  return arg;
}

static llvm::MCOperand regOperand(RegRange range) {
  const unsigned reg = McTarget::get().registerOf(range);
  assert(reg != 0 && "no such register");
  return llvm::MCOperand::createReg(reg);
}
static llvm::MCOperand regOperand(Vgpr v) {
  return regOperand(RegRange{RegUnit::vgpr(v.number), 1, Half::Whole});
}

static llvm::MCOperand sourceOperand(const VopdSource &source) {
  constexpr uint32_t scc = 253; // its operand encoding
  switch (source.kind) {
  case VopdSource::Kind::Vgpr:
    return regOperand(Vgpr{static_cast<uint8_t>(source.value)});
  case VopdSource::Kind::Scalar:
    return regOperand(
        RegRange{source.value == scc ? kScc : RegUnit::scalar(source.value), 1, Half::Whole});
  default:
    return llvm::MCOperand::createImm(canonical(source.value));
  }
}

static unsigned opcode(const std::string &name) {
  const auto found = McTarget::get().opcodeByName(name);
  assert(found && "LLVM renamed an opcode; CodeBuildTest pins them");
  return found ? *found : 0;
}

/// LLVM's opcode for the shortest form of an operation.
static unsigned opcodeOf(Op op) {
  const std::string name = op == Op::s_and_not0_saveexec_b32 // LLVM has kept GFX10's name.
                               ? "S_ANDN1_SAVEEXEC_B32"
                               : llvm::StringRef(opName(op)).upper();
  for (const char *suffix : {"_gfx11", "_e32_gfx11", "_e64_gfx11", "_IMM_gfx11"})
    if (const auto found = McTarget::get().opcodeByName(name + suffix))
      return *found;
  return opcode(name);
}

Inst build(Op op, llvm::ArrayRef<Arg> values) {
  const llvm::MCInstrDesc &desc = McTarget::get().instructions().get(opcodeOf(op));
  llvm::MCInst mc;
  mc.setOpcode(desc.getOpcode());
  size_t next = 0;
  for (unsigned i = 0; i < desc.getNumOperands(); ++i) {
    const int tied = i < desc.getNumDefs() ? -1 : desc.getOperandConstraint(i, llvm::MCOI::TIED_TO);
    if (tied >= 0) {
      mc.addOperand(mc.getOperand(static_cast<unsigned>(tied)));
    } else if (desc.operands()[i].OperandType == kOperandInputMods || next == values.size()) {
      mc.addOperand(llvm::MCOperand::createImm(0));
    } else {
      const Arg &arg = values[next++];
      mc.addOperand(std::holds_alternative<RegRange>(arg.value)
                        ? regOperand(std::get<RegRange>(arg.value))
                        : llvm::MCOperand::createImm(std::get<int64_t>(arg.value)));
    }
  }
  assert(next == values.size() && "more operands than the instruction has");
  return finish(std::move(mc));
}

Inst buildBranch(Op op, std::string_view label) {
  auto made = std::make_shared<MadeInst>();
  made->mc.setOpcode(opcodeOf(op));
  made->target = label;
  made->text = fmt::format("{} {}", opName(op), label);
  return Inst(std::move(made));
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

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

Inst buildVopd(const VopdHalf &x, const VopdHalf &y) {
  llvm::MCInst mc;
  mc.setOpcode(opcode("V_DUAL_" + vopdName(x.op) + "_X_" + vopdName(y.op) + "_gfx11"));
  mc.addOperand(regOperand(x.dst));
  mc.addOperand(regOperand(y.dst));
  addValues(mc, x);
  addValues(mc, y);
  return finish(std::move(mc));
}

Inst buildLane(const LaneOp &op) {
  const auto half = asVopdHalf(op);
  llvm::MCInst mc;
  if (!half) { // v_fma_f32 dst, src0, src1, addend or constant
    mc.setOpcode(opcode("V_FMA_F32_e64_gfx11"));
    mc.addOperand(regOperand(op.dst));
    const auto zero = llvm::MCOperand::createImm(0);
    for (const VopdSource &source : {op.src0, op.src1}) {
      mc.addOperand(zero);
      mc.addOperand(sourceOperand(source));
    }
    mc.addOperand(zero);
    mc.addOperand(op.constant ? llvm::MCOperand::createImm(canonical(*op.constant))
                              : regOperand(op.addend.value_or(op.dst)));
    mc.addOperand(zero);
    mc.addOperand(zero);
    return finish(std::move(mc));
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
  return finish(std::move(mc));
}

Inst buildMove(Vgpr dst, Vgpr src) {
  LaneOp move;
  move.op = Op::v_mov_b32;
  move.dst = dst;
  move.src0 = {VopdSource::Kind::Vgpr, src.number};
  return buildLane(move);
}

Inst buildMoveConstant(Vgpr dst, uint32_t bits) {
  LaneOp move;
  move.op = Op::v_mov_b32;
  move.dst = dst;
  move.src0 = {VopdSource::Kind::Literal, bits};
  return buildLane(move);
}

Inst buildSwap(Vgpr a, Vgpr b) {
  const llvm::MCInstrDesc &desc = McTarget::get().instructions().get(opcodeOf(Op::v_swap_b32));
  llvm::MCInst mc;
  mc.setOpcode(desc.getOpcode());
  for (const Vgpr v : {a, b, b, a}) // Both destinations, then both sources.
    mc.addOperand(regOperand(v));
  return finish(std::move(mc));
}

//===----------------------------------------------------------------------===//
// Memory and waits
//===----------------------------------------------------------------------===//

// LLVM calls LDS loads and stores by the names that GFX9 had for them.

Inst buildDsLoad(Vgpr dst, unsigned dwords, Vgpr address, unsigned offset) {
  llvm::MCInst mc;
  mc.setOpcode(opcode(fmt::format("DS_READ_B{}_gfx11", 32 * dwords)));
  mc.addOperand(
      regOperand(RegRange{RegUnit::vgpr(dst.number), static_cast<uint8_t>(dwords), Half::Whole}));
  mc.addOperand(regOperand(address));
  mc.addOperand(llvm::MCOperand::createImm(offset));
  mc.addOperand(llvm::MCOperand::createImm(0));
  return finish(std::move(mc));
}

Inst buildDsStore2(RegUnit address, RegRange first, RegRange second, unsigned offset0,
                   unsigned offset1, Stride stride) {
  llvm::MCInst mc;
  mc.setOpcode(opcode(fmt::format("DS_WRITE2{}_B{}_gfx11",
                                  stride == Stride::SixtyFour ? "ST64" : "", 32 * first.dwords)));
  mc.addOperand(regOperand(RegRange{address, 1, Half::Whole}));
  mc.addOperand(regOperand(first));
  mc.addOperand(regOperand(second));
  for (const unsigned field : {offset0, offset1, 0U}) // the last one is gds
    mc.addOperand(llvm::MCOperand::createImm(field));
  return finish(std::move(mc));
}

static const char *dwordSuffix(unsigned dwords) {
  return dwords == 1 ? "" : dwords == 2 ? "X2" : "X4";
}

static RegRange vgprs(Vgpr first, unsigned dwords) {
  return {RegUnit::vgpr(first.number), static_cast<uint8_t>(dwords), Half::Whole};
}

/// All further operands are numbers.
static Inst finishWith(llvm::MCInst mc, std::initializer_list<int64_t> numbers) {
  for (const int64_t number : numbers)
    mc.addOperand(llvm::MCOperand::createImm(number));
  return finish(std::move(mc));
}

Inst buildDsStore(Vgpr address, Vgpr data, unsigned dwords, unsigned offset) {
  llvm::MCInst mc;
  mc.setOpcode(opcode(fmt::format("DS_WRITE_B{}_gfx11", 32 * dwords)));
  mc.addOperand(regOperand(address));
  mc.addOperand(regOperand(vgprs(data, dwords)));
  return finishWith(std::move(mc), {offset, 0}); // gds
}

Inst buildDsLoad2(Vgpr dst, Vgpr address, unsigned offset0, unsigned offset1, Stride stride) {
  llvm::MCInst mc;
  mc.setOpcode(
      opcode(fmt::format("DS_READ2{}_B32_gfx11", stride == Stride::SixtyFour ? "ST64" : "")));
  mc.addOperand(regOperand(vgprs(dst, 2)));
  mc.addOperand(regOperand(address));
  return finishWith(std::move(mc), {offset0, offset1, 0}); // gds
}

static Inst buildBuffer(const char *kind, Vgpr data, unsigned dwords, Vgpr offset,
                        unsigned resource, unsigned bytes, std::optional<unsigned> scalarOffset) {
  assert(bytes < 4096 && "LLVM would cut the offset off silently");
  llvm::MCInst mc;
  mc.setOpcode(opcode(fmt::format("BUFFER_{}_DWORD{}_OFFEN_gfx11", kind, dwordSuffix(dwords))));
  mc.addOperand(regOperand(vgprs(data, dwords)));
  mc.addOperand(regOperand(offset));
  mc.addOperand(regOperand(RegRange{RegUnit::scalar(resource), 4, Half::Whole}));
  mc.addOperand(scalarOffset ? regOperand(RegRange{RegUnit::scalar(*scalarOffset), 1, Half::Whole})
                             : llvm::MCOperand::createImm(0));
  return finishWith(std::move(mc), {bytes, 0, 0}); // cache bits, swizzle
}

Inst buildBufferLoad(Vgpr dst, unsigned dwords, Vgpr offset, unsigned resource, unsigned bytes,
                     std::optional<unsigned> scalarOffset) {
  return buildBuffer("LOAD", dst, dwords, offset, resource, bytes, scalarOffset);
}

Inst buildBufferStore(Vgpr data, unsigned dwords, Vgpr offset, unsigned resource, unsigned bytes,
                      std::optional<unsigned> scalarOffset) {
  return buildBuffer("STORE", data, dwords, offset, resource, bytes, scalarOffset);
}

Inst buildScalarLoad(unsigned first, unsigned dwords, unsigned base, int64_t bytes) {
  llvm::MCInst mc;
  mc.setOpcode(opcode(fmt::format("S_LOAD_B{}_IMM_gfx11", 32 * dwords)));
  mc.addOperand(
      regOperand(RegRange{RegUnit::scalar(first), static_cast<uint8_t>(dwords), Half::Whole}));
  mc.addOperand(regOperand(RegRange{RegUnit::scalar(base), 2, Half::Whole}));
  return finishWith(std::move(mc), {bytes, 0}); // cache bits
}

Inst buildWait(const WaitCounts &counts) { return build(Op::s_waitcnt, {imm(encodeWait(counts))}); }

Inst buildVaVdstWait() { return build(Op::s_waitcnt_depctr, {imm(0xfff)}); }

Inst buildClause(unsigned members) { return build(Op::s_clause, {imm(members - 1)}); }

} // namespace rdna
