//===- AllPairs.h - few cases in which every two values meet ---------------===//
#pragma once

#include "Support/Random.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace rdna::test {

/// Rows of one value (below its factor's size) for each factor: every pair of values of every two
/// factors is in some row. Greedy: of 30 random rows with a pair that is still missing, the one
/// that has most of those.
inline std::vector<std::vector<unsigned>> allPairs(const std::vector<unsigned> &sizes,
                                                   uint64_t seed) {
  using Pair = std::tuple<size_t, unsigned, size_t, unsigned>;
  std::set<Pair> missing;
  for (size_t f = 0; f < sizes.size(); ++f)
    for (size_t g = f + 1; g < sizes.size(); ++g)
      for (unsigned a = 0; a < sizes[f]; ++a)
        for (unsigned b = 0; b < sizes[g]; ++b)
          missing.emplace(f, a, g, b);
  const auto covered = [&](const std::vector<unsigned> &row) {
    std::vector<Pair> pairs;
    for (size_t f = 0; f < sizes.size(); ++f)
      for (size_t g = f + 1; g < sizes.size(); ++g)
        if (missing.contains({f, row[f], g, row[g]}))
          pairs.emplace_back(f, row[f], g, row[g]);
    return pairs;
  };
  Random random(seed);
  std::vector<std::vector<unsigned>> rows;
  while (!missing.empty()) {
    std::vector<unsigned> best;
    std::vector<Pair> most;
    for (unsigned attempt = 0; attempt < 30; ++attempt) {
      std::vector<unsigned> row;
      for (const unsigned size : sizes)
        row.push_back(random.below(size));
      const auto [f, a, g, b] = *missing.begin();
      row[f] = a;
      row[g] = b;
      auto pairs = covered(row);
      if (pairs.size() > most.size()) {
        best = row;
        most = std::move(pairs);
      }
    }
    for (const Pair &pair : most)
      missing.erase(pair);
    rows.push_back(best);
  }
  return rows;
}

} // namespace rdna::test
