#include "Asm/LaneSets.h"

#include "Asm/Effects.h"
#include "Isa/OpTraits.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

namespace rdna {

static bool isExec(const Operand &operand) {
  return operand.isReg() && operand.reg.first == kExecLo;
}

/// The mask in an operand; nothing if that is a constant, or not understood.
static std::optional<uint16_t> maskIn(const Instruction &inst, unsigned operand) {
  if (operand >= inst.operands.size())
    return std::nullopt;
  const Operand &mask = inst.operands[operand];
  const bool isMask =
      mask.isReg() && mask.reg.dwords == 1 && (isExec(mask) || !mask.reg.first.isVgpr());
  return isMask ? std::optional(mask.reg.first.index) : std::nullopt;
}

namespace {
/// Lanes that two masks have in common; LanesOf::kAny holds every bit.
struct Common {
  uint16_t in, also = LanesOf::kAny;
};
/// They hold all the bits of another mask between them.
using MaskList = llvm::SmallVector<Common, 2>;
} // namespace

/// Of what an instruction leaves in an SGPR that it computes.
static MaskList masksOfResult(const Instruction &inst) {
  if (isVectorCompare(inst.op)) // Other lanes get a 0.
    return {{kExecLo.index}};
  const auto source = [&](unsigned i) { return maskIn(inst, i).value_or(LanesOf::kAny); };
  const auto isZero = [&](unsigned i) {
    return i < inst.operands.size() && inst.operands[i].kind == Operand::Kind::Immediate &&
           inst.operands[i].imm == 0;
  };
  switch (inst.op) {
  case Op::s_mov_b32:
    return isZero(1) ? MaskList{} : MaskList{{source(1)}};
  case Op::s_or_b32:
  case Op::s_xor_b32:
  case Op::s_cselect_b32: {
    MaskList result;
    for (const unsigned i : {1u, 2u})
      if (!isZero(i))
        result.push_back({source(i)});
    return result;
  }
  case Op::s_and_b32:
    return isZero(1) || isZero(2) ? MaskList{} : MaskList{{source(1), source(2)}};
  case Op::s_and_not1_b32:
    return {{source(1)}};
  default:
    return {{LanesOf::kAny}};
  }
}

/// Of what it leaves in `written`, which may be EXEC.
static MaskList masksOf(const Instruction &inst, uint16_t written) {
  if (savesExec(inst.op) && written != kExecLo.index)
    return {{kExecLo.index}};
  const uint16_t source = maskIn(inst, 1).value_or(LanesOf::kAny);
  switch (inst.op) {
  case Op::s_and_saveexec_b32:
    return {{kExecLo.index, source}};
  case Op::s_and_not0_saveexec_b32:
    return {{kExecLo.index}};
  case Op::s_or_saveexec_b32:
  case Op::s_xor_saveexec_b32:
    return {{kExecLo.index}, {source}};
  case Op::s_and_not1_saveexec_b32:
    return {{source}};
  default:
    // Of two results one is no mask that is known.
    return written != kExecLo.index && inst.writesUnit(kExecLo) ? MaskList{{LanesOf::kAny}}
                                                                : masksOfResult(inst);
  }
}

LaneSets::Vgprs LaneSets::switchedOff() const {
  Vgprs vgprs = inactive;
  for (const auto &[lanes, more] : others)
    vgprs |= more;
  return vgprs;
}

LaneSets::Vgprs LaneSets::maybeActive() const {
  Vgprs vgprs = active;
  for (const auto &[lanes, more] : others)
    if (!llvm::is_contained(lanes.outside, kExecLo.index))
      vgprs |= more;
  return vgprs;
}

void LaneSets::add(const LaneSets &other) {
  active |= other.active;
  inactive |= other.inactive;
  for (const auto &[lanes, vgprs] : other.others)
    add(lanes, vgprs);
}

void LaneSets::add(LanesOf lanes, const Vgprs &vgprs) {
  constexpr size_t kMostMasks = 6, kMostKinds = 64; // Beyond that: more lanes than needed.
  auto &outside = lanes.outside;
  if (vgprs.none() || llvm::is_contained(outside, lanes.in) ||
      llvm::is_contained(outside, lanes.also))
    return;
  if (lanes.in > lanes.also)
    std::swap(lanes.in, lanes.also);
  if (lanes.in == lanes.also)
    lanes.also = LanesOf::kAny;
  llvm::sort(outside);
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  if (outside.size() > kMostMasks)
    outside.truncate(kMostMasks);
  if (others.size() > kMostKinds && !others.contains(lanes))
    lanes = {};
  const bool isOfExec = lanes.in == kExecLo.index && lanes.also == LanesOf::kAny;
  if (outside.empty() && (isOfExec || lanes.in == LanesOf::kAny))
    active |= vgprs;
  if (lanes.in == LanesOf::kAny &&
      (outside.empty() || (outside.size() == 1 && outside[0] == kExecLo.index)))
    inactive |= vgprs;
  else if (!isOfExec || !outside.empty())
    others[lanes] |= vgprs;
}

void LaneSets::drop(const Vgprs &vgprs) {
  active &= ~vgprs;
  inactive &= ~vgprs;
  for (auto &[lanes, some] : others)
    some &= ~vgprs;
  std::erase_if(others, [](const auto &entry) { return entry.second.none(); });
}

void LaneSets::dropActive(const Vgprs &vgprs) {
  active &= ~vgprs;
  LaneSets left;
  for (auto &[lanes, some] : others) {
    if ((some & vgprs).none() || llvm::is_contained(lanes.outside, kExecLo.index))
      continue;
    LanesOf off = lanes;
    off.outside.push_back(kExecLo.index);
    left.add(std::move(off), some & vgprs);
    some &= ~vgprs;
  }
  std::erase_if(others, [](const auto &entry) { return entry.second.none(); });
  add(left);
}

namespace {
/// What lanes of two masks an instruction leaves in a third one.
struct MadeOf {
  enum class How : uint8_t { Unknown, Either, First, FirstNotSecond, OneOfBoth } how = How::Unknown;
  std::optional<uint16_t> first, second;
};
} // namespace

/// What the mask in `written` is made of.
static MadeOf madeOf(const Instruction &inst, uint16_t written) {
  const auto exec = std::optional(kExecLo.index);
  if (savesExec(inst.op) && written != kExecLo.index)
    return {MadeOf::How::First, exec, {}};
  const auto first = maskIn(inst, 1), second = maskIn(inst, 2);
  switch (inst.op) {
  case Op::s_mov_b32:
    return {MadeOf::How::First, first, {}};
  case Op::s_or_b32:
    return {MadeOf::How::Either, first, second};
  case Op::s_xor_b32:
    return {MadeOf::How::OneOfBoth, first, second};
  case Op::s_and_not1_b32:
    return {MadeOf::How::FirstNotSecond, first, second};
  case Op::s_or_saveexec_b32:
    return {MadeOf::How::Either, first, exec};
  case Op::s_xor_saveexec_b32:
    return {MadeOf::How::OneOfBoth, first, exec};
  case Op::s_and_not1_saveexec_b32:
    return {MadeOf::How::FirstNotSecond, first, exec};
  case Op::s_and_not0_saveexec_b32:
    return {MadeOf::How::FirstNotSecond, exec, first};
  default:
    return {};
  }
}

/// The lanes that none of `masks` holds behind the instruction, by masks in front of it that hold
/// none of them.
static llvm::SmallVector<uint16_t, 6> masksBefore(const Instruction &inst,
                                                  llvm::ArrayRef<uint16_t> masks) {
  llvm::SmallVector<uint16_t, 6> result;
  const auto add = [&](std::optional<uint16_t> mask) {
    if (mask)
      result.push_back(*mask);
  };
  const auto holds = [&](std::optional<uint16_t> mask) {
    return mask && llvm::is_contained(result, *mask);
  };
  for (const uint16_t mask : masks) {
    const MadeOf made =
        inst.writesUnit(RegUnit{mask}) ? madeOf(inst, mask) : MadeOf{MadeOf::How::First, mask, {}};
    if (made.how == MadeOf::How::First || made.how == MadeOf::How::Either) {
      add(made.first);
      add(made.second);
    }
  }
  // Together with the second one, `first and not second` is both, and so is an exclusive or.
  for (const uint16_t mask : masks) {
    if (!inst.writesUnit(RegUnit{mask}))
      continue;
    const MadeOf made = madeOf(inst, mask);
    const bool isXor = made.how == MadeOf::How::OneOfBoth;
    if ((isXor || made.how == MadeOf::How::FirstNotSecond) && holds(made.second))
      add(made.first);
    else if (isXor && holds(made.first))
      add(made.second);
    else if (mask == kExecLo.index && execEffect(inst) == ExecEffect::Widen)
      add(mask);
  }
  return result;
}

/// Two of these masks, all of which hold a lane: EXEC, which most writes speak of, and another one.
static Common commonOf(std::initializer_list<uint16_t> masks) {
  Common result{LanesOf::kAny};
  for (const uint16_t mask : masks) {
    if (mask == LanesOf::kAny || mask == result.in || mask == result.also)
      continue;
    if (mask == kExecLo.index || result.in == LanesOf::kAny) {
      result.also = result.in;
      result.in = mask;
    } else if (result.also == LanesOf::kAny) {
      result.also = mask;
    }
  }
  return result;
}

void LaneSets::stepOverMasks(const Instruction &inst, Within within) {
  const auto writes = [&](uint16_t mask) {
    return mask != LanesOf::kAny && inst.writesUnit(RegUnit{mask});
  };
  const auto isWritten = [&](const LanesOf &lanes) {
    return writes(lanes.in) || writes(lanes.also) || llvm::any_of(lanes.outside, writes);
  };
  const bool writesExec = writes(kExecLo.index);
  if (!writesExec && llvm::none_of(llvm::make_first_range(others), isWritten))
    return;
  const LaneSets after = *this;
  // What was in the masks before is not what they stand for.
  std::erase_if(others, [&](const auto &entry) { return isWritten(entry.first); });
  const auto step = [&](const LanesOf &lanes, const Vgprs &vgprs) {
    const auto outside = masksBefore(inst, lanes.outside);
    const auto before = [&](uint16_t mask) {
      return writes(mask) ? masksOf(inst, mask) : MaskList{{mask}};
    };
    for (const Common &first : before(lanes.in))
      for (const Common &second : before(lanes.also)) {
        const Common both = commonOf({first.in, first.also, second.in, second.also});
        add({both.in, outside, within == Within::TwoMasks ? both.also : LanesOf::kAny}, vgprs);
      }
  };
  if (writesExec) {
    active.reset();
    inactive.reset();
    step({kExecLo.index}, after.active);
    step({LanesOf::kAny, {kExecLo.index}}, after.inactive);
  }
  for (const auto &[lanes, vgprs] : after.others)
    if (isWritten(lanes))
      step(lanes, vgprs);
}

} // namespace rdna
