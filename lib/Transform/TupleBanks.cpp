#include "Transform/TupleBanks.h"

#include "Transform/PlaceWebs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

namespace rdna {
namespace {

class TupleMover {
public:
  explicit TupleMover(const FactorSite &site)
      : site_(site), fmacs_(findFmacs(site)),
        tuples_(findTuples(module_, webs_, [](const OperandWeb &) { return false; })),
        place_(webs_.home.size()) {
    llvm::erase_if(fmacs_, [](const FmacWebs &f) { return !f.isProduct() || f.sum == kNoWeb; });
    for (uint32_t t = 0; t < tuples_.size(); ++t) {
      bank_.push_back(webs_.home[tuples_[t].front()].number % 4U);
      for (uint32_t n = 0; n < tuples_[t].size(); ++n)
        place_[tuples_[t][n]] = {t, n};
    }
    users_.resize(tuples_.size());
    for (uint32_t i = 0; i < fmacs_.size(); ++i)
      for (const WebId factor : {fmacs_[i].a, fmacs_[i].b})
        if (const auto t = place_[factor].tuple;
            t && (users_[*t].empty() || users_[*t].back() != i))
          users_[*t].push_back(i);
  }

  Registers run() {
    if (!improve())
      return registersAtHome(webs_);
    couple();
    for (const Others others : {Others::AtHome, Others::InTheirBanks})
      if (auto placed = placeWebs(webs_, interference(others), groups(others), budget_))
        return std::move(*placed);
    return registersAtHome(webs_);
  }

private:
  /// FMACs so near each other may become partners.
  static constexpr uint32_t kNear = 16;

  struct Place {
    std::optional<uint32_t> tuple; ///< None of those that stay.
    uint32_t index = 0;
  };

  unsigned bankOf(WebId w) const {
    const Place &place = place_[w];
    return place.tuple ? (bank_[*place.tuple] + place.index) % 4 : webs_.home[w].number % 4U;
  }
  bool isSingle(WebId w) const { return place_[w].tuple && tuples_[*place_[w].tuple].size() == 1; }

  /// May they share a VOPD, without conflict and hazard? Sums that are no part of tuples are given
  /// the parities that suit.
  bool fit(const FmacWebs &x, const FmacWebs &y) const {
    if (x.sum == y.sum || x.block != y.block)
      return false;
    if (!isSingle(x.sum) && !isSingle(y.sum) && (bankOf(x.sum) + bankOf(y.sum)) % 2 == 0)
      return false;
    const WebId all[] = {x.a, x.b, y.a, y.b};
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = i + 1; j < 4; ++j)
        if (all[i] != all[j] && bankOf(all[i]) == bankOf(all[j]))
          return false;
    const auto inOneSlot = [&](WebId v, WebId w) { return (bankOf(v) + bankOf(w)) % 2 != 0; };
    return (inOneSlot(x.a, y.a) && inOneSlot(x.b, y.b)) ||
           (inOneSlot(x.a, y.b) && inOneSlot(x.b, y.a));
  }

  /// What the FMACs of a tuple are worth as things stand: partners that they could have, less what
  /// keeps a product from ever having one.
  int worth(uint32_t tuple) const {
    constexpr int kConflict = 4 * kNear;
    int sum = 0;
    for (const uint32_t i : users_[tuple]) {
      const unsigned a = bankOf(fmacs_[i].a), b = bankOf(fmacs_[i].b);
      sum -= a == b ? kConflict : a % 2 == b % 2 ? kConflict / 4 : 0;
      const uint32_t first = i < kNear ? 0 : i - kNear;
      const uint32_t last = std::min<uint32_t>(i + kNear, static_cast<uint32_t>(fmacs_.size()) - 1);
      for (uint32_t j = first; j <= last; ++j)
        if (j > i || (j < i && !llvm::binary_search(users_[tuple], j)))
          sum += fit(fmacs_[i], fmacs_[j]) ? 1 : 0;
    }
    return sum;
  }

  /// Gives each tuple in turn the bank that is best while the others stay, until none gains. False
  /// if none has moved.
  bool improve() {
    constexpr unsigned kMostRounds = 8;
    const std::vector<unsigned> home = bank_;
    bool moves = true;
    for (unsigned round = 0; moves && round < kMostRounds; ++round) {
      moves = false;
      for (uint32_t t = 0; t < tuples_.size(); ++t) {
        if (users_[t].empty())
          continue;
        const unsigned was = bank_[t];
        unsigned best = was;
        int most = worth(t);
        for (unsigned other = 1; other < 4; ++other) {
          bank_[t] = (was + other) % 4;
          if (const int now = worth(t); now > most) {
            most = now;
            best = bank_[t];
          }
        }
        bank_[t] = best;
        moves |= best != was;
      }
    }
    return bank_ != home;
  }

  /// Sums that could often share a VOPD get different parities.
  void couple() {
    CoupleCounts meetings;
    for (uint32_t i = 0; i < fmacs_.size(); ++i)
      for (uint32_t j = i + 1; j <= i + kNear && j < fmacs_.size(); ++j)
        if (fit(fmacs_[i], fmacs_[j]))
          meetings[std::minmax(fmacs_[i].sum, fmacs_[j].sum)] += kNear + 1 - (j - i);
    parity_.assign(webs_.home.size(), std::nullopt);
    std::vector<uint8_t> isCoupled(webs_.home.size(), 0);
    takeCouples(meetings, isCoupled, [&](WebId x, WebId y) {
      if (!isSingle(y))
        std::swap(x, y); // The second one yields.
      parity_[x] = bankOf(x) % 2;
      parity_[y] = 1 - *parity_[x];
      return true;
    });
  }

  /// What else becomes of values that have nothing to gain.
  enum class Others : uint8_t { AtHome, InTheirBanks };

  bool isAsked(uint32_t tuple, Others others) const {
    return others == Others::InTheirBanks || !users_[tuple].empty() ||
           parity_[tuples_[tuple].front()];
  }

  Interference interference(Others others) const {
    std::vector<uint8_t> asked(webs_.home.size(), 0);
    for (uint32_t t = 0; t < tuples_.size(); ++t)
      for (const WebId w : tuples_[t])
        asked[w] = isAsked(t, others) ? 1 : 0;
    return findInterference(module_, cfg_, liveness_, webs_, asked,
                            [](const Instruction &) { return false; });
  }

  std::vector<WebGroup> groups(Others others) const {
    std::vector<WebGroup> all;
    for (uint32_t t = 0; t < tuples_.size(); ++t) {
      if (!isAsked(t, others))
        continue;
      WebGroup group{tuples_[t], {bank_[t]}};
      const auto parity = parity_[tuples_[t].front()];
      if (users_[t].empty() && parity && tuples_[t].size() == 1)
        group.banks = {*parity, *parity + 2};
      else if (users_[t].empty())
        group.banks = {bank_[t], (bank_[t] + 2) % 4};
      all.push_back(std::move(group));
    }
    llvm::stable_sort(all, [](const WebGroup &x, const WebGroup &y) {
      return std::pair(y.webs.size(), x.banks.size()) < std::pair(x.webs.size(), y.banks.size());
    });
    return all;
  }

  const FactorSite site_;
  const Module &module_ = site_.module;
  const Cfg &cfg_ = site_.cfg;
  const Liveness &liveness_ = site_.liveness;
  const FunctionWebs &webs_ = site_.webs;
  const unsigned budget_ = site_.budget;
  std::vector<FmacWebs> fmacs_; ///< Those with two factors and a sum in VGPRs.
  const std::vector<std::vector<WebId>> tuples_;
  std::vector<Place> place_;                    ///< By web.
  std::vector<unsigned> bank_;                  ///< By tuple: of its first register.
  std::vector<std::vector<uint32_t>> users_;    ///< By tuple: FMACs with a factor in it.
  std::vector<std::optional<unsigned>> parity_; ///< By web: that a sum is to have.
};

} // namespace

Registers moveTuples(const FactorSite &site) { return TupleMover(site).run(); }

} // namespace rdna
