// What must be the same where the two texts meet, and what is known of it behind calls and choices.

#include "Verify/FunctionProof.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rdna::verify {

std::optional<Fault> FunctionProof::differs(const Path &path, RegUnit oldUnit, RegUnit newUnit,
                                            Value was, Value now, std::string_view where) const {
  uint32_t place = path.after.last;
  if (newUnit.isVgpr() && path.after.state.writer[newUnit.index])
    place = path.after.state.writer[newUnit.index] - 1;
  const std::string home =
      newUnit == oldUnit ? std::string() : fmt::format(" (claimed to be in {})", toString(newUnit));
  return Fault{place,
               fmt::format("{}{} differs {}: the original has {}; the rewritten code has {}",
                           toString(oldUnit), home, where, pool_.render(was), pool_.render(now))};
}

std::optional<Fault> FunctionProof::compareMemory(const Path &path) const {
  static constexpr const char *kNames[] = {"LDS", "global memory", "scratch memory",
                                           "the machine's state"};
  for (unsigned s = 0; s < kSpaces; ++s) {
    const Value was = path.before.state.memory[s], now = path.after.state.memory[s];
    if (was == now)
      continue;
    // The first operation that the original does not have here, if there is one.
    uint32_t place = path.after.last;
    const auto &known = path.before.trace.sequence;
    for (const auto &[value, instruction] : path.after.trace.sequence)
      if (std::none_of(known.begin(), known.end(),
                       [v = value](const auto &entry) { return entry.first == v; })) {
        place = instruction;
        break;
      }
    const auto [left, right] = pool_.narrowed(was, now);
    return Fault{place, fmt::format("the writes to {} before this point differ: the original has "
                                    "{}; the rewritten code has {}",
                                    kNames[s], pool_.render(left), pool_.render(right))};
  }
  return std::nullopt;
}

std::optional<Fault> FunctionProof::compareScalars(const Path &path,
                                                   const std::bitset<kRegUnits> &which) const {
  for (unsigned i = 256; i < kRegUnits; ++i) {
    if (!which.test(i))
      continue;
    ++proof_.values;
    const RegUnit unit{static_cast<uint16_t>(i)};
    if (path.before.state[unit] != path.after.state[unit])
      return differs(path, unit, unit, path.before.state[unit], path.after.state[unit], "here");
  }
  return std::nullopt;
}

std::optional<Fault> FunctionProof::compareAtCutpoint(const Path &path, uint32_t block) {
  checkKept(path, block);
  if (auto fault = checkHints(path, block))
    return fault;
  const Needs &needs = needs_[block];
  const Invariant &invariant = invariantAt(block);
  const State &was = path.before.state, &now = path.after.state;
  std::array<int, 256> owner, ownerOfRest;
  owner.fill(-1);
  ownerOfRest.fill(-1);
  const Needs::Vgprs switchedOff = needs.switchedOff();
  for (unsigned i = 0; i < 256; ++i)
    for (const auto &[isNeeded, home, owners] :
         {std::tuple(needs.active.test(i), invariant.active[i], &owner),
          std::tuple(switchedOff.test(i), invariant.inactive[i], &ownerOfRest)}) {
      if (!isNeeded)
        continue;
      int &other = (*owners)[home];
      if (other >= 0)
        return Fault{path.after.last,
                     fmt::format("v{} and v{} are both claimed to be in v{}", other, i, home)};
      other = static_cast<int>(i);
    }
  if (auto fault = compareScalars(path, needs.scalar)) // EXEC is among them
    return fault;
  if (auto fault = compareMemory(path))
    return fault;
  if (auto fault = compareComputed(path, block))
    return fault;
  const std::string where = fmt::format("on entry to the code at the original's line {}",
                                        before_.instructions()[cfg_.blocks[block].first].line);
  const Value exec = was[kExecLo];
  LaneFacts empty; // Masks that have no lane on this path.
  for (const PathConditions::Fact &fact : path.facts.all())
    if (!fact.isNonzero)
      empty.push_back({fact.value, Bit::Clear});
  const auto lanesWith = [&](std::initializer_list<LaneFact> facts) {
    LaneFacts lanes(facts);
    lanes.append(empty);
    return lanes;
  };
  for (unsigned i = 0; i < 256; ++i) {
    const RegUnit unit = RegUnit::vgpr(i);
    const auto some =
        needs.active.test(i) ? std::nullopt : lanesNeeded(needs, i, was, Lanes::Active);
    if (needs.active.test(i) || some) {
      ++proof_.values;
      const RegUnit home = RegUnit::vgpr(invariant.active[i]);
      LaneFacts on = lanesWith({{exec, Bit::Set}});
      if (some)
        on.push_back({*some, Bit::Set});
      const Value old = pool_.within(was[unit], exec), own = pool_.within(now[home], exec);
      if (!pool_.areEqual(old, own, on))
        return differs(path, unit, home, old, own, where);
    }
    LaneFacts off = lanesWith({{exec, Bit::Clear}});
    if (!needs.inactive.test(i)) {
      const auto lanes = lanesNeeded(needs, i, was, Lanes::SwitchedOff);
      if (!lanes)
        continue;
      off.push_back({*lanes, Bit::Set});
    }
    const RegUnit rest = RegUnit::vgpr(invariant.inactive[i]);
    const Value old = pool_.outside(was[unit], exec), own = pool_.outside(now[rest], exec);
    if (!pool_.areEqual(old, own, off))
      return differs(path, unit, rest, pool_.in(old, off), pool_.in(own, off),
                     where + ", in lanes that are switched off");
  }
  return std::nullopt;
}

/// At a call, a return or a choice nothing is known about the reader, so everything must be the
/// same. Only what a kernel never wrote may differ: its first value is undefined.
std::optional<Fault> FunctionProof::compareAll(const Path &path, const char *where) {
  std::bitset<kRegUnits> all;
  all.set();
  if (auto fault = compareScalars(path, all))
    return fault;
  if (auto fault = compareMemory(path))
    return fault;
  std::bitset<256> written;
  written.set(0);
  const bool isLaunched = oldFunction_.entry == Function::Entry::Launch && !hasChoices_;
  for (uint32_t i = oldFunction_.first; isLaunched && i < oldFunction_.last; ++i)
    for (const RegAccess &access : before_.instructions()[i].accesses)
      for (unsigned d = 0; d < access.reg.dwords; ++d)
        if (access.writes() && access.reg.first.isVgpr())
          written.set(access.reg.first.index + d);
  for (unsigned i = 0; i < 256; ++i) {
    const RegUnit unit = RegUnit::vgpr(i);
    if (isLaunched && !written.test(i))
      continue;
    ++proof_.values;
    if (path.before.state[unit] != path.after.state[unit])
      return differs(path, unit, unit, path.before.state[unit], path.after.state[unit], where);
  }
  return std::nullopt;
}

/// The callee did the same to both: unknowns that both sides share. What differed before was
/// undefined and may have survived.
void FunctionProof::afterCall(Path &path) {
  ++scope_;
  State &was = path.before.state, &now = path.after.state;
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const bool same = was.reg[i] == now.reg[i];
    was.reg[i] = pool_.unknown(Unknown::Register, i, scope_);
    now.reg[i] = same ? was.reg[i] : pool_.unknown(Unknown::Undef, i, scope_);
  }
  for (unsigned s = 0; s < kSpaces; ++s)
    was.memory[s] = now.memory[s] = pool_.unknown(Unknown::Memory, s, scope_);
}

/// M0 is the same on both sides, so they choose the same registers: what those hold must be the
/// same, be in flight in neither or in both (compareEvents), and be no later result of a
/// transcendental.
std::optional<Fault> FunctionProof::compareAtChoice(const Path &path) {
  const uint32_t was = path.before.last, now = path.after.last;
  if (before_.instructionText(before_.instructions()[was]) !=
      after_.instructionText(after_.instructions()[now]))
    return Fault{now, "the choice of registers differs"};
  if (const auto early = newEarly_->at(now) & ~oldEarly_->at(was); early.any())
    return Fault{now,
                 fmt::format("may read v{} too soon after a transcendental wrote it, which the "
                             "original does not",
                             early._Find_first())};
  return compareAll(path, "where M0 chooses registers");
}

/// Both wrote the same to the same registers, whichever those are.
void FunctionProof::afterChoice(Path &path) {
  ++scope_;
  const bool isVector = before_.instructions()[path.before.last].isValu();
  for (unsigned i = 0; i < kRegUnits; ++i)
    if (RegUnit{static_cast<uint16_t>(i)}.isVgpr() == isVector)
      path.before.state.reg[i] = path.after.state.reg[i] =
          pool_.unknown(Unknown::Register, i, scope_);
}

} // namespace rdna::verify
