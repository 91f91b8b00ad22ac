#include "Analysis/MostPairs.h"

#include <algorithm>
#include <queue>
#include <set>
#include <vector>

namespace rdna {

namespace {

using Lists = std::vector<std::vector<unsigned>>;

} // namespace

/// Of those that each needs, the ones that it does not need by way of another.
static Lists withoutDetours(llvm::ArrayRef<llvm::BitVector> needs) {
  Lists direct(needs.size());
  for (unsigned i = 0; i < needs.size(); ++i) {
    llvm::BitVector left = needs[i];
    for (int last = left.find_last(); last >= 0; last = left.find_last()) {
      direct[i].push_back(static_cast<unsigned>(last));
      left.reset(static_cast<unsigned>(last));
      left.reset(needs[static_cast<unsigned>(last)]);
    }
  }
  return direct;
}

/// Each operation's rank: from the end, the next one is that whose users' ranks, the highest first,
/// come first in the order of words.
static std::vector<unsigned> ranks(const Lists &direct) {
  const auto count = static_cast<unsigned>(direct.size());
  std::vector<unsigned> rank(count), users(count);
  Lists usersRanks(count); // rising, since ranks are given in order
  for (const auto &needed : direct)
    for (const unsigned n : needed)
      ++users[n];
  const auto isFirst = [&](unsigned a, unsigned b) {
    const auto order = std::lexicographical_compare_three_way(
        usersRanks[a].rbegin(), usersRanks[a].rend(), usersRanks[b].rbegin(), usersRanks[b].rend());
    return order != 0 ? order < 0 : a > b;
  };
  std::set<unsigned, decltype(isFirst)> ready(isFirst);
  for (unsigned i = 0; i < count; ++i)
    if (users[i] == 0)
      ready.insert(i);
  for (unsigned next = 0; next < count; ++next) {
    const unsigned i = *ready.begin();
    ready.erase(ready.begin());
    rank[i] = next;
    for (const unsigned n : direct[i]) {
      usersRanks[n].push_back(next);
      if (--users[n] == 0)
        ready.insert(n);
    }
  }
  return rank;
}

unsigned mostPairs(llvm::ArrayRef<llvm::BitVector> needs) {
  const Lists direct = withoutDetours(needs);
  const std::vector<unsigned> rank = ranks(direct);
  const auto count = static_cast<unsigned>(needs.size());
  Lists users(count);
  std::vector<unsigned> missing(count);
  for (unsigned i = 0; i < count; ++i) {
    missing[i] = static_cast<unsigned>(direct[i].size());
    for (const unsigned n : direct[i])
      users[n].push_back(i);
  }
  const auto isLater = [&](unsigned a, unsigned b) { return rank[a] < rank[b]; };
  std::priority_queue<unsigned, std::vector<unsigned>, decltype(isLater)> ready(isLater);
  for (unsigned i = 0; i < count; ++i)
    if (missing[i] == 0)
      ready.push(i);
  unsigned pairs = 0;
  while (!ready.empty()) {
    std::vector<unsigned> now;
    for (; now.size() < 2 && !ready.empty(); ready.pop())
      now.push_back(ready.top());
    pairs += now.size() == 2 ? 1 : 0;
    for (const unsigned i : now)
      for (const unsigned user : users[i])
        if (--missing[user] == 0)
          ready.push(user);
  }
  return pairs;
}

} // namespace rdna
