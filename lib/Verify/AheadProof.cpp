#include "Verify/AheadProof.h"

#include "Asm/Effects.h"
#include "Isa/Branch.h"
#include "Isa/OpTraits.h"
#include "Verify/FlagLoads.h"
#include "Verify/Opaque.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

static constexpr unsigned kMostForksInLoop = 8;
static constexpr unsigned kMostSelections = 24; ///< Those of rocBLAS that we have: 12.
static constexpr uint64_t kMostSteps = 1u << 22;
static constexpr uint64_t kMostWork = 1u << 25; ///< Terms::work(): some eight seconds.

AheadProof::AheadProof(const Module &before, const Module &after, uint32_t function,
                       const WorkgroupShape &shape, OutsideLds outside, std::set<uint32_t> first,
                       Proof &proof)
    : before_(before), after_(after), index_(function), shape_(shape), first_(std::move(first)),
      proof_(proof), cellBytes_(std::min(ldsCellBytes(before, before.functions()[function]),
                                         ldsCellBytes(after, after.functions()[function]))),
      old_(before, before.functions()[function], cellBytes_, outside, terms_, places_),
      new_(after, after.functions()[function], cellBytes_, OutsideLds::Refused, terms_, places_),
      oldNeeds_(before, function), newNeeds_(after, function),
      selectionsBranch_(oldNeeds_.mostSelections() <= kMostSelections),
      flags_(flagLoads(before, buildCfg(before, function))) {}

std::set<uint32_t> AheadProof::originalsOf(uint32_t instruction) const {
  std::set<uint32_t> result;
  if (const auto it = matched_.find(instruction); it != matched_.end())
    result = it->second;
  for (const auto &[made, instructions] : new_.producers()) {
    if (!instructions.contains(instruction))
      continue;
    const auto originals = old_.producers().find(made);
    if (originals == old_.producers().end())
      return {};
    result.insert(originals->second.begin(), originals->second.end());
  }
  return result;
}

BufferFault AheadProof::faultAt(const State &state, TextSide side,
                                const std::string &message) const {
  if (side == TextSide::New)
    return {state.now.last, message};
  return {state.now.last, fmt::format("{} (the original's line {})", message,
                                      before_.instructions()[state.was.last].line)};
}

std::optional<BufferFault> AheadProof::run() {
  if (auto fault = BufferProof(before_, after_, index_, shape_, proof_).checkClaim())
    return fault;
  if (auto fault = start())
    return fault;
  while (!queue_.empty()) {
    const Point point = std::move(queue_.extract(queue_.begin()).value());
    ++proof_.blockPairs;
    if (auto fault = follow(states_.at(point)))
      return fault;
  }
  return std::nullopt;
}

/// One launch starts both.
AheadProof::Fault AheadProof::start() {
  const Function &was = old_.function(), &now = new_.function();
  State state{
      AheadSide(was, shape_, old_.cells()), AheadSide(now, shape_, new_.cells()), {}, {}, {}, {}};
  state.was.memory = state.now.memory = terms_.unknown(); // Nobody has stored there.
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    if (!(state.was.values[unit] == state.now.values[unit]))
      return BufferFault{std::nullopt, "the launch gives them other registers"};
    const KnownValue &value = state.was.values[unit];
    const TermId term = isKnown(value) ? terms_.known(value.bits) : terms_.unknown();
    AheadText::set(state.was, unit, term);
    AheadText::set(state.now, unit, term);
  }
  // What is left there from before the launch is whatever it is, and both texts find it, if they
  // arrange LDS alike.
  if (declaredLds(was) == declaredLds(now))
    for (AheadSide *side : {&state.was, &state.now})
      for (LdsCell &cell : side->lds)
        cell.holds = LdsCell::Holds::Launch;
  return follow(std::move(state));
}

/// All ways from a state to where they meet others.
AheadProof::Fault AheadProof::follow(State first) {
  open_.push_back(std::move(first));
  forks_ = 0;
  while (!open_.empty()) {
    State state = std::move(open_.back());
    open_.pop_back();
    while (true) {
      At at = At::SyncPoint;
      if (auto fault = advance(state, TextSide::Old, at))
        return fault;
      if (at == At::Fork)
        continue;
      if (at == At::Nowhere)
        break;
      const bool isOldAtJoin = at == At::Join;
      at = At::SyncPoint;
      state.now.without = state.was.without;
      if (auto fault = advance(state, TextSide::New, at))
        return fault;
      if (at == At::Fork)
        continue;
      if (isOldAtJoin && !state.newOwes.empty()) {
        state.passesJoins = true;
        continue;
      }
      if (state.hasForked) {
        if (auto fault = arrive(std::move(state)))
          return fault;
        break;
      }
      bool isEnd = false;
      if (auto fault = meet(state, isEnd))
        return fault;
      if (isEnd)
        break;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One text
//===----------------------------------------------------------------------===//

bool AheadProof::mustMeet(const AheadSide &side, const Instruction &inst) const {
  switch (inst.unit) {
  case Unit::End:
    return true;
  case Unit::Lds:
    return inst.memory == MemoryEffect::Load;
  case Unit::Smem:
    return inst.memory == MemoryEffect::Load && side.hasStored;
  case Unit::Global:
  case Unit::Buffer:
    return (inst.memory != MemoryEffect::Load && !invalidatesL0(inst)) || side.hasStored ||
           side.parting;
  default:
    return false;
  }
}

/// Where both texts wait when ways have parted since they met last: not before the rewritten one
/// has asked what the original has, because that would be forgotten. In loops they meet where both
/// load from LDS, but for ways on which nobody does, step after step: there the original has to be
/// in a loop as well and to go on in it, or it would not be seen that the new text stays in one for
/// ever.
bool AheadProof::mayMeet(const State &state, TextSide which) const {
  const bool isOld = which == TextSide::Old;
  const auto isAtJoin = [&](TextSide side) {
    const AheadNeeds &needs = side == TextSide::Old ? oldNeeds_ : newNeeds_;
    const uint32_t at = (side == TextSide::Old ? state.was : state.now).at;
    return at < textOf(side).function().last && needs.isJoin(at) &&
           (!needs.isInLoop(at) || state.forks > kMostForksInLoop);
  };
  if (!state.hasForked || state.passesJoins || !isAtJoin(which))
    return false;
  const bool isInLoop = !isOld && newNeeds_.isInLoop(state.now.at);
  return isOld ||
         (state.newOwes.empty() && (!isInLoop || (state.hasOldMoved && isAtJoin(TextSide::Old) &&
                                                  oldNeeds_.isInLoop(state.was.at))));
}

/// To the next place where the texts must meet, or to where this one may go several ways.
AheadProof::Fault AheadProof::advance(State &state, TextSide which, At &at) {
  AheadSide &side = sideOf(state, which);
  AheadText &text = textOf(which);
  for (bool hasMoved = false;; hasMoved = true) {
    if (hasMoved && mayMeet(state, which)) {
      at = At::Join;
      return std::nullopt;
    }
    text.endSkipped(side);
    if (side.at < text.function().first || side.at >= text.function().last)
      return faultAt(state, which, "it runs out of the function behind this");
    const Instruction &inst = text.instruction(side.at);
    if (mustMeet(side, inst))
      return std::nullopt;
    if (++steps_ > kMostSteps || terms_.work() > kMostWork) {
      lastRepeat_.reset(); // Nor would it end if that load were another one.
      return faultAt(state, which, "it runs for longer than it is followed");
    }
    side.last = inst.index;
    state.hasOldMoved |= which == TextSide::Old;
    if (which == TextSide::New)
      noteTouched(state, inst);
    if (isConditionalBranch(inst.op)) {
      if (auto fault = branch(state, which, inst, at); fault || at == At::Fork)
        return fault;
      continue;
    }
    if (inst.isJump()) {
      const auto target = text.module().labelTarget(text.module().branchTarget(inst));
      if (!target)
        return faultAt(state, which, "it jumps to a place that is not known");
      side.at = *target;
      continue;
    }
    if (inst.op == Op::s_cselect_b32 || inst.op == Op::s_cselect_b64) {
      if (auto fault = select(state, which, inst, at); fault || at == At::Fork)
        return fault;
      continue;
    }
    if (auto fault = step(state, which, inst))
      return fault;
    if (side.isImpossible) {
      at = At::Nowhere;
      return std::nullopt;
    }
    ++side.at;
  }
}

AheadProof::Fault AheadProof::step(State &state, TextSide which, const Instruction &inst) {
  AheadSide &side = sideOf(state, which);
  AheadText &text = textOf(which);
  const auto as = [&](const TextFault &fault) {
    return fault ? Fault(faultAt(state, which, *fault)) : Fault();
  };
  ++proof_.values;
  if (isHint(inst) || inst.op == Op::s_nop || inst.op == Op::s_sleep ||
      inst.op == Op::s_set_inst_prefetch_distance)
    return std::nullopt;
  switch (inst.unit) {
  case Unit::Valu:
  case Unit::Trans:
  case Unit::Salu:
    return as(text.compute(side, inst));
  case Unit::Wait:
    text.wait(side, inst);
    // Waves that have jumped over a wait have not waited.
    if (const auto wait = waitOf(inst); wait && (which == TextSide::Old || side.skipped.empty()))
      if (const auto atMost = wait->atMost[static_cast<size_t>(WaitCounter::Vs)])
        state.stores.wait(which, *atMost);
    return std::nullopt;
  case Unit::Barrier:
    return as(text.barrier(side, inst));
  case Unit::Message: // The last but the end.
    return std::nullopt;
  case Unit::Lds:
    if (inst.memory == MemoryEffect::Store)
      return as(text.storeLds(side, inst));
    // Lanes exchange values.
    if (opTraits(inst.op).memory.kind != MemoryKind::None &&
        !opTraits(inst.op).is(OpFlag::NoMemory))
      return as("this LDS operation is not followed");
    side.log.count(inst);
    isUncounted_ |= which == TextSide::New;
    text.load(side, inst, text.exchangeOf(side, inst));
    return std::nullopt;
  case Unit::Smem:
    if (text.loadArguments(side, inst))
      return std::nullopt;
    if (inst.memory != MemoryEffect::Load || isSynchronising(inst))
      return as("this access of the scalar unit is not followed");
    return loadAhead(state, which, inst);
  case Unit::Global:
  case Unit::Buffer:
    // No load depends on an invalidation in front of the first store, so it need not be in both.
    return invalidatesL0(inst) ? std::nullopt : loadAhead(state, which, inst);
  default:
    return as("this instruction is not followed");
  }
}

void AheadProof::noteTouched(const State &state, const Instruction &inst) {
  for (const auto &[key, entry] : state.now.log.entries()) {
    if (entry.isWrite || !entry.isOutstanding)
      continue;
    for (const RegAccess &loaded : new_.instruction(key.instruction).accesses)
      for (const RegAccess &access : inst.accesses)
        if (loaded.writes() && loaded.reg.overlaps(access.reg))
          touchedEarly_.insert(inst.index);
  }
}

/// What is decided goes one way; else both are followed.
AheadProof::Fault AheadProof::branch(State &state, TextSide which, const Instruction &inst,
                                     At &at) {
  AheadSide &side = sideOf(state, which);
  AheadText &text = textOf(which);
  const auto target = text.module().labelTarget(text.module().branchTarget(inst));
  if (!target)
    return faultAt(state, which, "it branches to a place that is not known");
  const BranchCondition condition = branchCondition(inst.op);
  const KnownValue &value = side.values[condition.unit];
  std::optional<bool> isTaken;
  bool isMixed = !value.isUniform;
  if (isKnown(value)) {
    isTaken = isTakenOn(condition, value.bits.front() != 0);
    isMixed = llvm::any_of(
        value.bits, [&](uint32_t bits) { return isTakenOn(condition, bits != 0) != *isTaken; });
    if (isMixed)
      isTaken.reset();
  }
  // In code that waves without lanes have jumped over, those that would jump now go through it,
  // too: on another way it would not be seen where the first ones come back.
  const std::optional<LaneGuard> &guard = text.guardAt(inst);
  const bool goesThrough = isTaken && *isTaken == (inst.op == Op::s_cbranch_execnz);
  const bool leaves =
      !side.skipped.empty() && !goesThrough && guard && guard->kind == LaneGuard::Kind::Once;
  if ((isMixed && guard) || leaves) {
    text.skip(side, *guard);
    return std::nullopt;
  }
  if (isMixed && !side.parting)
    side.parting = inst.index;
  const TermId term = text.conditionOf(side, condition.unit);
  if (!isTaken)
    if (const auto isNonzero = asked(state, which, term)) {
      learn(state, {baseOf(term), *isNonzero == (baseOf(term) == term)});
      isTaken = isTakenOn(condition, *isNonzero);
    }
  if (!isTaken) {
    at = At::Fork;
    return fork(state, which, term);
  }
  side.at = *isTaken ? *target : side.at + 1;
  return std::nullopt;
}

/// A selection in a loop is a branch, unless it selects one of two numbers: a text that is a step
/// ahead loads from what is selected. Elsewhere it is a term, which agrees where both texts make
/// it, or where it is known what was selected; branches would be twice as many ways for each. So it
/// is where a loop has many, as divisions of numbers that are the same in all lanes have.
AheadProof::Fault AheadProof::select(State &state, TextSide which, const Instruction &inst,
                                     At &at) {
  AheadSide &side = sideOf(state, which);
  const KnownValue &value = side.values[kScc];
  const bool isOfNumbers = llvm::all_of(inst.operands, [&](const Operand &operand) {
    for (unsigned d = 0;
         operand.cls == Operand::Class::Source && operand.isReg() && d < operand.reg.dwords; ++d)
      if (!isKnown(side.values[{static_cast<uint16_t>(operand.reg.first.index + d)}]))
        return false;
    return true;
  });
  const TermId scc = textOf(which).termOf(side, kScc);
  const auto isNonzero = asked(state, which, scc);
  const AheadNeeds &needs = which == TextSide::Old ? oldNeeds_ : newNeeds_;
  if (!isNonzero && !isOfNumbers && value.isUniform && selectionsBranch_ &&
      needs.isInLoop(inst.index)) {
    at = At::Fork;
    return fork(state, which, scc);
  }
  // Of numbers both texts make the same of it, whichever of them has come to a branch first.
  if (isNonzero && !isOfNumbers)
    side.terms[kScc.index] = terms_.constant(*isNonzero ? 1 : 0);
  auto fault = step(state, which, inst);
  side.terms[kScc.index] = scc;
  ++side.at;
  return fault;
}

/// A load from memory that this workgroup has not stored to. Whoever comes to it second finds it
/// among those that he is behind with. What the original makes earlier and the rewritten code later
/// must be none that tells what other waves have done.
AheadProof::Fault AheadProof::loadAhead(State &state, TextSide which, const Instruction &inst) {
  AheadSide &side = sideOf(state, which);
  AheadText &text = textOf(which);
  const bool isOld = which == TextSide::Old;
  std::vector<TermId> &behind = isOld ? state.newAhead : state.oldAhead;
  std::vector<TermId> &ahead = isOld ? state.oldAhead : state.newAhead;
  const TermId access = text.accessOf(side, inst);
  if (isOld)
    (mayTell(inst) ? tellingLoads_ : plainLoads_).insert(access);
  AheadSide::Issued issued{access};
  TermId value = access;
  ++proof_.loads;
  const auto same =
      llvm::find_if(behind, [&](TermId other) { return areSame(state, other, access); });
  // The original's that others pass: this one, or those that this one passes.
  const bool isFirst = same == behind.begin();
  const bool mayPass =
      isOld ? isPlain(access)
            : std::all_of(behind.begin(), same, [&](TermId passed) { return isPlain(passed); });
  if (same != behind.end() && (isFirst || mayPass)) {
    behind.erase(same);
  } else if (!isOld && state.made.contains(access) && !first_.contains(inst.index)) {
    lastRepeat_ = inst.index;
    issued.what = AheadSide::Issued::What::Again;
    value = terms_.unknown();
  } else if (!behind.empty() && !mayPass) {
    return faultAt(state, which,
                   isOld ? "the original's next load from memory is not the one that the rewritten "
                           "code has made ahead of it"
                         : "this load from memory is not the original's next one, and the original "
                           "has not made it before");
  } else {
    constexpr size_t mostAhead = 1024;
    if (ahead.size() >= mostAhead)
      return faultAt(state, which, "one text is too many loads ahead of the other");
    ahead.push_back(access);
  }
  if (isOld && !state.made.insert(access).second)
    state.hasRepeated = true;
  text.issue(side, inst, issued);
  text.load(side, inst, value);
  return std::nullopt;
}

/// May a load of the original tell what other waves have done? A scalar one finds what its cache
/// has, whatever they store.
bool AheadProof::mayTell(const Instruction &inst) const {
  return inst.unit != Unit::Smem && flags_[inst.index - old_.function().first] != 0;
}

//===----------------------------------------------------------------------===//
// Synchronisation points
//===----------------------------------------------------------------------===//

AheadProof::Fault AheadProof::meet(State &state, bool &isEnd) {
  const Instruction &was = old_.instruction(state.was.at), &now = new_.instruction(state.now.at);
  // What a wave says last has no term, but breaks a rule where the original's does.
  const uint32_t wasBefore = state.was.last, nowBefore = state.now.last;
  if (old_.instruction(wasBefore).unit == Unit::Message &&
      new_.instruction(nowBefore).unit == Unit::Message)
    matched_[nowBefore].insert(wasBefore);
  state.was.last = was.index;
  state.now.last = now.index;
  matched_[now.index].insert(was.index);
  const auto fault = [&](std::string_view message) {
    return BufferFault{now.index, fmt::format("{} (the original's line {})", message, was.line)};
  };
  noteTouched(state, now);
  if (was.unit != now.unit || was.memory != now.memory)
    return fault("the original does something else here");
  if (state.was.parting.has_value() != state.now.parting.has_value())
    return fault("only in one text waves may have gone different ways");
  if (was.unit == Unit::End) {
    isEnd = true;
    if (!state.was.skipped.empty() || !state.now.skipped.empty())
      return fault("waves that jump over code do not come back to the others");
    if (!state.newAhead.empty())
      return fault("a load from memory was made that the original does not make on this way");
    if (!state.oldAhead.empty())
      return fault("the original makes a load from memory that is missing here");
    return std::nullopt;
  }
  if (auto fault = was.unit == Unit::Lds ? meetLds(state, was, now) : meetMemory(state, was, now))
    return fault;
  isEnd = state.was.isImpossible;
  ++state.was.at;
  ++state.now.at;
  state.hasOldMoved = true;
  return std::nullopt;
}

AheadProof::Fault AheadProof::meetLds(State &state, const Instruction &was,
                                      const Instruction &now) {
  std::vector<TermId> old, loaded;
  if (const auto fault = old_.loadLds(state.was, was, old))
    return faultAt(state, TextSide::Old, fmt::format("in the original {}", *fault));
  if (state.was.isImpossible)
    return std::nullopt;
  state.now.without = state.was.without;
  if (const auto fault = new_.loadLds(state.now, now, loaded))
    return faultAt(state, TextSide::New, *fault);
  if (old.size() != loaded.size())
    return faultAt(state, TextSide::Old, "the original loads something else from LDS here");
  for (size_t d = 0; d < old.size(); ++d)
    if (!areSame(state, old[d], loaded[d]))
      return faultAt(state, TextSide::Old,
                     fmt::format("dword {} of what this loads from LDS is not what the original "
                                 "loads: something else was stored there last",
                                 d));
  ++proof_.loads;
  old_.takeLds(state.was, was, std::move(old));
  new_.takeLds(state.now, now, std::move(loaded));
  return std::nullopt;
}

/// Stores, and what stands behind them or where waves are apart: in the same order, of the same.
AheadProof::Fault AheadProof::meetMemory(State &state, const Instruction &was,
                                         const Instruction &now) {
  const bool isInvalidation = invalidatesL0(was) && invalidatesL0(now);
  if (was.memory != MemoryEffect::Load && was.memory != MemoryEffect::Store &&
      was.memory != MemoryEffect::Atomic && !isInvalidation)
    return faultAt(state, TextSide::Old, "this access to memory is not followed");
  if (!state.newAhead.empty() || !state.oldAhead.empty())
    return faultAt(state, TextSide::Old,
                   "one text is ahead of the other with loads where memory is stored to, or where "
                   "waves may have gone different ways");
  const TermId old = old_.accessOf(state.was, was), next = new_.accessOf(state.now, now);
  if (!areSame(state, old, next))
    return faultAt(state, TextSide::Old, "this access to memory is not the original's");
  if (auto fault = checkOrder(state, now))
    return fault;
  if (auto fault = checkBarriers(state); fault || isInvalidation)
    return fault;
  old_.issue(state.was, was, {old});
  new_.issue(state.now, now, {next});
  ++proof_.loads;
  if (was.memory == MemoryEffect::Load) {
    old_.load(state.was, was, old);
    new_.load(state.now, now, next);
    return std::nullopt;
  }
  state.stores.issue();
  state.was.memory = state.now.memory = old;
  state.was.hasStored = state.now.hasStored = true;
  return std::nullopt;
}

/// Others may conclude from an access that those in front of it are done which were waited for:
/// from an atomic, that loads have what they load, too.
AheadProof::Fault AheadProof::checkOrder(const State &state, const Instruction &now) const {
  if (!state.stores.areOrdered())
    return faultAt(state, TextSide::Old,
                   "the original may have waited for stores in front of this access to memory that "
                   "are in flight here");
  if (now.memory != MemoryEffect::Atomic)
    return std::nullopt;
  for (const auto &[key, entry] : state.now.log.entries())
    if (!entry.isLds && !entry.isWrite && entry.isOutstanding)
      return faultAt(state, TextSide::Old,
                     fmt::format("the load of line {} may not have arrived in front of this atomic",
                                 after_.instructions()[key.instruction].line));
  return std::nullopt;
}

/// Has each access in front of this one a barrier behind it, if the original's has?
AheadProof::Fault AheadProof::checkBarriers(const State &state) {
  using What = AheadSide::Issued::What;
  for (const auto &[key, entry] : state.now.log.entries()) {
    if (entry.isLds)
      continue;
    const auto issued = state.now.issued.find(key.instruction);
    const bool isKnown = issued != state.now.issued.end();
    // A store's term has what memory held in front of it, so it is made once; a load may have been
    // made on both sides of a barrier.
    const bool isOneOfSeveral =
        state.hasRepeated && after_.instructions()[key.instruction].memory == MemoryEffect::Load;
    if (isKnown && issued->second.what == What::Again)
      continue;
    if (!isKnown || issued->second.what == What::Several || isOneOfSeveral ||
        !llvm::is_contained(state.was.sinceBarrier, issued->second.term))
      return faultAt(
          state, TextSide::Old,
          fmt::format("the original may have a barrier between this access to memory and "
                      "that of line {}, which has none behind it here",
                      after_.instructions()[key.instruction].line));
  }
  return std::nullopt;
}

} // namespace rdna::verify
