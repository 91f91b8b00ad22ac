#include "Symbolic/LaneFunctions.h"

#include <algorithm>

namespace rdna::verify {

void LaneFunctions::clear() {
  unique_.clear();
  chosen_.clear();
  nodes_.assign({{kNoVariable, kNone, kNone}, {kNoVariable, kAll, kAll}});
}

/// One node for each function: none that asks what does not matter, none twice.
LaneFunctions::Function LaneFunctions::node(uint32_t variable, Function ifSet, Function ifClear) {
  if (ifSet == ifClear)
    return ifSet;
  const auto [it, isNew] =
      unique_.try_emplace(Key{variable, ifSet, ifClear}, static_cast<Function>(nodes_.size()));
  if (isNew)
    nodes_.push_back({variable, ifSet, ifClear});
  return it->second;
}

LaneFunctions::Result LaneFunctions::choose(Function which, Function ifSet, Function ifClear) {
  unsigned steps = kMostSteps;
  return chosen(which, ifSet, ifClear, steps);
}

LaneFunctions::Result LaneFunctions::differing(Function a, Function b) {
  const Result other = complement(b);
  return other ? choose(a, *other, b) : std::nullopt;
}

/// Shannon's expansion by the least variable of the three.
LaneFunctions::Result LaneFunctions::chosen(Function which, Function ifSet, Function ifClear,
                                            unsigned &steps) {
  if (which == kAll || ifSet == ifClear)
    return ifSet;
  if (which == kNone)
    return ifClear;
  if (ifSet == kAll && ifClear == kNone)
    return which;
  const Key key{which, ifSet, ifClear};
  if (const auto it = chosen_.find(key); it != chosen_.end())
    return it->second;
  if (steps == 0)
    return std::nullopt;
  --steps;
  const uint32_t variable =
      std::min({nodes_[which].variable, nodes_[ifSet].variable, nodes_[ifClear].variable});
  const auto half = [&](bool isSet) {
    return chosen(given(which, variable, isSet), given(ifSet, variable, isSet),
                  given(ifClear, variable, isSet), steps);
  };
  const Result set = half(true);
  const Result clear = set ? half(false) : std::nullopt;
  if (!clear)
    return std::nullopt;
  const Function result = node(variable, *set, *clear);
  chosen_.try_emplace(key, result);
  return result;
}

LaneFunctions::Result LaneFunctions::without(Function f, uint32_t variable) {
  const auto as = [&](Function value) {
    return replaced(f, [&](uint32_t v) -> Result { return v == variable ? value : atom(v); });
  };
  const Result set = as(kAll);
  const Result clear = set ? as(kNone) : std::nullopt;
  return clear ? either(*set, *clear) : std::nullopt;
}

LaneFunctions::Result LaneFunctions::replaced(Function f, llvm::function_ref<Result(uint32_t)> by) {
  llvm::DenseMap<Function, Function> known;
  unsigned steps = kMostSteps;
  return replaced(f, by, known, steps);
}

LaneFunctions::Result LaneFunctions::replaced(Function f, llvm::function_ref<Result(uint32_t)> by,
                                              llvm::DenseMap<Function, Function> &known,
                                              unsigned &steps) {
  if (f == kNone || f == kAll)
    return f;
  if (const auto it = known.find(f); it != known.end())
    return it->second;
  if (steps == 0)
    return std::nullopt;
  --steps;
  const Decision made = nodes_[f];
  const Result which = by(made.variable);
  const Result set = which ? replaced(made.ifSet, by, known, steps) : std::nullopt;
  const Result clear = set ? replaced(made.ifClear, by, known, steps) : std::nullopt;
  const Result result = clear ? chosen(*which, *set, *clear, steps) : std::nullopt;
  if (result)
    known.try_emplace(f, *result);
  return result;
}

llvm::SmallVector<uint32_t, 8> LaneFunctions::variablesOf(Function f) const {
  llvm::SmallVector<uint32_t, 8> result;
  llvm::SmallVector<Function, 16> work{f};
  llvm::DenseMap<Function, char> seen;
  while (!work.empty()) {
    const Function next = work.pop_back_val();
    if (next == kNone || next == kAll || !seen.try_emplace(next).second)
      continue;
    result.push_back(nodes_[next].variable);
    work.append({nodes_[next].ifSet, nodes_[next].ifClear});
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool LaneFunctions::holdsOfNone(Function f) const {
  while (f != kNone && f != kAll)
    f = nodes_[f].ifClear;
  return f == kAll;
}

} // namespace rdna::verify
