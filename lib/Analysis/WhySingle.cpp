#include "Analysis/WhySingle.h"

#include "Analysis/Banks.h"
#include "Analysis/Dependence.h"
#include "Asm/Lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rdna {

const char *toString(SingleRule rule) {
  switch (rule) {
  case SingleRule::Modifiers:
    return "modifiers";
  case SingleRule::OtherAddend:
    return "other-addend";
  case SingleRule::MixedPair:
    return "mixed-pair";
  case SingleRule::NoPartner:
    return "no-partner";
  case SingleRule::Dependence:
    return "dependence";
  case SingleRule::Source1:
    return "src1";
  case SingleRule::Destination:
    return "destination-parity";
  case SingleRule::Source0Bank:
    return "src0-bank";
  case SingleRule::Source1Bank:
    return "src1-bank";
  case SingleRule::Source2Parity:
    return "src2-parity";
  case SingleRule::ScalarLimit:
    return "scalar-limit";
  case SingleRule::LiteralLimit:
    return "literal-limit";
  case SingleRule::ParityHazard:
    return "parity-hazard";
  case SingleRule::Nothing:
    return "nothing";
  }
  return "";
}

/// How far a partner is looked for on either side, in FMAs: enough for any loop body that a
/// compiler writes, and a bound on the work for straight-line code of 100,000 instructions.
static constexpr size_t kPartnersTried = 32;
/// How many instructions apart the two may stand; dependences in between are followed.
static constexpr uint32_t kDistance = 2048;

/// An F32 FMA outside a dual-issued pair of two FMAs.
static bool isSingle(const Instruction &inst) {
  if (inst.isVopd())
    return isVopdFma(inst.op) != isVopdFma(inst.opY);
  return isVopdFma(inst.op) || inst.op == Op::v_fma_f32;
}

/// The FMA as a lane operation, if VOPD can express it at all.
static std::optional<LaneOp> fmaLane(const Instruction &inst) {
  const auto lanes = laneOps(inst);
  for (const LaneOp &lane : lanes)
    if (isVopdFma(lane.op))
      return lane.addend && *lane.addend != lane.dst ? withConstantFactor(lane).value_or(lane)
                                                     : lane;
  return std::nullopt;
}

namespace {

/// A possible partner: reachable without a dependence, or the instruction that is in the way.
struct Candidate {
  uint32_t instruction = 0;
  std::optional<uint32_t> blockedBy;
};

} // namespace

/// May two halves of one instruction not take over these two? Both halves read before either
/// writes, so only a result that the later one reads or overwrites is in the way.
static bool orderedInPair(const Footprint &earlier, const Footprint &later) {
  return (earlier.writes & (later.reads | later.writes)).any();
}

/// Walks from group[self] to the group's end (step 1) or beginning (step -1) and tells of each FMA
/// on the way whether the two could become neighbours.
static std::vector<Candidate> candidates(const Module &module, const std::vector<uint32_t> &group,
                                         size_t self, int step) {
  const auto &all = module.instructions();
  std::vector<Candidate> found;
  Footprint own, between; // `between`: instructions that the order ties to the FMA
  own.add(all[group[self]]);
  uint32_t tied = group[self];
  auto at = static_cast<int64_t>(group[self]);
  auto next = static_cast<int64_t>(self) + step;
  for (uint32_t distance = 0; distance < kDistance && found.size() < kPartnersTried; ++distance) {
    if (next < 0 || next >= static_cast<int64_t>(group.size()))
      break;
    at += step;
    Footprint here;
    here.add(all[static_cast<size_t>(at)]);
    const bool behindOthers = step > 0 ? areOrdered(between, here) : areOrdered(here, between);
    if (at == group[static_cast<size_t>(next)]) {
      const auto index = static_cast<uint32_t>(at);
      const bool direct = step > 0 ? orderedInPair(own, here) : orderedInPair(here, own);
      Candidate candidate{index, std::nullopt};
      if (direct)
        candidate.blockedBy = index;
      else if (behindOthers)
        candidate.blockedBy = tied;
      found.push_back(candidate);
      next += step;
    }
    if (behindOthers || (step > 0 ? areOrdered(own, here) : areOrdered(here, own))) {
      between.add(all[static_cast<size_t>(at)]);
      tied = static_cast<uint32_t>(at);
    }
  }
  return found;
}

static SingleRule fromVopd(VopdRule rule) {
  switch (rule) {
  case VopdRule::OpcodeX:
  case VopdRule::OpcodeY:
  case VopdRule::Source1NotVgpr:
    return SingleRule::Source1;
  case VopdRule::DestinationParity:
    return SingleRule::Destination;
  case VopdRule::Source0Bank:
    return SingleRule::Source0Bank;
  case VopdRule::Source1Bank:
    return SingleRule::Source1Bank;
  case VopdRule::Source2Parity:
    return SingleRule::Source2Parity;
  case VopdRule::ScalarLimit:
    return SingleRule::ScalarLimit;
  case VopdRule::LiteralLimit:
    return SingleRule::LiteralLimit;
  }
  return SingleRule::Nothing;
}

namespace {
struct Attempt {
  SingleRule rule = SingleRule::Source1;
  VopdHalf a, b; ///< The arrangement of operands that came this far.
};
} // namespace

/// The best of the four arrangements of the two pairs of factors; which one is X makes no
/// difference to FMAs.
static Attempt bestArrangement(const LaneOp &a, const LaneOp &b) {
  Attempt best;
  const std::array<std::optional<LaneOp>, 2> as{a, swapped(a)}, bs{b, swapped(b)};
  for (const auto &laneA : as)
    for (const auto &laneB : bs) {
      const auto x = laneA ? asVopdHalf(*laneA) : std::nullopt;
      const auto y = laneB ? asVopdHalf(*laneB) : std::nullopt;
      if (!x || !y)
        continue;
      const auto broken = whyNotDual(*x, *y);
      const SingleRule rule = broken                    ? fromVopd(*broken)
                              : hasParityHazard(*x, *y) ? SingleRule::ParityHazard
                                                        : SingleRule::Nothing;
      if (rule >= best.rule)
        best = {rule, *x, *y};
    }
  return best;
}

static std::string name(std::optional<Vgpr> reg) {
  return reg ? toString(RegUnit::vgpr(reg->number)) : std::string("?");
}

std::string placeOf(const Module &module, const Instruction &inst) {
  if (inst.origin == Instruction::Origin::Text)
    return fmt::format("{}", inst.line);
  const auto &all = module.instructions();
  uint32_t first = inst.index;
  while (first > 0 && all[first - 1].line == inst.line)
    --first;
  return fmt::format("{}#{}", inst.line, inst.index - first + 1);
}

static void sameBank(SingleFma &fma, const std::string &slot, std::optional<Vgpr> a,
                     std::optional<Vgpr> b) {
  if (a && b && *a == *b) {
    fma.reason = fmt::format(
        "{} would be {} in both halves, which must read different banks there, in every "
        "order of the factors",
        slot, name(a));
    fma.remedy = "give one of them a copy in another bank";
    return;
  }
  fma.reason = fmt::format("{} {} and {} lie in bank {}, in every order of the factors", slot,
                           name(a), name(b), a ? static_cast<int>(bankOf(*a)) : -1);
  fma.remedy = "move one of them to another bank";
}

static void explainPair(SingleFma &fma, const Attempt &attempt, const std::string &place) {
  const std::string with = "with line " + place;
  const auto both = [](std::optional<Vgpr> a, std::optional<Vgpr> b) {
    return fmt::format("{} and {}", name(a), name(b));
  };
  fma.rule = attempt.rule;
  switch (attempt.rule) {
  case SingleRule::Source1:
    fma.reason = with + ": src1 must be a VGPR";
    fma.remedy = "copy the scalar or constant into a VGPR";
    break;
  case SingleRule::Destination:
    fma.reason =
        fmt::format("{}: the destinations {} are both {}", with, both(attempt.a.dst, attempt.b.dst),
                    attempt.a.dst.number & 1 ? "odd" : "even");
    fma.remedy = "move one of the accumulators to a register of the other parity";
    break;
  case SingleRule::Source0Bank:
    sameBank(fma, with + ": src0", source0Port(attempt.a), source0Port(attempt.b));
    break;
  case SingleRule::Source1Bank:
    sameBank(fma, with + ": src1", source1Port(attempt.a), source1Port(attempt.b));
    break;
  case SingleRule::Source2Parity:
    fma.reason = fmt::format("{}: the addends {} have the same parity", with,
                             both(source2Port(attempt.a), source2Port(attempt.b)));
    fma.remedy = "move one of them to a register of the other parity";
    break;
  case SingleRule::ScalarLimit:
    fma.reason = with + ": more than two different scalar values";
    fma.remedy = "copy one of the scalars into a VGPR";
    break;
  case SingleRule::LiteralLimit:
    fma.reason = with + ": two different literals";
    fma.remedy = "keep one of the constants in a VGPR";
    break;
  case SingleRule::ParityHazard:
    if (const auto clash = parityClash(attempt.a, attempt.b))
      fma.reason = fmt::format("{}: legal, but src{} {} have the same parity and can lose an "
                               "interlock",
                               with, clash->slot, both(clash->x, clash->y));
    fma.remedy = "move one of the factors to a register of the other parity";
    break;
  default:
    fma.reason = with + " it is a legal pair";
    fma.remedy = "bring the two together";
    break;
  }
}

/// What the FMA's own form rules out, whatever the partner.
static bool explainAlone(const Instruction &inst, SingleFma &fma) {
  if (inst.isVopd()) {
    const Op other = isVopdFma(inst.op) ? inst.opY : inst.op;
    fma.rule = SingleRule::MixedPair;
    fma.reason = fmt::format("dual-issued with {}, which is no FMA", opName(other));
    fma.remedy = "pair it with an FMA and the other half with something else";
    return true;
  }
  const auto lane = fmaLane(inst);
  if (!lane) {
    fma.rule = SingleRule::Modifiers;
    const bool symbol = std::any_of(inst.operands.begin(), inst.operands.end(), [](auto &operand) {
      return operand.kind == Operand::Kind::Expression;
    });
    fma.reason = symbol ? "an operand is a symbol"
                        : "VOPD has no neg, abs, clamp, omod or DPP, and adds a VGPR only";
    fma.remedy = symbol ? "load the value into a register"
                        : "apply the modifier in another instruction, or use plain registers";
    return true;
  }
  if (lane->addend && *lane->addend != lane->dst) {
    fma.rule = SingleRule::OtherAddend;
    fma.reason = fmt::format("writes {} but adds {}; VOPD's FMAC accumulates in place",
                             name(lane->dst), name(lane->addend));
    fma.remedy = "let the result overwrite the addend, if that is dead afterwards";
    return true;
  }
  if (!asVopdHalf(*lane) && !swapped(*lane)) {
    fma.rule = SingleRule::Source1;
    fma.reason = "src1 must be a VGPR";
    fma.remedy = "copy the scalar or constant into a VGPR";
    return true;
  }
  return false;
}

/// The single FMAs that can meet in one place: of one block, without an EXEC write in between.
static std::vector<std::vector<uint32_t>> meetingGroups(const Module &module, const Cfg &cfg,
                                                        llvm::ArrayRef<uint32_t> instructions) {
  std::vector<std::vector<uint32_t>> groups(1);
  std::optional<uint32_t> block, before;
  for (const uint32_t index : instructions) {
    const Instruction &inst = module.instructions()[index];
    const uint32_t here = cfg.blockOf(index);
    const bool breaks = inst.writesUnit(kExecLo) || inst.op == Op::s_swappc_b64 ||
                        inst.op == Op::s_call_b64 || inst.op == Op::unknown;
    if (block != here || breaks || (before && *before + 1 != index))
      groups.emplace_back();
    block = here;
    before = index;
    if (isSingle(inst))
      groups.back().push_back(index);
  }
  return groups;
}

static SingleFma explain(const Module &module, const std::vector<uint32_t> &group, size_t self) {
  SingleFma fma;
  fma.instruction = group[self];
  const auto &all = module.instructions();
  const Instruction &inst = all[fma.instruction];
  if (explainAlone(inst, fma))
    return fma;
  const LaneOp lane = *fmaLane(inst);
  // Nearest ones first, so that ties go to the one a reader sees.
  std::vector<Candidate> others = candidates(module, group, self, 1);
  const std::vector<Candidate> before = candidates(module, group, self, -1);
  others.insert(others.end(), before.begin(), before.end());
  const auto distance = [&](const Candidate &c) {
    return c.instruction > fma.instruction ? c.instruction - fma.instruction
                                           : fma.instruction - c.instruction;
  };
  std::stable_sort(others.begin(), others.end(), [&](const Candidate &a, const Candidate &b) {
    return distance(a) < distance(b);
  });
  std::optional<Attempt> best;
  std::optional<uint32_t> blockedBy, blockedPartner;
  for (const Candidate &other : others) {
    const Instruction &otherInst = all[other.instruction];
    const auto otherLane = fmaLane(otherInst);
    if (otherInst.isVopd() || !otherLane)
      continue;
    if (other.blockedBy) {
      if (!blockedBy) {
        blockedBy = other.blockedBy;
        blockedPartner = other.instruction;
      }
      continue;
    }
    if (best && best->rule == SingleRule::Nothing)
      break;
    const Attempt attempt = bestArrangement(lane, *otherLane);
    if (!best || attempt.rule > best->rule) {
      best = attempt;
      fma.partner = other.instruction;
    }
  }
  if (best) {
    explainPair(fma, *best, placeOf(module, all[*fma.partner]));
  } else if (blockedBy) {
    fma.rule = SingleRule::Dependence;
    fma.partner = blockedPartner;
    const uint32_t other = *blockedPartner;
    const auto place = [&](uint32_t index) { return placeOf(module, all[index]); };
    fma.reason =
        *blockedBy == *blockedPartner
            ? fmt::format("one needs the other's result: lines {} and {}",
                          place(std::min(fma.instruction, other)),
                          place(std::max(fma.instruction, other)))
            : fmt::format("line {} comes between it and line {}", place(*blockedBy), place(other));
    fma.remedy = "two accumulators instead of one (that changes the rounding)";
  } else {
    fma.rule = SingleRule::NoPartner;
    fma.reason = "no other single FMA in its block under the same EXEC";
    fma.remedy = "unroll, or pair it with another operation that VOPD knows";
  }
  return fma;
}

std::vector<SingleFma> whySingle(const Module &module, const Cfg &cfg,
                                 llvm::ArrayRef<uint32_t> instructions) {
  std::vector<SingleFma> result;
  for (const std::vector<uint32_t> &group : meetingGroups(module, cfg, instructions))
    for (size_t i = 0; i < group.size(); ++i)
      result.push_back(explain(module, group, i));
  return result;
}

} // namespace rdna
