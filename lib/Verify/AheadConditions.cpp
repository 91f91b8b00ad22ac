// What is known of conditions on a way of two texts, and where ways part.

#include "Verify/AheadProof.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <map>

namespace rdna::verify {

static constexpr size_t kMostOpen = 256;     ///< States between two synchronisation points.
static constexpr unsigned kMostForks = 4096; ///< On all ways from one place where ways meet.
static constexpr size_t kMostFacts = 1024;   ///< That one state has decided.

TermId AheadProof::baseOf(TermId condition) const {
  const Term &term = terms_[condition];
  return term.kind == Term::Kind::Not ? term.args[0] : condition;
}

/// Decided or not: one of the texts goes by it here.
std::optional<bool> AheadProof::asked(State &state, TextSide which, TermId condition) const {
  const TermId base = baseOf(condition);
  (which == TextSide::Old ? state.oldOwes : state.newOwes).erase(base);
  if (which == TextSide::Old)
    llvm::erase_if(state.askedAhead, [&](const Fact &fact) { return fact.condition == base; });
  return decided(state, condition);
}

std::optional<bool> AheadProof::decided(const State &state, TermId condition) const {
  if (const auto number = terms_.asNumber(condition))
    return *number != 0;
  const TermId base = baseOf(condition);
  const bool isNegated = base != condition;
  for (const Fact &fact : state.facts)
    if (fact.condition == base)
      return fact.holds != isNegated;
  return decidedByValues(state, condition);
}

/// Of a dword with few bits: what is decided leaves some of its values, for which the condition is
/// one and the same. So a loop over what is left of K ends, with nothing known of K.
std::optional<bool> AheadProof::decidedByValues(const State &state, TermId condition) const {
  constexpr int mostBits = 6;
  const auto masked = terms_.maskedOf(condition);
  if (!masked || std::popcount(terms_[*masked].number) > mostBits)
    return std::nullopt;
  const uint32_t mask = terms_[*masked].number;
  std::optional<bool> result;
  uint32_t value = 0;
  do {
    const bool isPossible = llvm::all_of(state.facts, [&](const Fact &fact) {
      const auto is = terms_.valueWhere(fact.condition, *masked, value);
      return !is || (*is != 0) == fact.holds;
    });
    const auto holds = terms_.valueWhere(condition, *masked, value);
    if (isPossible && (!holds || result.value_or(*holds != 0) != (*holds != 0)))
      return std::nullopt;
    if (isPossible)
      result = *holds != 0;
    value = (value - mask) & mask; // The next number of these bits.
  } while (value != 0);
  return result;
}

/// Are they one where the state's conditions hold? They select what is known to be selected.
bool AheadProof::areSame(const State &state, TermId a, TermId b) {
  if (a == b)
    return true;
  std::map<TermId, TermId> known;
  const auto selected = [&](auto &&self, TermId term) -> TermId {
    if (const auto it = known.find(term); it != known.end())
      return it->second;
    Term whole = terms_[term];
    for (TermId &arg : whole.args)
      arg = self(self, arg);
    if (whole.kind == Term::Kind::Select)
      if (const auto isFirst = decided(state, whole.args[0]))
        whole.args[0] = terms_.constant(*isFirst ? 1 : 0);
    const TermId result = terms_.rewritten(std::move(whole));
    known.emplace(term, result);
    return result;
  };
  return selected(selected, a) == selected(selected, b);
}

/// Behind a loop that counts up to a number that nobody knows that number is what was counted.
void AheadProof::learn(State &state, const Fact &fact) const {
  const Term &condition = terms_[fact.condition];
  if (condition.kind != Term::Kind::IsEqual || !fact.holds)
    return;
  for (const size_t n : {0, 1}) {
    const auto number = terms_.asNumber(condition.args[n]);
    if (!number)
      continue;
    for (AheadSide *side : {&state.was, &state.now})
      for (unsigned i = RegUnit::kScalarBase; i < kRegUnits; ++i) {
        const RegUnit unit{static_cast<uint16_t>(i)};
        const KnownValue &value = side->values[unit];
        if (unit != kExecLo && side->terms[i] == condition.args[1 - n] && value.isUniform &&
            !isKnown(value))
          side->values.setNumber(unit, *number);
      }
  }
}

/// On with the condition, and later without it.
AheadProof::Fault AheadProof::fork(State &state, TextSide which, TermId condition) {
  if (open_.size() >= kMostOpen || state.facts.size() >= kMostFacts || ++forks_ > kMostForks)
    return faultAt(state, which, "there are too many ways to follow them all");
  const TermId base = baseOf(condition);
  state.hasForked = true;
  ++state.forks;
  (which == TextSide::Old ? state.newOwes : state.oldOwes).insert(base);
  State other = state;
  for (State *way : {&state, &other}) {
    const Fact fact{base, way == &state};
    way->facts.push_back(fact);
    learn(*way, fact);
    constexpr size_t mostAhead = 16; // What the original never asks would stay for ever.
    if (which == TextSide::Old)
      continue;
    if (way->askedAhead.size() >= mostAhead)
      way->askedAhead.erase(way->askedAhead.begin());
    way->askedAhead.push_back(fact);
  }
  open_.push_back(std::move(other));
  return std::nullopt;
}

} // namespace rdna::verify
