// Cuts and the claims at them: where they lie, what is assumed when a path starts at one, what must
// hold when a path arrives.

#include "Asm/GlobalAddress.h"
#include "Verify/FunctionProof.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rdna::verify {

const Point &FunctionProof::pointAt(uint32_t block) const {
  static const Point plain;
  if (!claim_)
    return plain;
  const auto it = claim_->points.find(cfg_.blocks[block].first);
  return it == claim_->points.end() ? plain : it->second;
}

/// Each doubles the paths.
static constexpr unsigned kMostOwnBranches = 8;

std::optional<Fault> FunctionProof::readClaim() {
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const Point &point = pointAt(b);
    if (point.ownBranches > kMostOwnBranches)
      return Fault{newFunction_.first, "the claim has too many branches of its own at one place"};
    if (!point.equations.empty())
      if (auto complaint = readEquations(point.equations, invariants_[b]))
        return Fault{newFunction_.first, std::move(*complaint)};
  }
  return std::nullopt;
}

const Invariant &FunctionProof::invariantAt(uint32_t block) const {
  static const Invariant identity;
  const auto it = invariants_.find(block);
  return it == invariants_.end() ? identity : it->second;
}

/// The registers on the left.
static llvm::SmallVector<RegUnit, 2> unitsOf(const Equation &equation) {
  llvm::SmallVector<RegUnit, 2> units;
  for (unsigned d = 0; d < equation.dwords; ++d)
    units.push_back({static_cast<uint16_t>(equation.left.index + d)});
  return units;
}

/// Without the sums of registers that the original does not need, if nobody has to show them then.
void FunctionProof::dropUnneeded(uint32_t block) {
  const auto it = invariants_.find(block);
  if (it == invariants_.end())
    return;
  const Needs::Vgprs vgprs = needs_[block].maybeActive();
  llvm::erase_if(it->second.computed, [&](const Equation *equation) {
    return equation->asked == Equation::Asked::WhereNeeded &&
           llvm::none_of(unitsOf(*equation), [&](RegUnit unit) {
             return unit.isVgpr() ? vgprs.test(unit.index) : needs_[block].scalar.test(unit.index);
           });
  });
}

/// A cut has a label, because at most one of several paths falls through. If it has several and the
/// rewritten text has code between them, the cutpoint lies at the last one, unless the claim names
/// one.
std::optional<Fault> FunctionProof::findCutpoints() {
  newStart_.assign(cfg_.blocks.size(), ~0u);
  const auto place = [&](uint32_t block, std::string_view label) -> std::optional<Fault> {
    const auto target = after_.labelTarget(label);
    if (!target || *target < newFunction_.first || *target >= newFunction_.last)
      return Fault{newFunction_.first,
                   fmt::format("label '{}' is missing in '{}'", label, newFunction_.name)};
    newStart_[block] = newStart_[block] == ~0u ? *target : std::max(newStart_[block], *target);
    return std::nullopt;
  };
  for (const Label &label : before_.labels()) {
    if (label.instruction < oldFunction_.first || label.instruction >= oldFunction_.last)
      continue;
    const uint32_t block = cfg_.blockOf(label.instruction);
    if (cfg_.blocks[block].first == label.instruction && isCutpoint(block) &&
        pointAt(block).label.empty())
      if (auto fault = place(block, label.name))
        return fault;
  }
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    if (isCutpoint(b) && !pointAt(b).label.empty())
      if (auto fault = place(b, pointAt(b).label))
        return fault;
    if (isCutpoint(b) && newStart_[b] == ~0u)
      return Fault{newFunction_.first,
                   fmt::format("paths meet at the original's line {}, which has no label",
                               before_.instructions()[cfg_.blocks[b].first].line)};
  }
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
    dropUnneeded(b);
    const Invariant &invariant = invariantAt(b);
    Needs::Vgprs on, off;
    for (unsigned i = 0; i < 256; ++i) {
      on.set(i, now.maybeActive().test(invariant.active[i]));
      off.set(i, now.switchedOff().test(invariant.inactive[i]));
    }
    // Paths meet on the same lanes, whether or not anything is done with them.
    std::bitset<kRegUnits> lanes;
    lanes.set(kExecLo.index);
    needs_[b].scalar &= now.scalar | lanes;
    for (const Equation *equation : invariant.computed) // Compared as such, not at a place.
      for (const RegUnit unit : unitsOf(*equation)) {
        if (unit.isVgpr())
          on.reset(unit.index);
        else
          needs_[b].scalar.reset(unit.index);
      }
    needs_[b].active &= on;
    needs_[b].inactive &= off;
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

/// What the rewritten code has for the left side of an equation.
Value FunctionProof::rightOf(const Equation &equation, const State &now, Value exec) {
  const bool isWide = equation.dwords == 2;
  const auto held = [&](unsigned index) {
    const RegUnit unit{static_cast<uint16_t>(index)};
    return unit.isVgpr() ? pool_.within(now[unit], exec) : now[unit];
  };
  const auto read = [&](const rdna::Term::Summand &summand) {
    const Value low = held(summand.reg.index);
    switch (summand.read) {
    case rdna::Term::Read::Dword:
      return low;
    case rdna::Term::Read::Pair:
      return pool_.wideOf(low, held(summand.reg.index + 1u));
    case rdna::Term::Read::ZeroExtended:
      return pool_.zeroExtended(low);
    case rdna::Term::Read::SignExtended:
      return pool_.signExtended(low);
    }
    return low;
  };
  const auto constant = [&](uint64_t bits) {
    return isWide ? pool_.wideConstant(bits) : pool_.constant(static_cast<uint32_t>(bits));
  };
  Value sum = constant(equation.right.constant);
  for (const rdna::Term::Summand &summand : equation.right.summands) {
    const Value value = read(summand), factor = constant(summand.factor);
    sum = isWide ? pool_.wideSum(sum, pool_.wideProduct(value, factor))
                 : pool_.sum(sum, pool_.product(value, factor));
  }
  return sum;
}

/// May the proof take it for one? What is assumed is noted, so that bounds can be asked later.
bool FunctionProof::isIndexFact(const ExprPool::IndexFact &fact) {
  if (!claim_->assumptions.contains(Assumption::NoIndexWrap))
    return indexBounds_->holds(pool_, fact, *pathFacts_, claim_->given.ranges);
  indexBounds_->note(fact, *pathFacts_);
  return true;
}

/// Is a pair of VGPRs the address of a global access of the original?
bool FunctionProof::isPointer(RegUnit low) const {
  for (uint32_t i = oldFunction_.first; i < oldFunction_.last; ++i) {
    const Instruction &inst = before_.instructions()[i];
    if (const auto address = globalAddress(inst); address && !address->base)
      if (inst.operands[address->vector].reg.first == low)
        return true;
  }
  return false;
}

std::optional<Fault> FunctionProof::compareComputed(const Path &path, uint32_t block) {
  pathFacts_ = &path.facts;
  const Value exec = path.before.state[kExecLo];
  for (const Equation *equation : invariantAt(block).computed) {
    ++proof_.values;
    const RegUnit low = equation->left;
    const auto half = [&](unsigned d) {
      const Value held = path.before.state.reg[low.index + d];
      return low.isVgpr() ? pool_.within(held, exec) : held;
    };
    const bool isWide = equation->dwords == 2;
    const Value was = isWide ? pool_.wideOf(half(0), half(1)) : half(0);
    const Value now = rightOf(*equation, path.after.state, exec);
    bool isSame = was == now;
    if (isWide && low.isVgpr()) {
      // A pointer counts as an access where the loop is entered.
      ExprPool::IndexFacts facts = path.indexFacts;
      const Indices known = isPointer(low) ? oldIndices() : newIndices();
      const Value old = pool_.unwrapped(was, known, exec, facts);
      isSame = old == pool_.unwrapped(now, newIndices(), exec, facts);
    }
    if (!isSame)
      return Fault{path.after.last,
                   fmt::format("{} is not {} on entry to the code at the original's line {}: the "
                               "original has {}; the rewritten code has {}",
                               toString(RegRange{low, equation->dwords}), toString(equation->right),
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

Path FunctionProof::startAtCutpoint(uint32_t block) {
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
          kept.now.test(i) ? kept.ends->after.reg[i] : pool_.unknown(Unknown::Undef, i, scope_);
  }
  const Invariant &invariant = invariantAt(block);
  const Value exec = was[kExecLo];
  const std::array<Value, kRegUnits> first = was.reg;
  std::array<Value, 256> active;
  std::copy_n(now.reg.begin(), 256, active.begin());
  for (const auto &[reg, bits] : hints_[block].old)
    was.reg[reg] = pool_.select(exec, pool_.constant(bits), first[reg]);
  for (const auto &[reg, bits] : hints_[block].now)
    active[reg] = pool_.constant(bits);
  for (unsigned i = 0; i < 256; ++i) {
    Value &own = active[invariant.active[i]];
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
    const uint8_t home = invariant.inactive[i];
    const auto off =
        needs.inactive.test(i) ? std::nullopt : lanesNeeded(needs, i, was, Lanes::SwitchedOff);
    // Masks that between them have all lanes: where nothing else is known of them, as at a return,
    // values are compared as they are.
    const bool isAll = off && pool_.areNone({{exec, Bit::Clear}, {*off, Bit::Clear}});
    if (needs.inactive.test(i) || isAll) {
      rest[home] = first[i];
    } else if (off && needs.active.test(i) && invariant.active[i] == home) {
      isWhole.set(home); // One value in all lanes that matter: it is read as one.
      rest[home] = pool_.select(pool_.maskOr(exec, *off), was.reg[i], now.reg[home]);
    } else if (off) {
      rest[home] = pool_.select(*off, first[i], now.reg[home]);
    }
  }
  for (unsigned n = 0; n < 256; ++n)
    now.reg[n] = isWhole.test(n) ? rest[n] : pool_.select(exec, active[n], rest[n]);
  for (const Equation *equation : invariant.computed) {
    const Value whole = rightOf(*equation, now, exec);
    const bool isWide = equation->dwords == 2;
    for (const RegUnit unit : unitsOf(*equation)) {
      const Value part = !isWide                  ? whole
                         : unit == equation->left ? pool_.lowOf(whole)
                                                  : pool_.highOf(whole);
      was.reg[unit.index] = unit.isVgpr() ? pool_.select(exec, part, first[unit.index]) : part;
    }
  }
  path.before.at = path.before.last = cfg_.blocks[block].first;
  path.after.at = path.after.last = newStart_[block];
  path.from = block;
  path.ownBranches = pointAt(block).ownBranches;
  path.arrivals = pointAt(block).arrivals;
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
    const Invariant &invariant = invariantAt(b);
    std::bitset<256> occupied;
    for (unsigned i = 0; i < 256; ++i)
      if (needs_[b].active.test(i))
        occupied.set(invariant.active[i]);
    for (const Equation *hint : invariant.hints) {
      const uint8_t reg = hint->left.asVgpr().number;
      const auto bits = static_cast<uint32_t>(hint->right.constant);
      if (hint->text == Equation::Text::Original)
        hints_[b].old[reg] = bits;
      else if (!occupied.test(reg))
        hints_[b].now.try_emplace(reg, bits);
    }
  }
}

/// Drops the hints that do not hold; the proof has to start again then, because it may have used
/// them.
std::optional<Fault> FunctionProof::checkHints(const Path &path, uint32_t block) {
  const Value exec = path.before.state[kExecLo];
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
  drop(hints_[block].now, [&](uint8_t reg) { return path.after.state.reg[reg]; });
  if (hintFailed_)
    return Fault{path.after.last, "a register does not hold what it was said to"};
  return std::nullopt;
}

} // namespace rdna::verify
