//===- AllPairs.h - few cases in which every two values meet ---------------===//
#pragma once

#include "Support/Random.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

namespace rdna::test {

using CaseRow = std::vector<unsigned>;

struct Cover {
  std::vector<CaseRow> rows;
  size_t pairs = 0;      ///< That are in some row.
  size_t impossible = 0; ///< For which no row was found that may be.
};

/// Rows of one value (below its factor's size) for each factor: every pair of values of every two
/// factors is in some row, if a row with it may be. Greedy: of 30 random rows with a pair that is
/// still missing, the one that has most of those.
inline Cover allPairs(const std::vector<unsigned> &sizes, uint64_t seed,
                      const std::function<bool(const CaseRow &)> &mayBe = {}) {
  using Pair = std::tuple<size_t, unsigned, size_t, unsigned>;
  std::set<Pair> missing;
  for (size_t f = 0; f < sizes.size(); ++f)
    for (size_t g = f + 1; g < sizes.size(); ++g)
      for (unsigned a = 0; a < sizes[f]; ++a)
        for (unsigned b = 0; b < sizes[g]; ++b)
          missing.emplace(f, a, g, b);
  const auto covered = [&](const CaseRow &row) {
    std::vector<Pair> pairs;
    for (size_t f = 0; f < sizes.size(); ++f)
      for (size_t g = f + 1; g < sizes.size(); ++g)
        if (missing.contains({f, row[f], g, row[g]}))
          pairs.emplace_back(f, row[f], g, row[g]);
    return pairs;
  };
  constexpr unsigned good = 30, most = 2000;
  Random random(seed);
  Cover cover;
  while (!missing.empty()) {
    CaseRow best;
    std::vector<Pair> found;
    unsigned possible = 0;
    for (unsigned attempt = 0; attempt < most && possible < good; ++attempt) {
      CaseRow row;
      for (const unsigned size : sizes)
        row.push_back(random.below(size));
      const auto [f, a, g, b] = *missing.begin();
      row[f] = a;
      row[g] = b;
      if (mayBe && !mayBe(row))
        continue;
      ++possible;
      auto pairs = covered(row);
      if (pairs.size() > found.size()) {
        best = row;
        found = std::move(pairs);
      }
    }
    if (possible == 0) {
      missing.erase(missing.begin());
      ++cover.impossible;
      continue;
    }
    for (const Pair &pair : found)
      missing.erase(pair);
    cover.pairs += found.size();
    cover.rows.push_back(best);
  }
  return cover;
}

} // namespace rdna::test
