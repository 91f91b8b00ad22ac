#include "Transform/SumParities.h"

#include "Transform/PlaceWebs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {
namespace {

class Balancer {
public:
  Balancer(const FactorSite &site, llvm::ArrayRef<uint64_t> weights)
      : site_(site), webs_(site.webs), weights_(weights), isOdd_(webs_.home.size()),
        mayMove_(webs_.home.size(), 0), isSum_(webs_.home.size(), 0), stepsOf_(webs_.home.size()),
        blocks_(site.cfg.blocks.size()),
        tuples_(findTuples(site.module, webs_, [](const OperandWeb &) { return false; })) {
    for (WebId w = 0; w < isOdd_.size(); ++w)
      isOdd_[w] = webs_.home[w].number & 1;
    countSteps();
    for (const std::vector<WebId> &tuple : tuples_)
      if (tuple.size() == 1)
        mayMove_[tuple.front()] = isSum_[tuple.front()];
  }

  Registers run() {
    const std::vector<uint8_t> home = isOdd_;
    while (const auto best = bestFlip())
      flip(*best);
    if (isOdd_ == home)
      return registersAtHome(webs_);
    for (const Others others : {Others::Stay, Others::Singles, Others::All})
      if (auto placed = place(home, others))
        return std::move(*placed);
    return registersAtHome(webs_);
  }

private:
  /// FMACs of a block.
  struct Balance {
    int64_t odd = 0;  ///< Results in odd registers, less those in even ones.
    int64_t free = 0; ///< Results that do not leave the block and go anywhere.
  };

  void countSteps() {
    std::vector<uint8_t> crosses(webs_.home.size(), 0);
    for (const auto &start : webs_.atStart)
      for (const WebId w : start)
        if (w != kNoWeb)
          crosses[w] = 1;
    for (const FmacWebs &fmac : findFmacs(site_)) {
      Balance &here = blocks_[fmac.block];
      if (fmac.sum == kNoWeb || !crosses[fmac.sum]) {
        ++here.free;
        continue;
      }
      here.odd += isOdd_[fmac.sum] ? 1 : -1;
      isSum_[fmac.sum] = 1;
      auto &steps = stepsOf_[fmac.sum];
      if (steps.empty() || steps.back().first != fmac.block)
        steps.emplace_back(fmac.block, 0);
      ++steps.back().second;
    }
  }

  /// FMACs that a block leaves single for want of the other parity, by its weight.
  uint64_t costOf(uint32_t block, int64_t odd) const {
    const int64_t left = std::abs(odd) - blocks_[block].free;
    return left <= 1 ? 0 : weights_[block] * static_cast<uint64_t>(left);
  }

  std::optional<WebId> bestFlip() const {
    std::optional<WebId> best;
    int64_t most = 0;
    for (WebId w = 0; w < isOdd_.size(); ++w) {
      if (!mayMove_[w])
        continue;
      int64_t gain = 0;
      for (const auto &[block, steps] : stepsOf_[w]) {
        const int64_t odd = blocks_[block].odd;
        const int64_t now = odd + (isOdd_[w] ? -2 : 2) * static_cast<int64_t>(steps);
        gain += static_cast<int64_t>(costOf(block, odd)) - static_cast<int64_t>(costOf(block, now));
      }
      if (gain > most) {
        most = gain;
        best = w;
      }
    }
    return best;
  }

  void flip(WebId w) {
    for (const auto &[block, steps] : stepsOf_[w])
      blocks_[block].odd += (isOdd_[w] ? -2 : 2) * static_cast<int64_t>(steps);
    isOdd_[w] ^= 1;
  }

  /// What else may change its register, to make room.
  enum class Others : uint8_t { Stay, Singles, All };

  std::optional<Registers> place(const std::vector<uint8_t> &home, Others others) const {
    std::vector<uint8_t> asked(webs_.home.size(), 0);
    std::vector<WebGroup> groups;
    for (const std::vector<WebId> &tuple : tuples_) {
      const WebId first = tuple.front();
      const bool isFlipped = isOdd_[first] != home[first];
      if (!isFlipped && (others == Others::Stay || (others == Others::Singles && tuple.size() > 1)))
        continue;
      for (const WebId w : tuple)
        asked[w] = 1;
      const unsigned bank = (webs_.home[first].number & 3U) ^ (isFlipped ? 1U : 0U);
      groups.push_back({tuple, {bank, bank ^ 2}});
      if (tuple.size() == 1 && !isSum_[first])
        groups.back().worse = {bank ^ 1, bank ^ 3};
    }
    llvm::stable_sort(
        groups, [](const WebGroup &a, const WebGroup &b) { return a.webs.size() > b.webs.size(); });
    const Interference apart = findInterference(site_.module, site_.cfg, site_.liveness, webs_,
                                                asked, [](const Instruction &) { return false; });
    return placeWebs(webs_, apart, std::move(groups), site_.budget);
  }

  const FactorSite &site_;
  const FunctionWebs &webs_;
  const llvm::ArrayRef<uint64_t> weights_;
  std::vector<uint8_t> isOdd_, mayMove_, isSum_; ///< By web.
  /// By web: how many FMACs of a block add to it.
  std::vector<std::vector<std::pair<uint32_t, unsigned>>> stepsOf_;
  std::vector<Balance> blocks_;
  const std::vector<std::vector<WebId>> tuples_;
};

} // namespace

Registers balanceSums(const FactorSite &site, llvm::ArrayRef<uint64_t> weights) {
  return Balancer(site, weights).run();
}

} // namespace rdna
