// Where ways of two texts meet that are executed at different times.

#include "Verify/AheadProof.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace rdna::verify {

static constexpr size_t kMostPoints = 512;
/// So many states at one place may differ in numbers of any registers, and so many in those that
/// addresses in LDS are made of: turns of buffers do in a few, addresses of a loop over what is
/// left of K, or of a tile, in as many as a dword of six bits has values (decidedByValues), once
/// behind the first tile and once behind others; counters of other loops in any number.
static constexpr unsigned kMostTurns = 8, kMostPlaceTurns = 144;

/// Registers that hold numbers in one text, and not the same in the other; or all numbers.
AheadProof::Point AheadProof::pointOf(const State &state) {
  const std::pair place(state.was.at, state.now.at);
  const auto known = pointsAt_.find(place);
  const unsigned points = known == pointsAt_.end() ? 0 : known->second;
  const unsigned units = points < kMostPlaceTurns ? kRegUnits : 0;
  std::vector<uint32_t> apart{static_cast<uint32_t>(state.oldAhead.size()),
                              static_cast<uint32_t>(state.newAhead.size()),
                              static_cast<uint32_t>(state.askedAhead.size())};
  for (unsigned i = 0; i < units; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    const KnownValue &was = state.was.values[unit], &now = state.now.values[unit];
    const bool isOfPlaces = points < kMostTurns || oldNeeds_.ofPlaces(state.was.at).test(i) ||
                            newNeeds_.ofPlaces(state.now.at).test(i);
    if (!isOfPlaces || (!isKnown(was) && !isKnown(now)))
      continue;
    apart.push_back(i);
    for (const KnownValue *value : {&was, &now}) {
      apart.push_back(isKnown(*value));
      if (isKnown(*value))
        apart.insert(apart.end(), value->bits.begin(), value->bits.end());
    }
  }
  for (const Fact &fact : state.askedAhead) // The original will go the same way.
    apart.push_back(fact.holds);
  for (const AheadSide *side : {&state.was, &state.now}) {
    apart.push_back(static_cast<uint32_t>(side->skipped.size()));
    for (const AheadSide::Skipped &skipped : side->skipped)
      apart.push_back(skipped.target);
    // A wait must not be missed for a load that another way has made. Stores are counted apart
    // (StoresInFlight): guarded ones behind each other would be twice as many states for each.
    for (const auto &[key, entry] : side->log.entries())
      if (!entry.isLds && !entry.isWrite && entry.isOutstanding)
        apart.push_back(key.instruction);
  }
  return {state.was.at, state.now.at, std::move(apart)};
}

/// What was found there before holds no longer than it does now.
AheadProof::Fault AheadProof::arrive(State state) {
  state.hasForked = state.passesJoins = false;
  state.forks = 0;
  state.hasOldMoved = false;
  state.oldOwes.clear();
  state.newOwes.clear();
  for (AheadSide *side : {&state.was, &state.now}) {
    side->without.clear(); // What stands for these masks may be others from here on.
    for (auto it = side->issued.begin(); it != side->issued.end();)
      it = side->log.entries().contains({it->first, 0, 0}) ? std::next(it) : side->issued.erase(it);
  }
  forgetThePast(state);
  Point point = pointOf(state);
  const auto it = states_.find(point);
  if (it == states_.end()) {
    constexpr size_t plainCells = 65536 / 4; // Finer ones are more memory for each state.
    const size_t cells = std::max({old_.cells(), new_.cells(), plainCells});
    if (states_.size() >= kMostPoints * plainCells / cells)
      return faultAt(state, TextSide::New, "there are too many ways to follow them all");
    ++pointsAt_[{state.was.at, state.now.at}];
    states_.emplace(point, std::move(state));
    queue_.insert(std::move(point));
    return std::nullopt;
  }
  if (isInstance(it->second, state))
    return std::nullopt;
  it->second = joined(it->second, state);
  forgetThePast(it->second);
  queue_.insert(std::move(point));
  return std::nullopt;
}

namespace {
/// Does all that is taken for certain of a text in one state hold in the other?
bool coversSide(const AheadSide &known, const AheadSide &side, Terms &terms, Instance &instance) {
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    const KnownRef &value = known.values.ref(unit);
    if (!(*joined(value, side.values.ref(unit)) == *value) ||
        !instance.match(known.terms[i], side.terms[i]))
      return false;
  }
  for (const auto &[unit, ofSome] : known.values.ofSome()) {
    const auto it = side.values.ofSome().find(unit);
    if (it == side.values.ofSome().end() || !(*it->second.value == *ofSome.value) ||
        !(*joined(ofSome.others, it->second.others) == *ofSome.others) ||
        !instance.match(ofSome.mask, it->second.mask))
      return false;
  }
  AccessLog log = known.log;
  log.join(side.log);
  if (!(log == known.log) || !instance.match(known.memory, side.memory) ||
      (side.hasStored && !known.hasStored) || (side.parting && !known.parting))
    return false;
  for (size_t i = 0; i < known.skipped.size(); ++i) { // As many, by the point.
    AheadSide::Skipped both = known.skipped[i];
    both.join(side.skipped[i]);
    if (!(both == known.skipped[i]) ||
        !instance.match(known.skipped[i].lanes, side.skipped[i].lanes))
      return false;
  }
  for (const auto &[instruction, issued] : side.issued)
    if (const auto it = known.issued.find(instruction);
        it == known.issued.end() ||
        (it->second.what != AheadSide::Issued::What::Several &&
         (it->second.what != issued.what || !instance.match(it->second.term, issued.term))))
      return false;
  for (uint32_t i = 0; i < known.lds.size(); ++i) {
    const LdsCell &cell = known.lds[i];
    if (cell.holds == LdsCell::Holds::Launch && side.lds[i].holds != cell.holds)
      return false;
    if (!cell.isCertain())
      continue;
    LdsCell other = withTerm(terms, side.lds[i], i, cell.item);
    if (other.isCertain() && cell.item == LdsCell::kNoItem)
      other = withItsItem(terms, other);
    if (!other.isCertain() || cell.item != other.item || !instance.match(cell.term, other.term))
      return false;
  }
  return true;
}

/// Of lanes of a mask the same must be known in both.
std::map<uint16_t, KnownValues::OfSome> joinedOfSome(const KnownValues &a, const KnownValues &b,
                                                     Common &common) {
  std::map<uint16_t, KnownValues::OfSome> result;
  for (const auto &[unit, mine] : a.ofSome())
    if (const auto other = b.ofSome().find(unit);
        other != b.ofSome().end() && *other->second.value == *mine.value)
      result[unit] = {mine.value, common.of(mine.mask, other->second.mask),
                      joined(mine.others, other->second.others)};
  return result;
}

/// What both states of a text have in common. `into` is one of them.
void joinSide(AheadSide &into, const AheadSide &other, Terms &terms, Common &common) {
  auto ofSome = joinedOfSome(into.values, other.values, common);
  for (unsigned i = 0; i < kRegUnits; ++i) {
    const RegUnit unit{static_cast<uint16_t>(i)};
    into.values.set(unit, joined(into.values.ref(unit), other.values.ref(unit)));
    into.terms[i] = common.of(into.terms[i], other.terms[i]);
  }
  into.values.setOfSome(std::move(ofSome));
  into.log.join(other.log);
  into.memory = common.of(into.memory, other.memory);
  for (size_t i = 0; i < into.skipped.size(); ++i) {
    into.skipped[i].join(other.skipped[i]);
    into.skipped[i].lanes = common.of(into.skipped[i].lanes, other.skipped[i].lanes);
  }
  into.hasStored |= other.hasStored;
  into.parting = into.parting ? into.parting : other.parting;
  for (const auto &[instruction, issued] : other.issued) {
    const auto [it, isNew] = into.issued.emplace(instruction, issued);
    if (isNew)
      continue;
    if (it->second.what == issued.what)
      it->second.term = common.of(it->second.term, issued.term);
    else
      it->second.what = AheadSide::Issued::What::Several;
  }
  for (uint32_t i = 0; i < into.lds.size(); ++i) {
    LdsCell &cell = into.lds[i];
    if (cell.holds == LdsCell::Holds::Launch && other.lds[i].holds == cell.holds)
      continue;
    LdsCell next = withTerm(terms, other.lds[i], i, cell.item);
    cell = withTerm(terms, cell, i, next.item);
    if (cell.isCertain() && next.isCertain() && cell.item != next.item) {
      cell = withItsItem(terms, cell);
      next = withItsItem(terms, next);
    }
    if (cell.isCertain() && next.isCertain())
      cell.term = common.of(cell.term, next.term);
    else
      cell = {};
  }
}
} // namespace

/// Where this holds, an access has no barrier behind it in the original if it has none in the new
/// text, because the new text has made none such, and neither text has to catch up with the other.
bool AheadProof::hasNotMade(const State &state, TermId access) const {
  if (!state.oldAhead.empty() || !state.newAhead.empty())
    return false;
  return llvm::all_of(state.now.log.entries(), [&](const auto &logged) {
    if (logged.second.isLds)
      return true;
    const auto issued = state.now.issued.find(logged.first.instruction);
    return issued != state.now.issued.end() &&
           issued->second.what != AheadSide::Issued::What::Several && issued->second.term != access;
  });
}

bool AheadProof::isInstance(const State &known, const State &state) {
  Instance instance(terms_);
  if ((state.hasRepeated && !known.hasRepeated) || !known.stores.covers(state.stores))
    return false;
  if (!coversSide(known.was, state.was, terms_, instance) ||
      !coversSide(known.now, state.now, terms_, instance))
    return false;
  for (const auto &[mine, others] :
       {std::pair(&known.oldAhead, &state.oldAhead), std::pair(&known.newAhead, &state.newAhead)})
    for (size_t i = 0; i < mine->size(); ++i)
      if (!instance.match((*mine)[i], (*others)[i]))
        return false;
  for (size_t i = 0; i < known.askedAhead.size(); ++i)
    if (!instance.match(known.askedAhead[i].condition, state.askedAhead[i].condition))
      return false;
  for (const Fact &fact : known.facts) {
    const auto condition = instance.replaced(fact.condition);
    if (!condition || decided(state, *condition) != fact.holds)
      return false;
  }
  const auto isMade = [&](TermId term) {
    const auto other = instance.replaced(term);
    return other && llvm::is_contained(state.made, *other);
  };
  const auto isSince = [&](TermId term) {
    const TermId other = instance.replaced(term).value_or(term);
    return llvm::is_contained(state.was.sinceBarrier, other) || hasNotMade(state, other);
  };
  return llvm::all_of(known.made, isMade) && llvm::all_of(known.was.sinceBarrier, isSince);
}

/// Loads that both states have, as far as they can be said with the terms that are there.
static std::set<TermId> inBoth(const auto &a, const auto &b, Common &common) {
  constexpr size_t mostPairs = 1u << 14; // A loop of a thousand loads would be a million.
  std::set<TermId> result;
  for (const TermId mine : a)
    if (a.size() * b.size() > mostPairs) {
      if (llvm::is_contained(b, mine))
        result.insert(mine);
    } else {
      for (const TermId other : b)
        if (const auto load = common.ifExpressed(mine, other))
          result.insert(*load);
    }
  return result;
}

AheadProof::State AheadProof::joined(const State &a, const State &b) {
  Common common(terms_);
  State result = a;
  result.hasRepeated |= b.hasRepeated;
  result.stores.join(b.stores);
  joinSide(result.was, b.was, terms_, common);
  joinSide(result.now, b.now, terms_, common);
  for (const auto &[into, other] :
       {std::pair(&result.oldAhead, &b.oldAhead), std::pair(&result.newAhead, &b.newAhead)})
    for (size_t i = 0; i < into->size(); ++i)
      (*into)[i] = common.of((*into)[i], (*other)[i]);
  for (size_t i = 0; i < result.askedAhead.size(); ++i)
    result.askedAhead[i].condition =
        common.of(a.askedAhead[i].condition, b.askedAhead[i].condition);
  // What else is known counts as far as it is about these terms.
  result.facts = result.askedAhead;
  for (const Fact &mine : a.facts)
    for (const Fact &other : b.facts)
      if (mine.holds == other.holds)
        if (const auto condition = common.ifExpressed(mine.condition, other.condition);
            condition && !llvm::is_contained(result.facts, Fact{*condition, mine.holds}))
          result.facts.push_back({*condition, mine.holds});
  result.made = inBoth(a.made, b.made, common);
  auto since = inBoth(a.was.sinceBarrier, b.was.sinceBarrier, common);
  for (const auto &[mine, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const TermId access : mine->was.sinceBarrier)
      if (hasNotMade(*other, access))
        since.insert(access);
  result.was.sinceBarrier.assign(since.begin(), since.end());
  return result;
}

} // namespace rdna::verify
