// Cuts and the claims at them: where they lie, what is assumed when a path starts at one, what must
// hold when a path arrives.

#include "Verify/FunctionProof.h"

#include <fmt/format.h>

#include <algorithm>

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
  needs_.assign(cfg_.blocks.size(), {});
  Demand newDemand(after_, newCfg_);
  for (uint32_t b = 0; b < needs_.size(); ++b) {
    needs_[b] = oldDemand_.atStart(b);
    if (newStart_[b] == ~0u)
      continue;
    const uint32_t start = newStart_[b], home = newCfg_.blockOf(start);
    const Needs now =
        newCfg_.blocks[home].first == start ? newDemand.atStart(home) : newDemand.after(start - 1);
    const VgprMap &claim = claimAt(b);
    for (unsigned i = 0; i < 256; ++i)
      if (!now.active.test(claim.newOf[i]))
        needs_[b].active.reset(i);
    for (const SplitPointer &pointer : pointersAt(b))
      needs_[b].active.reset(pointer.vgprs).reset(pointer.vgprs + 1u);
    needs_[b].inactive &= now.inactive;
    // Paths meet on the same lanes, whether or not anything is done with them.
    std::bitset<kRegUnits> lanes;
    lanes.set(kExecLo.index);
    needs_[b].scalar &= now.scalar | lanes;
    // A mask that says which lanes are meant has to be the same in both texts.
    for (unsigned i = 0; i < 256; ++i) {
      needs_[b].inactiveIn[i][1] = now.inactiveIn[i][0];
      for (uint16_t &mask : needs_[b].inactiveIn[i])
        mask = mask != 0 && needs_[b].scalar.test(mask) ? mask : uint16_t(0);
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

/// The lanes that all of the masks have.
Value FunctionProof::meantLanes(const State &state, const std::array<uint16_t, 2> &masks) {
  Value lanes = pool_.constant(~0u);
  for (const uint16_t mask : masks)
    if (mask != 0)
      lanes = pool_.maskAnd(lanes, state.reg[mask]);
  return lanes;
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
  if (const Demand::Around around = oldDemand_.aroundExec(block);
      around.lanes != Demand::Around::Lanes::Unknown && !kept.old.test(kExecLo.index)) {
    const Value mask = was[around.mask];
    was[kExecLo] = now[kExecLo] =
        around.lanes == Demand::Around::Lanes::Same ? mask : pool_.maskAnd(was[kExecLo], mask);
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
  for (unsigned i = 0; i < 256; ++i)
    if (needs.active.test(i))
      active[claim.newOf[i]] = was.reg[i];
  for (unsigned i = 0; i < 256; ++i) {
    Value off = now.reg[i];
    if (needs.inactive.test(i)) // Active lanes of the mask do not matter: they get another value.
      off = pool_.select(meantLanes(was, needs.inactiveIn[i]), first[i], off);
    now.reg[i] = pool_.select(exec, active[i], off);
  }
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

} // namespace rdna::verify
