#include "Isa/Vopd.h"

#include <algorithm>
#include <array>

namespace rdna {

bool readsDestination(Op op) {
  return op == Op::v_fmac_f32 || op == Op::v_dot2acc_f32_f16 || op == Op::v_dot2acc_f32_bf16;
}

std::optional<Vgpr> source0Port(const VopdHalf &half) {
  if (!half.src0.isVgpr())
    return std::nullopt;
  return Vgpr{static_cast<uint8_t>(half.src0.value)};
}

std::optional<Vgpr> source1Port(const VopdHalf &half) {
  if (!half.src1.isVgpr() || half.op == Op::v_fmamk_f32)
    return std::nullopt;
  return Vgpr{static_cast<uint8_t>(half.src1.value)};
}

std::optional<Vgpr> source2Port(const VopdHalf &half) {
  if (readsDestination(half.op))
    return half.dst;
  if (half.op == Op::v_fmamk_f32 && half.src1.isVgpr())
    return Vgpr{static_cast<uint8_t>(half.src1.value)};
  return std::nullopt;
}

static bool parity(Vgpr v) { return (v.number & 1) != 0; }

static bool sameBank(std::optional<Vgpr> a, std::optional<Vgpr> b) {
  return a && b && bankOf(*a) == bankOf(*b);
}

/// CNDMASK's mask. LLVM calls it VCC and an explicit operand VCC_LO, and counts them as two
/// different values although the hardware reads one register; two CNDMASKs share it.
static constexpr uint32_t kImplicitVcc = 0x10000 + 106;

namespace {
/// The distinct scalar values that a pair puts on the constant bus.
struct ScalarUse {
  std::array<uint32_t, 4> scalars{};
  unsigned scalarCount = 0;
  std::optional<uint32_t> literal;
  bool literalClash = false;

  void addScalar(uint32_t encoding) {
    if (std::find(scalars.begin(), scalars.begin() + scalarCount, encoding) ==
        scalars.begin() + scalarCount)
      scalars[scalarCount++] = encoding;
  }
  void addLiteral(uint32_t value) {
    literalClash |= literal && *literal != value;
    literal = value;
  }
  void add(const VopdHalf &half) {
    if (half.src0.kind == VopdSource::Kind::Scalar)
      addScalar(half.src0.value);
    if (half.src0.kind == VopdSource::Kind::Literal)
      addLiteral(half.src0.value);
    if (half.constant)
      addLiteral(*half.constant);
    if (half.op == Op::v_cndmask_b32)
      addScalar(kImplicitVcc);
  }
};
} // namespace

std::optional<VopdRule> whyNotDual(const VopdHalf &x, const VopdHalf &y) {
  if (vopdOpcodeX(x.op) < 0)
    return VopdRule::OpcodeX;
  if (vopdOpcodeY(y.op) < 0)
    return VopdRule::OpcodeY;
  for (const VopdHalf *half : {&x, &y})
    if (half->src1.kind != VopdSource::Kind::None && !half->src1.isVgpr())
      return VopdRule::Source1NotVgpr;
  if (parity(x.dst) == parity(y.dst))
    return VopdRule::DestinationParity;
  if (sameBank(source0Port(x), source0Port(y)))
    return VopdRule::Source0Bank;
  if (sameBank(source1Port(x), source1Port(y)))
    return VopdRule::Source1Bank;
  const auto x2 = source2Port(x), y2 = source2Port(y);
  if (x2 && y2 && parity(*x2) == parity(*y2))
    return VopdRule::Source2Parity;
  ScalarUse use;
  use.add(x);
  use.add(y);
  if (use.literalClash)
    return VopdRule::LiteralLimit;
  if (use.scalarCount + (use.literal ? 1 : 0) > 2)
    return VopdRule::ScalarLimit;
  return std::nullopt;
}

bool hasParityHazard(const VopdHalf &x, const VopdHalf &y) {
  const auto clash = [](std::optional<Vgpr> a, std::optional<Vgpr> b) {
    return a && b && *a != *b && parity(*a) == parity(*b);
  };
  return clash(source0Port(x), source0Port(y)) || clash(source1Port(x), source1Port(y));
}

unsigned sourceBankConflicts(const VopdHalf &x, const VopdHalf &y) {
  std::array<Vgpr, 4> regs{};
  unsigned count = 0;
  for (const auto reg : {source0Port(x), source1Port(x), source0Port(y), source1Port(y)})
    if (reg && std::find(regs.begin(), regs.begin() + count, *reg) == regs.begin() + count)
      regs[count++] = *reg;
  unsigned conflicts = 0;
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j)
      conflicts += bankOf(regs[i]) == bankOf(regs[j]);
  return conflicts;
}

const char *toString(VopdRule rule) {
  switch (rule) {
  case VopdRule::OpcodeX:
    return "the operation does not exist in slot X";
  case VopdRule::OpcodeY:
    return "the operation does not exist in slot Y";
  case VopdRule::Source1NotVgpr:
    return "src1 is not a VGPR";
  case VopdRule::DestinationParity:
    return "both destinations are even or both are odd";
  case VopdRule::Source0Bank:
    return "the src0 registers lie in one bank";
  case VopdRule::Source1Bank:
    return "the src1 registers lie in one bank";
  case VopdRule::Source2Parity:
    return "both addends are even or both are odd";
  case VopdRule::ScalarLimit:
    return "more than two scalar values";
  case VopdRule::LiteralLimit:
    return "two different literals";
  }
  return "";
}

} // namespace rdna
