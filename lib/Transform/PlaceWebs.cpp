#include "Transform/PlaceWebs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <deque>
#include <tuple>

namespace rdna {

namespace {

class WebPlacement {
public:
  WebPlacement(const FunctionWebs &webs, const Interference &apart, std::vector<WebGroup> groups,
               unsigned budget)
      : webs_(webs), apart_(apart), groups_(std::move(groups)), budget_(budget),
        result_(registersAtHome(webs)), groupOf_(webs.home.size(), kNoGroup),
        others_(webs.home.size()), isPlaced_(groups_.size(), 0), driven_(groups_.size(), 0) {
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (const WebId w : groups_[g].webs)
        groupOf_[w] = g;
      waiting_.push_back(g);
    }
    for (const WebGroup &group : groups_)
      for (const WebId w : group.webs)
        for (const WebId other : apart_.others[w])
          if (groupOf_[other] != kNoGroup && groupOf_[other] != groupOf_[w])
            others_[w].push_back(other);
    for (const WebGroup &group : groups_)
      for (const WebId w : group.webs)
        for (unsigned reg = 0; reg < budget_; ++reg)
          takers_[reg] += !apart_.homes[w].test(reg);
  }

  std::optional<Registers> run() {
    // Most functions need a step for each group; the last holes take some rounds.
    const size_t most = 6 * groups_.size();
    for (size_t steps = 0; !waiting_.empty(); ++steps) {
      if (steps == most)
        return std::nullopt;
      const size_t g = waiting_.front();
      waiting_.pop_front();
      if (!place(g))
        return std::nullopt;
    }
    return std::move(result_);
  }

private:
  static constexpr size_t kNoGroup = ~size_t{0};
  static constexpr uint64_t kBlocked = ~uint64_t{0};
  /// As much as driving out somebody who has had to go that often.
  static constexpr uint64_t kWorseBank = 4;

  /// By register, what it would cost to drive out whoever stands in a web's way there.
  using Costs = std::array<uint64_t, 256>;

  Costs costsOf(WebId w) const {
    Costs costs{};
    for (unsigned reg = 0; reg < budget_; ++reg)
      if (apart_.homes[w].test(reg))
        costs[reg] = kBlocked;
    for (const WebId other : others_[w]) {
      const size_t g = groupOf_[other];
      if (!isPlaced_[g])
        continue;
      uint64_t &cost = costs[result_.of[other].number];
      if (cost != kBlocked)
        cost += groups_[g].webs.size() * (1 + driven_[g]);
    }
    return costs;
  }

  bool place(size_t g) {
    const WebGroup &group = groups_[g];
    std::vector<Costs> costs;
    costs.reserve(group.webs.size());
    for (const WebId w : group.webs)
      costs.push_back(costsOf(w));
    const auto costAt = [&](unsigned reg) {
      uint64_t sum = 0;
      for (size_t n = 0; n < costs.size(); ++n) {
        if (costs[n][reg + n] == kBlocked)
          return kBlocked;
        sum += costs[n][reg + n];
      }
      return sum;
    };
    const unsigned home = webs_.home[group.webs[0]].number;
    const bool isGoodHome =
        llvm::is_contained(llvm::ArrayRef(group.banks).take_front(2), home % 4) &&
        home + group.webs.size() <= budget_;
    unsigned best = home;
    uint64_t least = isGoodHome ? costAt(home) : kBlocked;
    // Of registers that cost the same the one that others can do least with.
    uint64_t fewest = least == 0 ? 0 : kBlocked;
    const auto look = [&](unsigned bank, uint64_t extra) {
      for (unsigned reg = bank; reg + group.webs.size() <= budget_; reg += 4) {
        const uint64_t cost = costAt(reg);
        if (cost == kBlocked)
          continue;
        uint64_t takers = 0;
        for (size_t n = 0; n < group.webs.size(); ++n)
          takers += takers_[reg + n];
        if (std::pair(cost + extra, takers) < std::pair(least, fewest)) {
          std::tie(least, fewest) = std::pair(cost + extra, takers);
          best = reg;
        }
      }
    };
    if (least != 0)
      for (const unsigned bank : group.banks)
        look(bank, 0);
    if (least != 0)
      for (const unsigned bank : group.worse)
        look(bank, kWorseBank);
    if (least == kBlocked)
      return false;
    for (size_t n = 0; n < group.webs.size(); ++n)
      take(group.webs[n], best + unsigned(n));
    isPlaced_[g] = 1;
    return true;
  }

  /// Whoever stands in the way has to look for another place.
  void take(WebId w, unsigned reg) {
    for (const WebId other : others_[w]) {
      const size_t g = groupOf_[other];
      if (!isPlaced_[g] || result_.of[other].number != reg)
        continue;
      isPlaced_[g] = 0;
      ++driven_[g];
      waiting_.push_back(g);
    }
    result_.of[w] = Vgpr{static_cast<uint8_t>(reg)};
  }

  const FunctionWebs &webs_;
  const Interference &apart_;
  const std::vector<WebGroup> groups_;
  const unsigned budget_;
  Registers result_;
  std::vector<size_t> groupOf_;            ///< By web.
  std::vector<std::vector<WebId>> others_; ///< By web: of other groups, whom it has to avoid.
  std::vector<uint8_t> isPlaced_;          ///< By group.
  std::vector<uint64_t> driven_;           ///< By group: how often somebody has driven it out.
  std::array<uint64_t, 256> takers_{};     ///< By register: whose home is not in the way.
  std::deque<size_t> waiting_;
};

} // namespace

std::optional<Registers> placeWebs(const FunctionWebs &webs, const Interference &apart,
                                   std::vector<WebGroup> groups, unsigned budget) {
  return WebPlacement(webs, apart, std::move(groups), budget).run();
}

} // namespace rdna
