#include "Asm/Lane.h"

namespace rdna {

/// Inline constants of a 32-bit float or integer operand (ISA guide, operand encodings 128..248).
static bool isInline32(uint32_t bits) {
  const auto value = static_cast<int32_t>(bits);
  if (value >= -16 && value <= 64)
    return true;
  switch (bits) {
  case 0x3f000000: // 0.5
  case 0xbf000000:
  case 0x3f800000: // 1.0
  case 0xbf800000:
  case 0x40000000: // 2.0
  case 0xc0000000:
  case 0x40800000: // 4.0
  case 0xc0800000:
  case 0x3e22f983: // 1 / (2 pi)
    return true;
  default:
    return false;
  }
}

static std::optional<VopdSource> sourceOf(const Operand &operand) {
  if (operand.kind == Operand::Kind::Expression)
    return std::nullopt;
  if (operand.kind == Operand::Kind::Immediate) {
    const auto bits = static_cast<uint32_t>(operand.imm);
    return VopdSource{isInline32(bits) ? VopdSource::Kind::Inline : VopdSource::Kind::Literal,
                      bits};
  }
  if (operand.reg.dwords != 1 || operand.reg.half != Half::Whole)
    return std::nullopt;
  if (operand.reg.first.isVgpr())
    return VopdSource{VopdSource::Kind::Vgpr, operand.reg.first.number()};
  if (operand.reg.first == kScc)
    return VopdSource{VopdSource::Kind::Scalar, 253};
  if (operand.reg.first.index > RegUnit::scalar(127).index)
    return std::nullopt;
  return VopdSource{VopdSource::Kind::Scalar, operand.reg.first.number()};
}

static bool hasConstant(Op op) { return op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32; }

/// Builds one lane operation from its value operands in LLVM's order: FMAAK src0, vsrc1, K; FMAMK
/// src0, K, vsrc1; MOV src0; FMAC and DOT2ACC src0, vsrc1, accumulator; FMA src0, src1, src2.
static std::optional<LaneOp> build(Op op, Vgpr dst, llvm::ArrayRef<const Operand *> values) {
  LaneOp lane;
  lane.op = op;
  lane.dst = dst;
  if (hasConstant(op)) {
    if (values.size() != 3)
      return std::nullopt;
    const Operand &constant = *values[op == Op::v_fmaak_f32 ? 2 : 1];
    if (constant.kind != Operand::Kind::Immediate)
      return std::nullopt;
    lane.constant = static_cast<uint32_t>(constant.imm);
    const auto src0 = sourceOf(*values[0]), src1 = sourceOf(*values[op == Op::v_fmaak_f32 ? 1 : 2]);
    if (!src0 || !src1)
      return std::nullopt;
    lane.src0 = *src0;
    lane.src1 = *src1;
    return lane;
  }
  if (values.empty())
    return std::nullopt;
  const auto src0 = sourceOf(*values[0]);
  if (!src0)
    return std::nullopt;
  lane.src0 = *src0;
  if (op == Op::v_mov_b32)
    return values.size() == 1 ? std::optional(lane) : std::nullopt;
  if (values.size() < 2)
    return std::nullopt;
  const auto src1 = sourceOf(*values[1]);
  if (!src1)
    return std::nullopt;
  lane.src1 = *src1;
  if (readsDestination(op)) {
    if (values.size() != 3)
      return std::nullopt;
    const auto addend = sourceOf(*values[2]);
    if (!addend || !addend->isVgpr())
      return std::nullopt;
    lane.addend = Vgpr{static_cast<uint8_t>(addend->value)};
  } else if (op == Op::v_cndmask_b32) {
    // The VOP3 form names its mask; only VCC fits a VOPD slot.
    if (values.size() == 3 && !(values[2]->isReg() && values[2]->reg.first == kVccLo))
      return std::nullopt;
  } else if (values.size() != 2) {
    return std::nullopt;
  }
  return lane;
}

/// V_FMA with a constant addend is FMAAK (compilers write it as V_FMA where the constant is an
/// inline one: `x * y + 0` begins every sum), any other FMAC. Nothing if FMAAK cannot have it:
/// without a VGPR as factor, or with a literal factor beside the addend.
static std::optional<Op> formOfFma(llvm::ArrayRef<const Operand *> values) {
  if (values.size() != 3)
    return std::nullopt;
  if (values[2]->kind != Operand::Kind::Immediate)
    return Op::v_fmac_f32;
  const auto src0 = sourceOf(*values[0]), src1 = sourceOf(*values[1]);
  const auto is = [](const std::optional<VopdSource> &source, VopdSource::Kind kind) {
    return source && source->kind == kind;
  };
  if (is(src0, VopdSource::Kind::Literal) || is(src1, VopdSource::Kind::Literal) ||
      !(is(src0, VopdSource::Kind::Vgpr) || is(src1, VopdSource::Kind::Vgpr)))
    return std::nullopt;
  return Op::v_fmaak_f32;
}

llvm::SmallVector<LaneOp, 2> laneOps(const Instruction &inst) {
  llvm::SmallVector<LaneOp, 2> result;
  if (inst.isVopd()) {
    // vdstX, vdstY, then X's values, then Y's.
    if (inst.operands.size() < 3 || !inst.operands[0].isReg() || !inst.operands[1].isReg())
      return result;
    llvm::SmallVector<const Operand *, 8> values;
    for (size_t i = 2; i < inst.operands.size(); ++i)
      values.push_back(&inst.operands[i]);
    const auto arity = [](Op op) -> size_t {
      return op == Op::v_mov_b32 ? 1 : readsDestination(op) || hasConstant(op) ? 3 : 2;
    };
    const size_t x = arity(inst.op), y = arity(inst.opY);
    if (values.size() != x + y)
      return result;
    const llvm::ArrayRef<const Operand *> all(values);
    const auto first = build(inst.op, inst.operands[0].reg.first.asVgpr(), all.take_front(x));
    const auto second = build(inst.opY, inst.operands[1].reg.first.asVgpr(), all.drop_front(x));
    if (first && second) {
      result.push_back(*first);
      result.push_back(*second);
    }
    return result;
  }
  if (inst.unit != Unit::Valu ||
      inst.isDpp()) // a DPP form has the same Op, even if it moves nothing
    return result;
  const bool fma = inst.op == Op::v_fma_f32;
  if (!fma && vopdOpcodeX(inst.op) < 0 && vopdOpcodeY(inst.op) < 0)
    return result;
  const Operand *dst = nullptr;
  llvm::SmallVector<const Operand *, 4> values;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def) {
      if (dst)
        return result;
      dst = &operand;
    } else if (operand.cls == Operand::Class::Source) {
      values.push_back(&operand);
    } else if (operand.imm != 0) {
      return result; // neg, abs, clamp, omod: no VOPD slot has them
    }
  }
  if (!dst || !dst->reg.first.isVgpr() || dst->reg.dwords != 1 || dst->reg.half != Half::Whole)
    return result;
  const auto op = fma ? formOfFma(values) : inst.op;
  if (!op)
    return result;
  if (const auto lane = build(*op, dst->reg.first.asVgpr(), values))
    result.push_back(*lane);
  return result;
}

std::optional<NegatedFmac> asNegatedFmac(const Instruction &inst) {
  constexpr int64_t kNegated = 1; // SISrcMods::NEG; 2 is ABS.
  if (inst.unit != Unit::Valu || inst.isVopd() || inst.isDpp() ||
      (inst.op != Op::v_fmac_f32 && !addsToItself(inst)))
    return std::nullopt;
  llvm::SmallVector<const Operand *, 4> values;
  std::optional<unsigned> factor;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Source) {
      values.push_back(&operand);
    } else if (operand.cls != Operand::Class::Def && operand.imm != 0) {
      // A modifier stands in front of its source.
      const auto at = static_cast<unsigned>(values.size());
      if (operand.cls != Operand::Class::Modifier || operand.imm != kNegated || factor || at > 1)
        return std::nullopt;
      factor = at;
    }
  }
  const RegRange dst = inst.operands[0].reg;
  if (!factor || !dst.first.isVgpr() || dst.dwords != 1 || dst.half != Half::Whole)
    return std::nullopt;
  const auto lane = build(Op::v_fmac_f32, dst.first.asVgpr(), values);
  if (!lane || !(*factor == 0 ? lane->src0 : lane->src1).isVgpr())
    return std::nullopt;
  return NegatedFmac{*lane, *factor};
}

std::optional<LaneOp> withConstantFactor(const LaneOp &op) {
  const auto isConstant = [](const VopdSource &source) {
    return source.kind == VopdSource::Kind::Inline || source.kind == VopdSource::Kind::Literal;
  };
  if (op.op != Op::v_fmac_f32 || !op.addend || isConstant(op.src0) == isConstant(op.src1))
    return std::nullopt;
  LaneOp result;
  result.op = Op::v_fmamk_f32;
  result.dst = op.dst;
  result.src0 = isConstant(op.src0) ? op.src1 : op.src0;
  result.constant = (isConstant(op.src0) ? op.src0 : op.src1).value;
  result.src1 = {VopdSource::Kind::Vgpr, op.addend->number};
  return result;
}

Swap swapKind(Op op) {
  switch (op) {
  case Op::v_fmac_f32:
  case Op::v_fmaak_f32:
  case Op::v_mul_f32:
  case Op::v_add_f32:
  case Op::v_mul_dx9_zero_f32:
  case Op::v_max_f32:
  case Op::v_min_f32:
  case Op::v_add_nc_u32:
  case Op::v_and_b32:
  case Op::v_dot2acc_f32_f16:
  case Op::v_dot2acc_f32_bf16:
    return Swap::SameOp;
  case Op::v_sub_f32:
  case Op::v_subrev_f32:
    return Swap::OtherOp;
  default:
    return Swap::Never;
  }
}

std::optional<LaneOp> swapped(const LaneOp &op) {
  const Swap kind = swapKind(op.op);
  if (kind == Swap::Never || !op.src0.isVgpr())
    return std::nullopt;
  LaneOp result = op;
  std::swap(result.src0, result.src1);
  if (kind == Swap::OtherOp)
    result.op = op.op == Op::v_sub_f32 ? Op::v_subrev_f32 : Op::v_sub_f32;
  return result;
}

std::optional<VopdHalf> asVopdHalf(const LaneOp &op) {
  if (op.addend && *op.addend != op.dst)
    return std::nullopt;
  if (op.op != Op::v_mov_b32 && !op.src1.isVgpr())
    return std::nullopt;
  return VopdHalf{op.op, op.dst, op.src0, op.src1, op.constant};
}

std::optional<std::pair<VopdHalf, VopdHalf>> vopdHalves(const Instruction &inst) {
  if (!inst.isVopd())
    return std::nullopt;
  const auto lanes = laneOps(inst);
  if (lanes.size() != 2)
    return std::nullopt;
  const auto x = asVopdHalf(lanes[0]), y = asVopdHalf(lanes[1]);
  if (!x || !y)
    return std::nullopt;
  return std::pair(*x, *y);
}

bool isVopdFma(Op op) {
  return op == Op::v_fmac_f32 || op == Op::v_fmaak_f32 || op == Op::v_fmamk_f32;
}

bool addsToItself(const Instruction &inst) {
  if (inst.isVopd() || inst.op != Op::v_fma_f32)
    return false;
  const Operand *dst = nullptr, *last = nullptr;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      dst = &operand;
    if (operand.cls == Operand::Class::Source)
      last = &operand;
  }
  return dst && last && last->isReg() && last->reg == dst->reg;
}

bool isFmaFamily(const Instruction &inst) {
  if (inst.isVopd())
    return false;
  if (isVopdFma(inst.op) || addsToItself(inst))
    return true;
  if (inst.op != Op::v_fma_f32)
    return false;
  const auto lanes = laneOps(inst);
  return lanes.size() == 1 && (lanes[0].op == Op::v_fmaak_f32 || withConstantFactor(lanes[0]));
}

} // namespace rdna
