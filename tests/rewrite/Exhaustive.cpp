#include "Exhaustive.h"

#include <bit>
#include <unordered_map>

namespace rdna::rewrite {

namespace {

class Search {
public:
  Search(const std::vector<SearchNode> &nodes, uint64_t steps)
      : nodes_(nodes), steps_(steps),
        all_(nodes.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << nodes.size()) - 1) {}

  /// Can everything be issued within these counts?
  bool feasible(IssueCounts budget) {
    failed_.clear();
    return complete(0, budget);
  }
  bool gaveUp() const { return used_ > steps_; }

private:
  static uint64_t bit(uint32_t n) { return uint64_t{1} << n; }

  bool complete(uint64_t done, IssueCounts left) {
    const uint64_t open = all_ & ~done;
    if (open == 0)
      return true;
    if (2 * left.issues < static_cast<unsigned>(std::popcount(open)) || ++used_ > steps_)
      return false;
    const unsigned key = left.issues * 128 + left.singles;
    if (const auto it = failed_.find(done); it != failed_.end())
      for (const unsigned known : it->second)
        if (known / 128 >= left.issues && known % 128 >= left.singles)
          return false;
    if (tryPairs(done, open, left) || tryAlone(done, open, left))
      return true;
    if (!gaveUp())
      failed_[done].push_back(key);
    return false;
  }

  bool ready(uint32_t n, uint64_t done, uint64_t with) const {
    return (nodes_[n].before & ~done) == 0 && (nodes_[n].notAfter & ~(done | with)) == 0;
  }

  /// Dual FMACs first: where the budget allows a solution, it is soon found.
  bool tryPairs(uint64_t done, uint64_t open, IssueCounts left) {
    for (const bool dual : {true, false})
      for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
        const auto a = static_cast<uint32_t>(std::countr_zero(rest));
        if ((nodes_[a].before & ~done) != 0)
          continue;
        const uint64_t fmacs = nodes_[a].fmacPartners;
        uint64_t partners = (dual ? fmacs : nodes_[a].partners & ~fmacs) & rest & ~bit(a);
        for (; partners != 0; partners &= partners - 1) {
          const auto b = static_cast<uint32_t>(std::countr_zero(partners));
          if (!ready(a, done, bit(b)) || !ready(b, done, bit(a)))
            continue;
          const unsigned singles = dual ? 0 : nodes_[a].costAlone + nodes_[b].costAlone;
          if (singles > left.singles)
            continue;
          if (complete(done | bit(a) | bit(b), {left.issues - 1, left.singles - singles}))
            return true;
          if (gaveUp())
            return false;
        }
      }
    return false;
  }

  bool tryAlone(uint64_t done, uint64_t open, IssueCounts left) {
    for (uint64_t rest = open; rest != 0; rest &= rest - 1) {
      const auto a = static_cast<uint32_t>(std::countr_zero(rest));
      if (!ready(a, done, 0) || nodes_[a].costAlone > left.singles)
        continue;
      if (complete(done | bit(a), {left.issues - 1, left.singles - nodes_[a].costAlone}))
        return true;
      if (gaveUp())
        return false;
    }
    return false;
  }

  const std::vector<SearchNode> &nodes_;
  uint64_t steps_, used_ = 0, all_;
  /// Budgets with which a set of issued operations is known to be a dead end.
  std::unordered_map<uint64_t, std::vector<unsigned>> failed_;
};

} // namespace

std::optional<IssueCounts> fewestIssues(const std::vector<SearchNode> &nodes,
                                        IssueCounts lowerBound, Priority priority, uint64_t steps) {
  if (nodes.size() > 64)
    return std::nullopt;
  Search search(nodes, steps);
  IssueCounts most{static_cast<unsigned>(nodes.size()), 0};
  for (const SearchNode &node : nodes)
    most.singles += node.costAlone;
  unsigned IssueCounts::*const first =
      priority == Priority::Issues ? &IssueCounts::issues : &IssueCounts::singles;
  unsigned IssueCounts::*const second =
      priority == Priority::Issues ? &IssueCounts::singles : &IssueCounts::issues;
  // The second count does not matter at first: what is out of reach is settled at once.
  IssueCounts budget = lowerBound;
  for (;; ++(budget.*first)) {
    IssueCounts loose = most;
    loose.*first = budget.*first;
    if (search.feasible(loose))
      break;
    if (search.gaveUp() || budget.*first >= most.*first)
      return std::nullopt;
    budget.*second = 0;
  }
  while (budget.*second < most.*second && !search.feasible(budget)) {
    if (search.gaveUp())
      return std::nullopt;
    ++(budget.*second);
  }
  return budget;
}

} // namespace rdna::rewrite
