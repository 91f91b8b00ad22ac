// Cuts and the claims at them: where they lie, what is assumed when a path starts at one, what must
// hold when a path arrives.

#include "Verify/FunctionProof.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rdna::verify {

const VgprMap &FunctionProof::claimAt(uint32_t block) const {
  static const VgprMap identity;
  if (!claim_)
    return identity;
  const auto it = claim_->atBlock.find(cfg_.blocks[block].first);
  return it == claim_->atBlock.end() ? identity : it->second;
}

/// A cut has a label, because at most one of several paths falls through. If it has several and the
/// rewritten text has code between them, the cut lies at the last one.
std::optional<Fault> FunctionProof::findCuts() {
  newStart_.assign(cfg_.blocks.size(), ~0u);
  for (const Label &label : before_.labels()) {
    if (label.instruction < oldFunction_.first || label.instruction >= oldFunction_.last)
      continue;
    const uint32_t block = cfg_.blockOf(label.instruction);
    if (cfg_.blocks[block].first != label.instruction || !isCut(block))
      continue;
    const auto target = after_.labelTarget(label.name);
    if (!target || *target < newFunction_.first || *target >= newFunction_.last)
      return Fault{newFunction_.first,
                   fmt::format("label '{}' is missing in '{}'", label.name, newFunction_.name)};
    newStart_[block] = newStart_[block] == ~0u ? *target : std::max(newStart_[block], *target);
  }
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    if (isCut(b) && newStart_[b] == ~0u)
      return Fault{newFunction_.first,
                   fmt::format("paths meet at the original's line {}, which has no label",
                               before_.instructions()[cfg_.blocks[b].first].line)};
  return std::nullopt;
}

/// What only the original needs went into something that the rewritten code does without, or makes
/// of other registers. It is unknown in the rewritten code then, so nothing is taken on trust.
void FunctionProof::findNeeds() {
  needs_ = oldNeeds_;
  const std::vector<Needs> newNeeds = computeNeeds(after_, newCfg_);
  for (uint32_t b = 0; b < needs_.size(); ++b) {
    if (newStart_[b] == ~0u)
      continue;
    const uint32_t start = newStart_[b], home = newCfg_.blockOf(start);
    const Needs now = newCfg_.blocks[home].first == start
                          ? newNeeds[home]
                          : needsAfter(after_, newCfg_, newNeeds, start - 1);
    const VgprMap &claim = claimAt(b);
    Needs::Vgprs on, off;
    for (unsigned i = 0; i < 256; ++i) {
      on.set(i, now.maybeActive().test(claim.newOf[i]));
      off.set(i, now.switchedOff().test(claim.inactiveOf(i)));
    }
    for (const SplitPointer &pointer : pointersAt(b))
      on.reset(pointer.vgprs).reset(pointer.vgprs + 1u);
    needs_[b].active &= on;
    needs_[b].inactive &= off;
    // Paths meet on the same lanes, whether or not anything is done with them.
    std::bitset<kRegUnits> lanes;
    lanes.set(kExecLo.index);
    needs_[b].scalar &= now.scalar | lanes;
    // Where a mask is not compared, the two need not have the same.
    const auto isCompared = [&](uint16_t mask) { return needs_[b].scalar.test(mask); };
    for (const auto &[all, some] : std::exchange(needs_[b].others, {})) {
      LanesOf lanes = all;
      const bool isOff = llvm::is_contained(lanes.outside, kExecLo.index);
      const Needs::Vgprs vgprs = some & (isOff ? off : on | off);
      llvm::erase_if(lanes.outside, [&](uint16_t mask) { return !isCompared(mask); });
      if (lanes.in != LanesOf::kAny && !isCompared(lanes.in))
        lanes.in = LanesOf::kAny;
      if (lanes.in == LanesOf::kAny && lanes.outside.empty())
        needs_[b].inactive |= vgprs & off;
      else
        needs_[b].add(std::move(lanes), vgprs);
    }
  }
}

llvm::ArrayRef<SplitPointer> FunctionProof::pointersAt(uint32_t block) const {
  if (!claim_)
    return {};
  const auto it = claim_->pointers.find(cfg_.blocks[block].first);
  return it == claim_->pointers.end() ? llvm::ArrayRef<SplitPointer>()
                                      : llvm::ArrayRef<SplitPointer>(it->second);
}

/// What the rewritten code has of a pointer, as one value.
Value FunctionProof::joined(const State &now, const SplitPointer &pointer, Value exec) {
  const RegUnit low = RegUnit::scalar(pointer.sgprs), high = RegUnit::scalar(pointer.sgprs + 1u);
  const Value offset = pool_.within(now[RegUnit::vgpr(pointer.offset)], exec);
  return pool_.wideSum(pool_.wideOf(now[low], now[high]), pool_.zeroExtended(offset));
}

/// May the proof take it for one? What is assumed is noted, so that bounds can be asked later.
bool FunctionProof::isIndexFact(const ExprPool::IndexFact &fact) {
  if (!claim_->assumptions.contains(Assumption::NoIndexWrap))
    return indexBounds_->holds(pool_, fact, *pathFacts_, claim_->given.ranges);
  indexBounds_->note(fact, *pathFacts_);
  return true;
}

std::optional<Fault> FunctionProof::comparePointers(const Path &path, uint32_t block) {
  pathFacts_ = &path.facts;
  const Value exec = path.before.state[kExecLo];
  for (const SplitPointer &pointer : pointersAt(block)) {
    ++proof_.values;
    const auto half = [&](unsigned vgpr) {
      return pool_.within(path.before.state[RegUnit::vgpr(vgpr)], exec);
    };
    const Value was = pool_.wideOf(half(pointer.vgprs), half(pointer.vgprs + 1u));
    const Value now = joined(path.after.state, pointer, exec);
    // Such a pointer counts as an access where the loop is entered.
    ExprPool::IndexFacts facts = path.indexFacts;
    const Value old = pool_.unwrapped(was, oldIndices(), exec, facts);
    if (old != pool_.unwrapped(now, newIndices(), exec, facts))
      return Fault{path.after.last,
                   fmt::format("the pointer in v[{}:{}] is not s[{}:{}] + v{} on entry to the code "
                               "at the original's line {}: the original has {}; the rewritten code "
                               "has {}",
                               pointer.vgprs, pointer.vgprs + 1, pointer.sgprs, pointer.sgprs + 1,
                               pointer.offset,
                               before_.instructions()[cfg_.blocks[block].first].line,
                               pool_.render(was), pool_.render(now))};
  }
  return std::nullopt;
}

Path FunctionProof::startAtEntry() {
  Path path;
  for (Side *side : {&path.before, &path.after}) {
    for (unsigned i = 0; i < kRegUnits; ++i)
      side->state.reg[i] = pool_.unknown(Unknown::Register, i, scope_);
    for (unsigned s = 0; s < kSpaces; ++s)
      side->state.memory[s] = pool_.unknown(Unknown::Memory, s, scope_);
  }
  path.before.at = path.before.last = oldFunction_.first;
  path.after.at = path.after.last = newFunction_.first;
  return path;
}

Path FunctionProof::startAtCut(uint32_t block) {
  ++scope_;
  if (indexBounds_)
    indexBounds_->startAtBlock(scope_, block);
  Path path = startAtEntry();
  const Needs &needs = needs_[block];
  State &was = path.before.state, &now = path.after.state;
  const Kept &kept = keptAt(block);
  for (unsigned i = 0; i < kRegUnits; ++i) {
    if (kept.old.test(i))
      was.reg[i] = kept.ends->before.reg[i];
    if (i >= 256 && needs.scalar.test(i))
      now.reg[i] = was.reg[i];
    else
      now.reg[i] =
          kept.now.test(i) ? kept.ends->after.reg[i] : pool_.unknown(Unknown::Junk, i, scope_);
  }
  const VgprMap &claim = claimAt(block);
  const Value exec = was[kExecLo];
  const std::array<Value, kRegUnits> first = was.reg;
  std::array<Value, 256> active;
  std::copy_n(now.reg.begin(), 256, active.begin());
  for (const auto &[reg, bits] : hints_[block].old)
    was.reg[reg] = pool_.select(exec, pool_.constant(bits), first[reg]);
  for (const auto &[reg, bits] : hints_[block].now)
    active[claim.newOf[reg]] = pool_.constant(bits);
  for (unsigned i = 0; i < 256; ++i) {
    Value &own = active[claim.newOf[i]];
    if (needs.active.test(i))
      own = was.reg[i];
    else if (const auto lanes = lanesNeeded(needs, i, was, Lanes::Active))
      own = pool_.select(*lanes, was.reg[i], own);
  }
  // What stays in lanes that are switched off, by register of the rewritten code.
  std::array<Value, 256> rest;
  std::copy_n(now.reg.begin(), 256, rest.begin());
  std::bitset<256> isWhole;
  const Needs::Vgprs switchedOff = needs.switchedOff();
  for (unsigned i = 0; i < 256; ++i) {
    if (!switchedOff.test(i))
      continue;
    const uint8_t home = claim.inactiveOf(i);
    const auto off =
        needs.inactive.test(i) ? std::nullopt : lanesNeeded(needs, i, was, Lanes::SwitchedOff);
    // Masks that between them have all lanes: where nothing else is known of them, as at a return,
    // values are compared as they are.
    const bool isAll = off && pool_.areNone({{exec, Bit::Clear}, {*off, Bit::Clear}});
    if (needs.inactive.test(i) || isAll) {
      rest[home] = first[i];
    } else if (off && needs.active.test(i) && claim.newOf[i] == home) {
      isWhole.set(home); // One value in all lanes that matter: it is read as one.
      rest[home] = pool_.select(pool_.maskOr(exec, *off), was.reg[i], now.reg[home]);
    } else if (off) {
      rest[home] = pool_.select(*off, first[i], now.reg[home]);
    }
  }
  for (unsigned n = 0; n < 256; ++n)
    now.reg[n] = isWhole.test(n) ? rest[n] : pool_.select(exec, active[n], rest[n]);
  for (const SplitPointer &pointer : pointersAt(block)) {
    const Value whole = joined(now, pointer, exec);
    was.reg[pointer.vgprs] = pool_.select(exec, pool_.lowOf(whole), first[pointer.vgprs]);
    was.reg[pointer.vgprs + 1u] =
        pool_.select(exec, pool_.highOf(whole), first[pointer.vgprs + 1u]);
  }
  path.before.at = path.before.last = cfg_.blocks[block].first;
  path.after.at = path.after.last = newStart_[block];
  path.from = block;
  if (isGuarded(block)) {
    path.guard = Path::Guard::Ahead;
    path.tripsLeft = claim_->guarded.at(cfg_.blocks[block].first);
  }
  return path;
}

/// Those of the active lanes, or of the others, in which masks that `state` holds say that a VGPR
/// is needed, if they do. Lanes of the other kind may be among them.
std::optional<Value> FunctionProof::lanesNeeded(const Needs &needs, unsigned vgpr,
                                                const State &state, Lanes kind) {
  std::optional<Value> result;
  const auto add = [&](Value lanes) {
    if (pool_.asConstant(lanes) != 0u)
      result = result ? pool_.maskOr(*result, lanes) : lanes;
  };
  for (const auto &[lanes, vgprs] : needs.others) {
    const bool isOff = llvm::is_contained(lanes.outside, kExecLo.index);
    if (!vgprs.test(vgpr) || (isOff && kind == Lanes::Active))
      continue;
    const auto mask = [&](uint16_t unit) { return state[RegUnit{unit}]; };
    Value held = lanes.in == LanesOf::kAny ? pool_.constant(~0u) : mask(lanes.in);
    for (const uint16_t other : lanes.outside) // That it is outside of EXEC is said already.
      if (other != kExecLo.index && pool_.asConstant(mask(other)) != 0u)
        held = pool_.maskAndNot(held, mask(other));
    add(held);
  }
  return result;
}

void FunctionProof::findHints() {
  hints_.assign(cfg_.blocks.size(), {});
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const VgprMap &claim = claimAt(b);
    std::bitset<256> occupied;
    for (unsigned i = 0; i < 256; ++i)
      if (needs_[b].active.test(i))
        occupied.set(claim.newOf[i]);
    for (const auto &[reg, bits] : claim.constants) {
      hints_[b].old[reg] = bits;
      if (!occupied.test(claim.newOf[reg])) {
        occupied.set(claim.newOf[reg]);
        hints_[b].now[reg] = bits;
      }
    }
  }
}

/// Drops the hints that do not hold; the proof has to start again then, because it may have used
/// them.
std::optional<Fault> FunctionProof::checkHints(const Path &path, uint32_t block) {
  const Value exec = path.before.state[kExecLo];
  const VgprMap &claim = claimAt(block);
  const auto drop = [&](std::map<uint8_t, uint32_t> &hints, const auto &valueOf) {
    for (auto it = hints.begin(); it != hints.end();)
      if (pool_.within(valueOf(it->first), exec) == pool_.constant(it->second)) {
        ++it;
      } else {
        it = hints.erase(it);
        hintFailed_ = true;
      }
  };
  drop(hints_[block].old, [&](uint8_t reg) { return path.before.state.reg[reg]; });
  drop(hints_[block].now, [&](uint8_t reg) { return path.after.state.reg[claim.newOf[reg]]; });
  if (hintFailed_)
    return Fault{path.after.last, "a register does not hold what it was said to"};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

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

std::optional<Fault> FunctionProof::compareAtCut(const Path &path, uint32_t block) {
  checkKept(path, block);
  if (auto fault = checkHints(path, block))
    return fault;
  const Needs &needs = needs_[block];
  const VgprMap &claim = claimAt(block);
  const State &was = path.before.state, &now = path.after.state;
  std::array<int, 256> owner, ownerOfRest;
  owner.fill(-1);
  ownerOfRest.fill(-1);
  const Needs::Vgprs switchedOff = needs.switchedOff();
  for (unsigned i = 0; i < 256; ++i)
    for (const auto &[isNeeded, home, owners] :
         {std::tuple(needs.active.test(i), claim.newOf[i], &owner),
          std::tuple(switchedOff.test(i), claim.inactiveOf(i), &ownerOfRest)}) {
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
  if (auto fault = comparePointers(path, block))
    return fault;
  const std::string where = fmt::format("on entry to the code at the original's line {}",
                                        before_.instructions()[cfg_.blocks[block].first].line);
  const Value exec = was[kExecLo];
  LaneFacts empty; // Masks that have no lane on this path.
  for (const Facts::Fact &fact : path.facts.all())
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
      const RegUnit home = RegUnit::vgpr(claim.newOf[i]);
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
    const RegUnit rest = RegUnit::vgpr(claim.inactiveOf(i));
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
    now.reg[i] = same ? was.reg[i] : pool_.unknown(Unknown::Junk, i, scope_);
  }
  for (unsigned s = 0; s < kSpaces; ++s)
    was.memory[s] = now.memory[s] = pool_.unknown(Unknown::Memory, s, scope_);
}

/// M0 is the same on both sides, so they choose the same registers: what those hold must be the
/// same, be under way in neither or in both (compareEvents), and be no later result of a
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
