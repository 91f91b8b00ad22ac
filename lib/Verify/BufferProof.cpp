#include "Verify/BufferProof.h"

#include "Asm/Effects.h"
#include "Isa/Branch.h"
#include "Verify/Inert.h"
#include "Verify/Opaque.h"
#include "Verify/SymbolAddress.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

static constexpr uint64_t kMostBufferSteps = 1u << 22;
static constexpr size_t kMostBufferPoints = 512;

BufferProof::BufferProof(const Module &before, const Module &after, uint32_t function,
                         const WorkgroupShape &shape, Proof &proof)
    : before_(before), after_(after), oldFunction_(before.functions()[function]),
      newFunction_(after.functions()[function]), shape_(shape), oldLds_(declaredLds(oldFunction_)),
      newLds_(declaredLds(newFunction_)), proof_(proof), oldCfg_(buildCfg(before, function)),
      oldJoins_(immediatePostDominators(oldCfg_)) {}

const std::set<uint32_t> &BufferProof::originalsOf(uint32_t instruction) const {
  static const std::set<uint32_t> none;
  const auto it = originals_.find(instruction);
  return it == originals_.end() ? none : it->second;
}

BufferFault BufferProof::faultAt(const Instruction &now, const Instruction &was,
                                 std::string message) const {
  return {now.index, fmt::format("{} (the original's line {})", message, was.line)};
}

std::optional<BufferFault> BufferProof::checkClaim() const {
  if (auto fault = checkShape())
    return fault;
  return checkTexts();
}

std::optional<BufferFault> BufferProof::run() {
  if (auto fault = checkClaim())
    return fault;
  State start{KnownValues(oldFunction_, shape_),
              KnownValues(newFunction_, shape_),
              {},
              {},
              LdsContents(oldLds_, newLds_),
              oldFunction_.first,
              newFunction_.first,
              newFunction_.first};
  start.same.set(); // One launch starts both.
  for (unsigned unit = 0; unit < kRegUnits; ++unit)
    if (!(start.was[RegUnit{static_cast<uint16_t>(unit)}] ==
          start.now[RegUnit{static_cast<uint16_t>(unit)}]))
      return BufferFault{std::nullopt, "the launch gives them other registers"};
  if (auto fault = arrive(std::move(start)))
    return fault;
  while (!queue_.empty()) {
    const Point point = std::move(queue_.back());
    queue_.pop_back();
    ++proof_.blockPairs;
    if (auto fault = follow(states_.at(point)))
      return fault;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

std::vector<uint32_t> BufferProof::difference(const State &state) const {
  std::vector<uint32_t> result;
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    if (state.same.test(i) || !isKnown(state.was[unit]) || !isKnown(state.now[unit]))
      continue;
    result.push_back(i);
    for (const KnownValue *value : {&state.was[unit], &state.now[unit]})
      result.insert(result.end(), value->bits.begin(), value->bits.end());
  }
  return result;
}

/// At a point where ways begin. What was found there before holds no longer than it does now.
BufferProof::Fault BufferProof::arrive(State state) {
  Point point{state.oldAt, state.newAt, state.parting.has_value(), difference(state)};
  const auto it = states_.find(point);
  if (it == states_.end()) {
    if (states_.size() >= kMostBufferPoints)
      return BufferFault{state.newLast, "there are too many ways to follow them all"};
    states_.emplace(point, std::move(state));
    queue_.push_back(std::move(point));
    return std::nullopt;
  }
  State &known = it->second;
  const State old = known;
  const auto written = known.writtenApart | state.writtenApart;
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    const Waves waves = written.test(i) ? Waves::Apart : Waves::Together;
    known.was.set(unit, joined(known.was.ref(unit), state.was.ref(unit), waves));
    known.now.set(unit, known.same.test(i) && state.same.test(i)
                            ? known.was.ref(unit)
                            : joined(known.now.ref(unit), state.now.ref(unit), waves));
  }
  known.writtenApart = written;
  known.same &= state.same;
  known.log.join(state.log);
  known.lds.join(state.lds);
  known.hasStored |= state.hasStored;
  if (known.parting != state.parting)
    known.parting->join.reset(); // Either, so nowhere.
  bool isChanged = !(known.same == old.same && known.log == old.log && known.lds == old.lds &&
                     known.hasStored == old.hasStored && known.parting == old.parting &&
                     known.writtenApart == old.writtenApart);
  for (unsigned i = 0; i < kRegUnits && !isChanged; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    isChanged = !(known.was[unit] == old.was[unit] && known.now[unit] == old.now[unit]);
  }
  if (isChanged && !llvm::is_contained(queue_, point))
    queue_.push_back(std::move(point));
  return std::nullopt;
}

std::optional<uint32_t> BufferProof::joinBehind(uint32_t oldBranch) const {
  const auto block = oldJoins_[oldCfg_.blockOf(oldBranch)];
  return block && oldCfg_.isComplete() ? std::optional(oldCfg_.blocks[*block].first) : std::nullopt;
}

/// At the place where waves go on that have jumped over it.
BufferProof::Fault BufferProof::endSkipped(State &state) {
  State jumped = state;
  jumped.newAt = state.skipped->newTarget;
  if (auto fault = skip(jumped, TextSide::New))
    return fault;
  if (jumped.newAt != state.newAt)
    return BufferFault{state.newLast, "waves do not come together here as they do in the original"};
  state.log.join(state.skipped->log);
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    if (!state.writtenApart.test(i) || unit.isVgpr())
      continue;
    state.was.forget(unit);
    state.now.forget(unit);
    state.same[i] = state.same[i] && state.skipped->same[i];
  }
  state.skipped.reset();
  state.parting.reset();
  state.writtenApart.reset();
  return std::nullopt;
}

/// Where the original's waves come together, the rewritten text's must, too. What was written since
/// they parted may be what either way has left there, wave by wave.
BufferProof::Fault BufferProof::comeTogether(State state) {
  const auto [it, isNew] =
      newJoins_.try_emplace({state.parting->oldBranch, state.parting->newBranch}, state.newAt);
  if (it->second != state.newAt)
    return BufferFault{state.newLast, "waves do not come together here as they do in the original"};
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    if (!state.writtenApart.test(i))
      continue;
    for (KnownValues *values : {&state.was, &state.now}) {
      if (!state.same.test(i))
        values->forget(unit);
      else if (KnownValue value = (*values)[unit]; value.isUniform && !asNumber(value)) {
        value.isUniform = false;
        values->set(unit, settled(std::move(value)));
      }
    }
  }
  state.parting.reset();
  return arrive(std::move(state));
}

BufferProof::Fault BufferProof::follow(State state) {
  if (!state.parting)
    state.writtenApart.reset();
  while (true) {
    Step next = Step::Done;
    if (auto fault = step(state, next))
      return fault;
    if (next == Step::End)
      return std::nullopt;
    if (next == Step::Join && !state.skipped)
      return comeTogether(std::move(state));
    if (next == Step::Join)
      if (auto fault = endSkipped(state))
        return fault;
    if (next == Step::Branch) {
      Ways ways = Ways::One;
      if (auto fault = branch(state, ways); fault || ways == Ways::Several)
        return fault;
    }
  }
}

/// To the next instruction that the texts must have in common.
BufferProof::Fault BufferProof::skip(State &state, TextSide side) {
  const bool isOld = side == TextSide::Old;
  const Module &module = isOld ? before_ : after_;
  const Function &function = isOld ? oldFunction_ : newFunction_;
  uint32_t &at = isOld ? state.oldAt : state.newAt;
  while (true) {
    const auto fault = [&](std::string_view message) {
      return BufferFault{state.newLast, fmt::format("{}{}", isOld ? "the original " : "", message)};
    };
    if (at < function.first || at >= function.last)
      return fault("runs out of the function behind this");
    if (++steps_ > kMostBufferSteps)
      return fault("runs for longer than it is followed");
    const Instruction &inst = module.instructions()[at];
    if (isOld && state.isAtJoin())
      return std::nullopt;
    if (inst.unit == Unit::Barrier) {
      if (!isOld && state.isAtJoin())
        return std::nullopt; // Behind the join.
      if (inst.op != Op::s_barrier || state.parting)
        return fault("has a barrier behind this that waves may reach on different ways");
      state.log.barrier(side);
      ++at;
    } else if (inst.isJump()) {
      const auto target = module.labelTarget(module.branchTarget(inst));
      if (!target)
        return fault("jumps to a place that is not known");
      at = *target;
    } else if (isHint(inst) || inst.op == Op::s_nop || inst.op == Op::s_sleep ||
               inst.op == Op::s_set_inst_prefetch_distance ||
               (invalidatesL0(inst) && !state.hasStored && !state.parting)) {
      ++at;
    } else {
      return std::nullopt;
    }
  }
}

namespace {
bool isSameOperand(const Operand &a, const Operand &b) {
  return a.kind == b.kind && a.cls == b.cls && a.name == b.name && a.special == b.special &&
         a.tiedTo == b.tiedTo &&
         (a.isReg() ? a.reg == b.reg : a.kind == Operand::Kind::Expression || a.imm == b.imm);
}

/// The same but for the place that an LDS access is at, and where and when a branch goes.
bool isSameOperation(const Instruction &was, const Instruction &now) {
  if (isConditionalBranch(was.op))
    return now.op == was.op || now.op == inverseBranch(was.op);
  if (was.op != now.op || was.opY != now.opY || was.memory != now.memory ||
      was.bufferAddress != now.bufferAddress || was.operands.size() != now.operands.size())
    return false;
  const bool isRelocatable = was.unit == Unit::Lds && was.memory != MemoryEffect::None;
  bool isAddress = isRelocatable; // The first source.
  for (size_t i = 0; i < was.operands.size(); ++i) {
    const Operand &a = was.operands[i], &b = now.operands[i];
    if (isAddress && a.cls == Operand::Class::Source) {
      isAddress = false;
      if (a.cls != b.cls || !a.isReg() || !b.isReg() || a.reg.dwords != b.reg.dwords)
        return false;
      continue;
    }
    const bool isOffset = isRelocatable && a.name == b.name &&
                          (a.name == OperandName::Offset || a.name == OperandName::Offset0 ||
                           a.name == OperandName::Offset1);
    if (!isOffset && !isSameOperand(a, b))
      return false;
  }
  return true;
}

/// Integer arithmetic that nothing but registers notices.
bool isOwnArithmetic(const Instruction &inst) {
  return (inst.isValu() || inst.unit == Unit::Salu) && inst.memory == MemoryEffect::None &&
         !inst.isTerminator();
}
} // namespace

BufferProof::Fault BufferProof::step(State &state, Step &result) {
  if (auto fault = skip(state, TextSide::Old))
    return fault;
  if (auto fault = skip(state, TextSide::New))
    return fault;
  if (state.isAtJoin()) {
    result = Step::Join;
    return std::nullopt;
  }
  const Instruction &was = before_.instructions()[state.oldAt];
  const Instruction &now = after_.instructions()[state.newAt];
  state.newLast = now.index;
  if (state.parting)
    for (const RegAccess &access : now.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d)
        state.writtenApart.set(access.reg.first.index + d);
  if (!isSameOperation(was, now)) {
    KnownValues values = state.now;
    if (state.skipped && now.writesUnit(kExecLo))
      return faultAt(now, was, "lanes are switched where some waves jump over it");
    if (!isOwnArithmetic(now) || isInLongBranch(after_, now) || symbolAddressAt(after_, now) ||
        !values.execute(now))
      return faultAt(now, was, "the original does something else here");
    state.now = std::move(values);
    for (const RegAccess &access : now.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
        const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
        state.same.reset(unit.index);
        state.same[unit.index] = isSame(state, unit);
      }
    ++state.newAt;
    return std::nullopt;
  }
  originals_[now.index].insert(was.index);
  if (was.unit == Unit::End) {
    result = Step::End;
    return std::nullopt;
  }
  if (isConditionalBranch(was.op)) {
    result = Step::Branch;
    return std::nullopt;
  }
  if (auto fault = executeBoth(state, was, now))
    return fault;
  ++state.oldAt;
  ++state.newAt;
  return std::nullopt;
}

/// Both at a conditional branch. Where it is known where it goes, the state goes there.
BufferProof::Fault BufferProof::branch(State &state, Ways &ways) {
  const Instruction &was = before_.instructions()[state.oldAt];
  const Instruction &now = after_.instructions()[state.newAt];
  const auto oldTarget = before_.labelTarget(before_.branchTarget(was));
  const auto newTarget = after_.labelTarget(after_.branchTarget(now));
  if (!oldTarget || !newTarget)
    return faultAt(now, was, "branches to a place that is not known");
  const BranchCondition condition = branchCondition(was.op);
  if (!isSame(state, condition.unit))
    return faultAt(now, was, "branches on another value than the original");
  const KnownValue &value = state.was[condition.unit];
  std::optional<bool> isTaken;
  bool isMixed = !value.isUniform;
  if (isKnown(value)) {
    isTaken = isTakenOn(condition, value.bits.front() != 0);
    isMixed = llvm::any_of(
        value.bits, [&](uint32_t bits) { return isTakenOn(condition, bits != 0) != *isTaken; });
    if (isMixed)
      isTaken.reset();
  }
  const auto go = [&](State &way, bool taken) {
    way.oldAt = taken ? *oldTarget : way.oldAt + 1;
    way.newAt = taken == (was.op == now.op) ? *newTarget : way.newAt + 1;
  };
  if (const auto guard =
          isMixed && isKnown(value) && was.op == Op::s_cbranch_execz && !state.parting
              ? laneGuardAt(before_, oldFunction_, was, InnerGuards::Refused)
              : std::nullopt;
      guard && guard->join == *oldTarget) {
    state.parting = Parting{was.index, now.index, *oldTarget};
    state.skipped = Skipped{was.op == now.op ? *newTarget : now.index + 1, state.log, state.same};
    isTaken = false;
  }
  ways = isTaken ? Ways::One : Ways::Several;
  if (isTaken) {
    go(state, *isTaken);
    return std::nullopt;
  }
  if (isMixed && !state.parting)
    state.parting = Parting{was.index, now.index, joinBehind(was.index)};
  State other = state;
  // Of a value that is the same in all waves: on one of the ways it is zero, and SCC is one on the
  // other.
  for (const bool isNonzero : {false, true}) {
    State &way = isTakenOn(condition, isNonzero) ? other : state;
    if (isMixed || !state.same.test(condition.unit.index) || (isNonzero && condition.unit != kScc))
      continue;
    const KnownRef number = settled({std::vector<uint32_t>(way.was.waves(), isNonzero ? 1 : 0),
                                     std::vector<uint8_t>(way.was.waves(), 1)});
    way.was.set(condition.unit, number);
    way.now.set(condition.unit, number);
  }
  go(other, true);
  go(state, false);
  if (auto fault = arrive(std::move(other)))
    return fault;
  return arrive(std::move(state));
}

} // namespace rdna::verify
