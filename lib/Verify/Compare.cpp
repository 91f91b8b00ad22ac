// Do both texts have the same where they meet?

#include "Verify/FunctionProof.h"

#include <fmt/format.h>

#include <algorithm>

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

/// A mask without what the path says is no lane: behind s_cbranch_execz nobody was on.
Value FunctionProof::lanesLeft(const Path &path, Value mask) {
  for (const Facts::Fact &fact : path.facts.all())
    if (!fact.isNonzero && (pool_.isSubset(fact.value, mask) || pool_.isSubset(mask, fact.value)))
      mask = pool_.maskAndNot(mask, fact.value);
  return mask;
}

/// Is no lane of the mask different?
bool FunctionProof::isSameIn(Value lanes, Value was, Value now) {
  return was == now || pool_.asConstant(lanes) == 0U ||
         pool_.within(was, lanes) == pool_.within(now, lanes);
}

std::optional<Fault> FunctionProof::compareAtCut(const Path &path, uint32_t block) {
  checkKept(path, block);
  if (auto fault = checkHints(path, block))
    return fault;
  const Needs &needs = needs_[block];
  const VgprMap &claim = claimAt(block);
  const State &was = path.before.state, &now = path.after.state;
  std::array<int, 256> owner;
  owner.fill(-1);
  for (unsigned i = 0; i < 256; ++i) {
    if (!needs.active.test(i))
      continue;
    int &other = owner[claim.newOf[i]];
    if (other >= 0)
      return Fault{path.after.last, fmt::format("v{} and v{} are both claimed to be in v{}", other,
                                                i, claim.newOf[i])};
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
  const Value exec = was[kExecLo], active = lanesLeft(path, exec);
  std::map<std::array<uint16_t, 2>, Value> others; // Lanes that are off, by mask.
  for (unsigned i = 0; i < 256; ++i) {
    const RegUnit unit = RegUnit::vgpr(i);
    if (needs.active.test(i)) {
      ++proof_.values;
      const RegUnit home = RegUnit::vgpr(claim.newOf[i]);
      if (!isSameIn(active, was[unit], now[home]))
        return differs(path, unit, home, pool_.within(was[unit], exec),
                       pool_.within(now[home], exec), where);
    }
    if (!needs.inactive.test(i) || was[unit] == now[unit])
      continue;
    const auto [it, isNew] = others.try_emplace(needs.inactiveIn[i]);
    if (isNew)
      it->second = lanesLeft(path, pool_.maskAndNot(meantLanes(was, it->first), exec));
    if (!isSameIn(it->second, was[unit], now[unit]))
      return differs(path, unit, unit, pool_.within(was[unit], it->second),
                     pool_.within(now[unit], it->second),
                     where + ", in lanes that are switched off");
  }
  return std::nullopt;
}

/// At a call or a return nothing is known about the reader, so everything must be the same. Only
/// what a kernel never wrote may differ: its first value is undefined.
std::optional<Fault> FunctionProof::compareAll(const Path &path, const char *where) {
  std::bitset<kRegUnits> all;
  all.set();
  if (auto fault = compareScalars(path, all))
    return fault;
  if (auto fault = compareMemory(path))
    return fault;
  std::bitset<256> written;
  written.set(0);
  const bool isLaunched = oldFunction_.entry == Function::Entry::Launch;
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

} // namespace rdna::verify
