#include "Transform/PairForms.h"

#include "Transform/RenamedBlock.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

PairForms::PairForms(const LaneOp &lane) {
  const auto add = [&](const LaneOp &form) {
    if (const auto half = asVopdHalf(form))
      forms_.emplace_back(form, *half);
  };
  add(lane);
  if (const auto other = swapped(lane))
    add(*other);
}

PairForms::Form::Form(const LaneOp &lane, const VopdHalf &half)
    : lane(lane), half(half), isX(vopdOpcodeX(half.op) >= 0), isY(vopdOpcodeY(half.op) >= 0),
      conflicts(sourceBankConflicts(half, {}) != 0),
      hasScalars(!half.src0.isVgpr() || (half.op != Op::v_mov_b32 && !half.src1.isVgpr()) ||
                 half.constant || half.op == Op::v_cndmask_b32) {
  const auto number = [](std::optional<Vgpr> vgpr) {
    return vgpr ? static_cast<int16_t>(vgpr->number) : kNone;
  };
  port = {number(source0Port(half)), number(source1Port(half)), number(source2Port(half))};
}

/// Registers of one port may neither lie in one bank, nor have one parity, which is the hazard.
static bool mayShare(const PairForms::Form &x, const PairForms::Form &y, Conflicts conflicts) {
  if (!x.isX || !y.isY)
    return false;
  if (conflicts == Conflicts::OfText)
    return !whyNotDual(x.half, y.half);
  for (size_t p = 0; p < x.port.size(); ++p)
    if (x.port[p] >= 0 && y.port[p] >= 0 && ((x.port[p] ^ y.port[p]) & 1) == 0)
      return false;
  if (conflicts == Conflicts::Avoid && (x.conflicts || y.conflicts))
    return false;
  if (conflicts != Conflicts::Accept) {
    const auto collide = [](int16_t a, int16_t b) {
      return a >= 0 && b >= 0 && a != b && ((a ^ b) & 3) == 0;
    };
    if (collide(x.port[0], y.port[1]) || collide(x.port[1], y.port[0]))
      return false;
  }
  return (!x.hasScalars && !y.hasScalars) || !whyNotDual(x.half, y.half);
}

std::optional<Fit> fit(const PairForms &a, const PairForms &b, Conflicts conflicts) {
  if (a.isOdd() == b.isOdd())
    return std::nullopt;
  for (const bool reversed : {false, true})
    for (const PairForms::Form &first : a)
      for (const PairForms::Form &second : b)
        if (mayShare(reversed ? second : first, reversed ? first : second, conflicts))
          return Fit{reversed, first.lane, second.lane};
  return std::nullopt;
}

bool canBeTakenApart(const Instruction &vopd) {
  const auto lanes = laneOps(vopd);
  return lanes.size() == 2 && areApart(lanes[0], lanes[1]) &&
         llvm::none_of(lanes, [](const LaneOp &lane) { return lane.op == Op::v_cndmask_b32; });
}

} // namespace rdna
