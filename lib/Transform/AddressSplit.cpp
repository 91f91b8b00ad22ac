#include "Transform/AddressSplit.h"

#include "Asm/GlobalAddress.h"
#include "Transform/ScalarSums.h"

#include <algorithm>
#include <map>

namespace rdna {

using verify::ExprPool;
using verify::State;
using verify::Value;
using Width = ExprPool::Width;
using Polynomial = ExprPool::Polynomial;

// What makes a divergent offset in the loop stays there: a multiplication takes four times as long.
static constexpr unsigned ofInvariant = 2, ofLoopVariant = 3, ofDefinition = 5;

std::vector<WideAccess> AddressSplitter::accessesOf(uint32_t block) {
  std::vector<WideAccess> accesses;
  State state = values_.atStart(block);
  for (uint32_t i = cfg_.blocks[block].first; i < cfg_.blocks[block].last; ++i) {
    const auto global = globalAddress(inst(i));
    if (global && !global->base && inst(i).origin == Instruction::Origin::Text) {
      const RegUnit first = inst(i).operands[global->vector].reg.first;
      const Value exec = state[kExecLo];
      const Value whole = pool_.wideSum(
          pool_.wideOf(pool_.within(state.reg[first.index], exec),
                       pool_.within(state.reg[first.index + 1u], exec)),
          pool_.wideConstant(static_cast<uint64_t>(inst(i).operands[global->offset].imm)));
      exec_ = exec;
      accesses.push_back({i, pool_.unwrapped(whole, indices_, exec, facts_)});
    }
    if (inst(i).writesUnit(kExecLo))
      break;
    values_.execute(state, inst(i));
  }
  return accesses;
}

std::vector<DivergentOffset> AddressSplitter::divergentOffsetsOf(uint32_t block, uint32_t end) {
  std::vector<DivergentOffset> parts;
  State state = values_.atStart(block);
  const Value exec = state[kExecLo];
  for (unsigned v = 0; v < 256; ++v)
    parts.push_back({v, pool_.within(state.reg[v], exec), std::nullopt});
  for (uint32_t i = cfg_.blocks[block].first; i < end; ++i) {
    values_.execute(state, inst(i));
    if (inst(i).isValu() && inst(i).origin == Instruction::Origin::Text)
      for (const RegAccess &access : inst(i).accesses)
        if (access.writes() && access.reg.first.isVgpr())
          for (unsigned d = 0; d < access.reg.dwords; ++d) {
            const unsigned v = access.reg.first.index + d;
            parts.push_back({v, pool_.within(state.reg[v], exec), i});
          }
  }
  return parts;
}

/// An offset that is made, as it is extended.
Value AddressSplitter::integer(Value offset) {
  return pool_.unwrapped(pool_.zeroExtended(offset), made(), exec_, facts_);
}

/// The divergent offset as it goes into an address.
Value AddressSplitter::scaled(const DivergentOffset &lane, unsigned shift) {
  return pool_.wideProduct(integer(lane.value), pool_.wideConstant(1ull << shift));
}

/// Terms of which some atom is in no scalar register: what the lanes do not share.
Value AddressSplitter::laneTerms(Value wide, const std::set<Value> &uniform) {
  Polynomial lanes;
  for (const ExprPool::Term &term : pool_.termsOf(wide, Width::Qword))
    if (!std::all_of(term.atoms.begin(), term.atoms.end(), [&](Value atom) {
          return uniform.contains(atom) ||
                 (uniform.contains(pool_.lowOf(atom)) && uniform.contains(pool_.highOf(atom)));
        }))
      lanes.push_back(term);
  return pool_.fromTerms(std::move(lanes), Width::Qword);
}

/// What the polynomials in the scalar registers are made of.
std::set<Value> AddressSplitter::uniformAtoms(const State &state) {
  std::set<Value> atoms;
  const auto collect = [&](Value wide) {
    for (const ExprPool::Term &term : pool_.termsOf(wide, Width::Qword))
      atoms.insert(term.atoms.begin(), term.atoms.end());
  };
  for (unsigned s = 0; s < 106; ++s) {
    const Value value = state[RegUnit::scalar(s)];
    atoms.insert(value); // Perhaps half of something.
    for (const ExprPool::Term &term : pool_.termsOf(value, Width::Dword))
      for (const Value atom : term.atoms)
        atoms.insert(pool_.zeroExtended(atom));
    if (s % 2 == 0)
      collect(pool_.wideOf(value, state[RegUnit::scalar(s + 1)]));
  }
  return atoms;
}

/// Is the access where it was?
bool AddressSplitter::isExact(const WideAccess &access, const AddressSplit &s) {
  const Value offset = pool_.shifted(pool_.sum(s.lane->value, s.loopVariant), s.shift);
  const Value whole = pool_.wideSum(s.base, integer(offset));
  return access.address ==
         pool_.wideSum(whole, pool_.wideConstant(static_cast<uint64_t>(s.offset)));
}

/// A pointer that scalar code moves from iteration to iteration, in the pair that holds it.
std::optional<AddressSplitter::SteppingBase>
AddressSplitter::steppingBase(const WideAccess &access, Value shared, const State &start) {
  const uint32_t block = cfg_.blockOf(access.instruction);
  // A pair that only a constant is missing from has every atom.
  const std::vector<unsigned> *candidates = nullptr;
  for (const ExprPool::Term &term : pool_.termsOf(shared, Width::Qword))
    if (!term.atoms.empty() && !candidates) {
      const auto it = stepping_.find(term.atoms[0]);
      if (it == stepping_.end())
        return std::nullopt;
      candidates = &it->second;
    }
  if (!candidates)
    return std::nullopt;
  for (const unsigned s : *candidates) {
    const RegUnit low = RegUnit::scalar(s), high = RegUnit::scalar(s + 1);
    const Value pair = pool_.wideOf(start[low], start[high]);
    const auto rest = pool_.termsOf(minus(shared, pair), Width::Qword);
    const auto offset = static_cast<int64_t>(rest[0].factor);
    if (rest.size() != 1 || !rest[0].atoms.empty() || offset < kLeastGlobalOffset ||
        offset > kMostGlobalOffset)
      continue;
    bool lasts = true;
    for (uint32_t i = cfg_.blocks[block].first; i < access.instruction; ++i)
      lasts &= !inst(i).writesUnit(low) && !inst(i).writesUnit(high);
    if (lasts)
      return SteppingBase{pair, s, offset};
  }
  return std::nullopt;
}

/// The values that pairs of scalars have at a place, by what they are made of.
void AddressSplitter::collectPointers(const State &state) {
  pointers_.clear();
  bestPointers_.clear();
  std::set<Value> seen;
  for (unsigned s = 0; s < 106; s += 2) {
    const Value pair = pool_.wideOf(state[RegUnit::scalar(s)], state[RegUnit::scalar(s + 1)]);
    if (!seen.insert(pair).second)
      continue;
    for (const ExprPool::Term &term : pool_.termsOf(pair, Width::Qword))
      for (const Value atom : term.atoms)
        pointers_[atom].push_back(pair);
  }
}

/// The pointer that leaves the least to be added; zero if none has anything in common with what is
/// wanted. That of collectPointers()'s state, which `entry` is.
Value AddressSplitter::bestPointer(Value shared, const State &entry) {
  const auto [known, isNew] = bestPointers_.try_emplace(shared, pool_.wideConstant(0));
  if (!isNew)
    return known->second;
  const Polynomial wanted = pool_.termsOf(shared, Width::Qword);
  size_t least = wanted.size();
  Value best = known->second;
  const auto consider = [&](Value pointer) {
    const size_t terms = pool_.termsOf(minus(shared, pointer), Width::Qword).size();
    if (terms < least || (terms == least && best == pool_.wideConstant(0))) {
      least = terms;
      best = pointer;
    }
  };
  for (const ExprPool::Term &term : wanted)
    for (const Value atom : term.atoms)
      if (const auto it = pointers_.find(atom); it != pointers_.end())
        for (const Value pointer : it->second)
          consider(pointer);
  // Or one whose halves are somewhere.
  for (const ExprPool::Term &term : wanted)
    if (term.atoms.size() == 1 && term.factor == 1 && !pool_.extendedIn(term.atoms[0]) &&
        findHalves(pool_, entry, term.atoms[0]))
      consider(term.atoms[0]);
  return bestPointers_[shared] = best;
}

std::optional<AddressSplit> AddressSplitter::split(const WideAccess &access,
                                                   const DivergentOffset &lane, unsigned shift,
                                                   const State &entry, const State &start) {
  AddressSplit result;
  result.lane = &lane;
  result.shift = shift;
  const Value shared = minus(access.address, scaled(lane, shift));
  if (const auto stepping = steppingBase(access, shared, start)) {
    result.base = stepping->value;
    result.pair = stepping->pair;
    result.offset = stepping->offset;
    result.loopVariant = pool_.constant(0);
    result.cost = lane.definition ? ofDefinition : 0;
    return isExact(access, result) ? std::optional(result) : std::nullopt;
  }
  const Value pointer = bestPointer(shared, entry);
  Polynomial loopVariant, invariant;
  for (ExprPool::Term &term : pool_.termsOf(minus(shared, pointer), Width::Qword)) {
    if (term.atoms.empty()) {
      result.offset = static_cast<int64_t>(term.factor);
      continue;
    }
    const auto factor = static_cast<int64_t>(term.factor);
    if (factor > 0 && canMultiply(pool_, entry, term)) {
      invariant.push_back(term);
      continue;
    }
    if (factor % (1ll << shift) != 0 || !canMultiply(pool_, start, term))
      return std::nullopt;
    loopVariant.push_back(term);
  }
  result.cost =
      static_cast<unsigned>(ofInvariant * invariant.size() + ofLoopVariant * loopVariant.size()) +
      (lane.definition ? ofDefinition : 0);
  const Value added = pool_.fromTerms(std::move(loopVariant), Width::Qword);
  result.base = pool_.wideSum(pointer, pool_.fromTerms(std::move(invariant), Width::Qword));
  // Offsets of 13 bits stay in the instruction, what does not fit goes into the pointer.
  if (result.offset < kLeastGlobalOffset || result.offset > kMostGlobalOffset) {
    result.base =
        pool_.wideSum(result.base, pool_.wideConstant(static_cast<uint64_t>(result.offset)));
    result.offset = 0;
    ++result.cost;
  }
  Polynomial unscaled;
  for (ExprPool::Term term : pool_.termsOf(added, Width::Qword)) {
    term.factor = static_cast<uint64_t>(static_cast<int64_t>(term.factor) >> shift);
    unscaled.push_back(std::move(term));
  }
  result.loopVariant = pool_.lowOf(pool_.fromTerms(std::move(unscaled), Width::Qword));
  return isExact(access, result) ? std::optional(result) : std::nullopt;
}

using GroupKey = std::tuple<const DivergentOffset *, unsigned, Value>;

/// Each access once, in the group that is the largest when its turn comes, then the cheapest.
static std::vector<AccessGroup> chooseGroups(const std::map<GroupKey, AccessGroup> &groups) {
  std::vector<AccessGroup> chosen;
  std::set<const WideAccess *> done;
  while (true) {
    const AccessGroup *best = nullptr;
    std::pair<size_t, unsigned> bestScore;
    for (const auto &[key, g] : groups) {
      size_t count = 0;
      unsigned cost = 0;
      for (const auto &[access, s] : g.members)
        if (!done.contains(access)) {
          ++count;
          cost += s.cost;
        }
      if (count && (!best || count > bestScore.first ||
                    (count == bestScore.first && cost < bestScore.second))) {
        best = &g;
        bestScore = {count, cost};
      }
    }
    if (!best)
      return chosen;
    AccessGroup g{best->offset, {}};
    for (const auto &member : best->members)
      if (done.insert(member.first).second)
        g.members.push_back(member);
    chosen.push_back(std::move(g));
  }
}

std::vector<AccessGroup> AddressSplitter::group(const std::vector<WideAccess> &accesses,
                                                const std::vector<DivergentOffset> &lanes,
                                                const State &entry, uint32_t block) {
  constexpr unsigned mostShift = 4;
  collectPointers(entry);
  const State &start = values_.atStart(block);
  stepping_.clear();
  for (unsigned s = 0; s + 1 < 106; s += 2)
    for (const ExprPool::Term &term : pool_.termsOf(
             pool_.wideOf(start[RegUnit::scalar(s)], start[RegUnit::scalar(s + 1)]), Width::Qword))
      for (const Value atom : term.atoms)
        stepping_[atom].push_back(s);
  std::set<Value> uniform = uniformAtoms(entry);
  uniform.merge(uniformAtoms(start));
  std::map<Value, std::vector<std::pair<const DivergentOffset *, unsigned>>> byTerms;
  const Value none = pool_.wideConstant(0);
  for (const DivergentOffset &lane : lanes)
    for (unsigned shift = 0; shift <= mostShift; ++shift) {
      if (const Value key = laneTerms(scaled(lane, shift), uniform); key != none)
        byTerms[key].emplace_back(&lane, shift);
    }
  std::map<GroupKey, AccessGroup> groups;
  for (const WideAccess &access : accesses)
    if (const auto it = byTerms.find(laneTerms(access.address, uniform)); it != byTerms.end())
      for (const auto &[lane, shift] : it->second) {
        if (lane->definition && *lane->definition >= access.instruction)
          continue;
        if (const auto s = split(access, *lane, shift, entry, start)) {
          AccessGroup &g = groups[{lane, shift, s->loopVariant}];
          g.offset = *s;
          g.members.emplace_back(&access, *s);
        }
      }
  return chooseGroups(groups);
}

std::optional<Value> AddressSplitter::sharedPart(Value pointer, const State &state) {
  exec_ = state[kExecLo];
  const Value address = pool_.unwrapped(pointer, indices_, exec_, facts_);
  collectPointers(state);
  const Value base = minus(address, laneTerms(address, uniformAtoms(state)));
  const Value rest = minus(base, bestPointer(base, state));
  for (const ExprPool::Term &term : pool_.termsOf(rest, Width::Qword))
    if (!term.atoms.empty() &&
        (static_cast<int64_t>(term.factor) <= 0 || !canMultiply(pool_, state, term)))
      return std::nullopt;
  const Value offset = pool_.sum(pool_.lowOf(pointer), pool_.negated(pool_.lowOf(base)));
  const Value whole = pool_.wideSum(base, integer(offset));
  return whole == address ? std::optional(base) : std::nullopt;
}

} // namespace rdna
