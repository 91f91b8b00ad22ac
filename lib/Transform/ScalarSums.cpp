#include "Transform/ScalarSums.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace rdna {

using verify::ExprPool;
using verify::State;
using verify::Value;
using Width = ExprPool::Width;

std::optional<unsigned> findScalar(const ExprPool &pool, const State &state, Value value) {
  if (pool.asConstant(value))
    return std::nullopt;
  for (unsigned s = 0; s < 106; ++s)
    if (state[RegUnit::scalar(s)] == value)
      return s;
  return std::nullopt;
}

std::optional<std::pair<unsigned, unsigned>> findHalves(ExprPool &pool, const State &state,
                                                        Value wide) {
  const auto low = findScalar(pool, state, pool.lowOf(wide));
  const auto high = findScalar(pool, state, pool.highOf(wide));
  return low && high ? std::optional(std::pair(*low, *high)) : std::nullopt;
}

bool canMultiply(ExprPool &pool, const State &state, const ExprPool::Term &term) {
  if (term.atoms.size() == 1 && term.factor == 1 && findHalves(pool, state, term.atoms[0]))
    return true;
  // A factor of two values becomes a shift.
  if (term.atoms.empty() || term.atoms.size() > 2 ||
      (term.atoms.size() == 2 && !llvm::isPowerOf2_64(term.factor)))
    return false;
  return std::all_of(term.atoms.begin(), term.atoms.end(), [&](Value atom) {
    const auto value = pool.extendedIn(atom);
    return value && findScalar(pool, state, *value);
  });
}

ScalarSums::ScalarSums(ExprPool &pool, const State &state, const std::bitset<kRegUnits> &stable)
    : pool_(pool), state_(state) {
  for (unsigned s = 0; s + 1 < 106; s += 2) {
    const RegUnit low = RegUnit::scalar(s), high = RegUnit::scalar(s + 1);
    const bool lasts = stable.test(low.index) && stable.test(high.index);
    known_.push_back({pool.wideOf(state[low], state[high]), s, lasts ? Lasts::Yes : Lasts::No});
  }
}

const ScalarSums::Known *ScalarSums::find(Value value) const {
  for (const Known &known : known_)
    if (known.value == value)
      return &known;
  return nullptr;
}

Arg ScalarSums::scalar(unsigned number) {
  reads_.set(RegUnit::scalar(number).index);
  return sgpr(number);
}

/// Instructions that add `difference`, roughly.
std::optional<unsigned> ScalarSums::costOf(Value difference) {
  if (find(difference))
    return 2;
  unsigned cost = 0;
  for (const ExprPool::Term &term : pool_.termsOf(difference, Width::Qword)) {
    if (term.atoms.empty())
      cost += term.factor ? 2 : 0;
    else if (static_cast<int64_t>(term.factor) > 0 && term.factor >> 32 == 0 &&
             canMultiply(pool_, state_, term))
      cost += 4;
    else
      return std::nullopt;
  }
  return cost;
}

/// A pair with one term in it.
std::optional<unsigned> ScalarSums::product(const ExprPool::Term &term,
                                            llvm::function_ref<std::optional<unsigned>()> takePair,
                                            std::vector<Inst> &lines) {
  const Value value = pool_.fromTerms({term}, Width::Qword);
  if (const Known *known = find(value))
    return known->pair;
  const auto pair = takePair();
  if (!pair)
    return std::nullopt;
  if (const auto halves = term.atoms.size() == 1 && term.factor == 1
                              ? findHalves(pool_, state_, term.atoms[0])
                              : std::nullopt) {
    lines.push_back(build(Op::s_mov_b32, {sgpr(*pair), scalar(halves->first)}));
    lines.push_back(build(Op::s_mov_b32, {sgpr(*pair + 1), scalar(halves->second)}));
    known_.push_back({value, *pair, Lasts::Yes});
    return pair;
  }
  const auto factor = [&](size_t n) {
    return scalar(*findScalar(pool_, state_, *pool_.extendedIn(term.atoms[n])));
  };
  const Arg a = factor(0);
  const Arg b = term.atoms.size() == 2 ? factor(1) : imm(static_cast<int64_t>(term.factor));
  lines.push_back(build(Op::s_mul_i32, {sgpr(*pair), a, b}));
  lines.push_back(build(Op::s_mul_hi_u32, {sgpr(*pair + 1), a, b}));
  if (term.atoms.size() == 2 && term.factor != 1)
    lines.push_back(
        build(Op::s_lshl_b64, {sgprPair(*pair), sgprPair(*pair), imm(llvm::Log2_64(term.factor))}));
  known_.push_back({value, *pair, Lasts::Yes});
  return pair;
}

bool ScalarSums::addTo(unsigned target, unsigned from, Value difference,
                       llvm::function_ref<std::optional<unsigned>()> takePair,
                       std::vector<Inst> &lines) {
  const auto add = [&](const Arg &low, const Arg &high) {
    lines.push_back(build(Op::s_add_u32, {sgpr(target), scalar(from), low}));
    lines.push_back(build(Op::s_addc_u32, {sgpr(target + 1), scalar(from + 1), high}));
    from = target;
  };
  if (const Known *known = find(difference)) {
    add(scalar(known->pair), scalar(known->pair + 1));
    return true;
  }
  for (const ExprPool::Term &term : pool_.termsOf(difference, Width::Qword)) {
    if (term.atoms.empty()) {
      if (term.factor != 0)
        add(imm(uint32_t(term.factor)), imm(uint32_t(term.factor >> 32)));
    } else if (term.atoms.size() == 1 && term.factor == 1) {
      add(scalar(*findScalar(pool_, state_, *pool_.extendedIn(term.atoms[0]))), imm(0));
    } else {
      const auto pair = product(term, takePair, lines);
      if (!pair)
        return false;
      add(scalar(*pair), scalar(*pair + 1));
    }
  }
  if (from != target) { // Nothing to add, but the register does not last.
    reads_.set(RegUnit::scalar(from).index).set(RegUnit::scalar(from + 1).index);
    lines.push_back(build(Op::s_mov_b64, {sgprPair(target), sgprPair(from)}));
  }
  return true;
}

/// Puts the halves of a pointer that some value starts from where they make a pair.
bool ScalarSums::makeHalves(llvm::ArrayRef<Value> values,
                            llvm::function_ref<std::optional<unsigned>()> takePair,
                            std::vector<Inst> &lines) {
  for (const Value value : values)
    for (const ExprPool::Term &term : pool_.termsOf(value, Width::Qword))
      if (term.atoms.size() == 1 && term.factor == 1 && !find(term.atoms[0]) &&
          findHalves(pool_, state_, term.atoms[0]))
        return product(term, takePair, lines).has_value();
  return false;
}

std::map<Value, unsigned> ScalarSums::make(std::vector<Value> values,
                                           llvm::function_ref<std::optional<unsigned>()> takePair,
                                           std::vector<Inst> &lines) {
  std::map<Value, unsigned> made;
  reads_.reset();
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const Value zero = pool_.wideConstant(0);
  while (!values.empty()) {
    struct {
      unsigned cost = ~0u;
      size_t target = 0, from = 0;
      Value difference = 0;
    } best;
    for (size_t t = 0; t < values.size(); ++t)
      for (size_t k = 0; k < known_.size(); ++k) {
        const Value difference = pool_.wideSum(values[t], pool_.wideNegated(known_[k].value));
        const auto cost = difference == zero
                              ? std::optional(known_[k].lasts == Lasts::Yes ? 0u : 1u)
                              : costOf(difference);
        if (cost && *cost < best.cost)
          best = {*cost, t, k, difference};
      }
    if (best.cost == ~0u && makeHalves(values, takePair, lines))
      continue;
    if (best.cost == ~0u)
      return made;
    const Value value = values[best.target];
    values.erase(values.begin() + std::ptrdiff_t(best.target));
    if (best.cost == 0) {
      made[value] = known_[best.from].pair;
      continue;
    }
    const size_t soFar = lines.size();
    const auto target = takePair();
    if (!target || !addTo(*target, known_[best.from].pair, best.difference, takePair, lines)) {
      lines.erase(lines.begin() + std::ptrdiff_t(soFar), lines.end());
      return made;
    }
    known_.push_back({value, *target, Lasts::Yes});
    made[value] = *target;
  }
  return made;
}

} // namespace rdna
