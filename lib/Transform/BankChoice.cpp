#include "Transform/BankChoice.h"

#include "Transform/FmacWebs.h"
#include "Transform/PlaceWebs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace rdna {

namespace {

class BankChooser {
public:
  BankChooser(const FactorSite &site, MovedValues which, Neighbours neighbours)
      : site_(site), which_(which), neighbours_(neighbours), asked_(webs_.home.size(), 0),
        bystander_(webs_.home.size(), 0), isSum_(webs_.home.size(), 0),
        isAccumulator_(webs_.home.size(), 0), isSecond_(webs_.home.size(), 0),
        parity_(webs_.home.size(), -1), side_(webs_.home.size(), -1),
        wanted_(webs_.home.size(), -1), partner_(webs_.home.size(), kNoWeb),
        products_(webs_.home.size()) {}

  Registers run() {
    findFactors();
    addScaled();
    if (which_ == MovedValues::Couples)
      asked_.assign(asked_.size(), 0);
    keepTuples();
    pairUp();
    if (neighbours_ == Neighbours::Alternating && !alternate())
      return registersAtHome(webs_);
    chooseSides();
    if (which_ != MovedValues::Factors)
      addSums();
    std::optional<Registers> best = allocate();
    // Others may be in the way.
    for (const Bystanders who : {Bystanders::SingleInLoops, Bystanders::All})
      if ((!best || unpaired(*best) > 0) && addBystanders(who))
        if (auto placed = allocate(); placed && (!best || unpaired(*placed) < unpaired(*best)))
          best = std::move(placed);
    return best ? std::move(*best) : registersAtHome(webs_);
  }

private:
  /// The factors of every FMAC that has two in VGPRs.
  void findFactors() {
    for (const FmacWebs &fmac : findFmacs(site_)) {
      if (fmac.sum != kNoWeb)
        isAccumulator_[fmac.sum] = 1;
      for (const auto &[w, other] : {std::pair(fmac.a, fmac.b), std::pair(fmac.b, fmac.a)})
        if (w != kNoWeb && other == kNoWeb)
          scaled_.push_back({w, static_cast<int8_t>(fmac.lane.dst.number & 1)});
      if (!fmac.isProduct())
        continue;
      ++products_[fmac.a][fmac.b];
      ++products_[fmac.b][fmac.a];
      if (fmac.sum != kNoWeb)
        sums_.push_back(fmac);
      asked_[fmac.a] = asked_[fmac.b] = 1;
    }
  }

  /// Of a factor that is multiplied by a scalar only the parity matters: as it is the
  /// destination's, partners have different ones. A sum that an epilogue scales has partners of its
  /// own, in loops.
  void addScaled() {
    std::vector<uint8_t> isSum(asked_.size(), 0);
    for (const FmacWebs &sum : sums_)
      isSum[sum.sum] = 1;
    for (const auto &[w, parity] : scaled_)
      if (!isSum[w]) {
        asked_[w] = 1;
        wanted_[w] = parity;
      }
  }

  /// Factors of a scalar that would have to do without a partner.
  size_t unpaired(const Registers &registers) const {
    return static_cast<size_t>(llvm::count_if(scaled_, [&](const auto &scaled) {
      const auto &[w, parity] = scaled;
      return asked_[w] && !isSum_[w] && wanted_[w] == parity &&
             (registers.of[w].number & 1) != unsigned(parity);
    }));
  }

  /// The bank that a factor will have, as far as is known.
  unsigned expectedBank(WebId w) const { return asked_[w] ? bankOf(w) : webs_.home[w].number & 3u; }

  /// May two products be one VOPD's? Those of different destinations, without conflict and hazard.
  bool fitTogether(const FmacWebs &x, const FmacWebs &y) const {
    const WebId all[] = {x.a, x.b, y.a, y.b};
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = i + 1; j < 4; ++j)
        if (all[i] != all[j] && expectedBank(all[i]) == expectedBank(all[j]))
          return false;
    const auto sameSlot = [&](WebId v, WebId w) {
      return v == w || (expectedBank(v) & 1) != (expectedBank(w) & 1);
    };
    return (sameSlot(x.a, y.a) && sameSlot(x.b, y.b)) || (sameSlot(x.a, y.b) && sameSlot(x.b, y.a));
  }

  /// How often two sums could share a VOPD, products that are near each other counting more.
  CoupleCounts countMeetings() const {
    constexpr size_t kNear = 16;
    CoupleCounts meetings;
    for (size_t i = 0; i < sums_.size(); ++i)
      for (size_t j = i + 1; j < std::min(i + kNear, sums_.size()); ++j)
        if (sums_[i].block == sums_[j].block && sums_[i].sum != sums_[j].sum &&
            fitTogether(sums_[i], sums_[j]))
          meetings[std::minmax(sums_[i].sum, sums_[j].sum)] += unsigned(kNear - (j - i));
    return meetings;
  }

  /// Of each sum a number whose sign is the parity that most of its products' factors on one side
  /// have: in a tile the rows' parities, so that all of one row have partners in another.
  std::vector<int> parityOfRows() const {
    std::vector<int> votes(asked_.size(), 0);
    for (const FmacWebs &sum : sums_) {
      const WebId row = side_[sum.a] == 0 ? sum.a : sum.b;
      votes[sum.sum] += (expectedBank(row) & 1) != 0 ? 1 : -1;
    }
    return votes;
  }

  /// Gives sums their row's parity; of couples, those that meet most first, the two different ones.
  void addSums() {
    const std::vector<uint8_t> wide = inTuples();
    const auto mayMove = [&](WebId w) { return !asked_[w] && !webs_.pinned[w] && !wide[w]; };
    const std::vector<int> votes = parityOfRows();
    const auto parityOf = [&](WebId w) {
      return static_cast<int8_t>(mayMove(w) ? votes[w] > 0 : webs_.home[w].number & 1);
    };
    const CoupleCounts meetings =
        which_ == MovedValues::FactorsAndRows ? CoupleCounts() : countMeetings();
    std::vector<uint8_t> isCoupled(asked_.size(), 0);
    enum class Of : uint8_t { DifferentRows, AnyRows };
    for (const Of kind : {Of::DifferentRows, Of::AnyRows})
      takeCouples(meetings, isCoupled, [&](WebId x, WebId y) {
        if (kind == Of::DifferentRows && (votes[x] > 0) == (votes[y] > 0))
          return false;
        if (!mayMove(y))
          std::swap(x, y); // the second one yields
        wanted_[x] = parityOf(x);
        wanted_[y] = static_cast<int8_t>(1 - wanted_[x]);
        return true;
      });
    for (const FmacWebs &sum : sums_)
      if (mayMove(sum.sum)) {
        if (wanted_[sum.sum] < 0)
          wanted_[sum.sum] = parityOf(sum.sum);
        asked_[sum.sum] = isSum_[sum.sum] = 1;
      }
  }

  /// Webs that some operand wants beside others, or in their bank.
  std::vector<uint8_t> inTuples() const {
    std::vector<uint8_t> wide(asked_.size(), 0);
    for (const OperandWeb &entry : webs_.operands) {
      const Instruction &inst = module_.instructions()[entry.inst];
      const RegRange &reg = inst.operands[entry.operand].reg;
      wide[entry.web] |= reg.dwords > 1 || reg.half != Half::Whole || isBoundPair(inst);
    }
    return wide;
  }

  /// What is part of a tuple that cannot be taken apart stays, and so does what has to.
  void keepTuples() {
    for (WebId w = 0; w < asked_.size(); ++w)
      asked_[w] &= !webs_.pinned[w];
    for (const OperandWeb &entry : webs_.operands) {
      const Instruction &inst = module_.instructions()[entry.inst];
      const Operand &operand = inst.operands[entry.operand];
      if (operand.reg.dwords > 1 && !(entry.operand == 0 && !loadOffsets(inst).empty()))
        asked_[entry.web] = 0;
      if (operand.reg.half != Half::Whole || isBoundPair(inst))
        asked_[entry.web] = 0;
    }
  }

  /// Neighbours of an LDS tuple go on in one load, where every load of either agrees.
  void pairUp() {
    std::vector<uint8_t> broken(asked_.size(), 0);
    for (size_t e = 0; e < webs_.operands.size(); ++e) {
      const OperandWeb &entry = webs_.operands[e];
      const Instruction &inst = module_.instructions()[entry.inst];
      if (entry.operand != 0 || inst.operands[0].reg.dwords < 2 || loadOffsets(inst).empty())
        continue;
      const auto setParity = [&](WebId w, unsigned dword) {
        if (parity_[w] < 0)
          parity_[w] = static_cast<int8_t>(dword & 1);
      };
      setParity(entry.web, entry.dword);
      if (entry.dword % 2 != 0 || entry.dword + 1u >= inst.operands[0].reg.dwords)
        continue;
      const WebId first = entry.web, second = webs_.operands[e + 1].web;
      for (const auto &[w, other] : {std::pair(first, second), std::pair(second, first)}) {
        broken[w] |= partner_[w] != kNoWeb && partner_[w] != other;
        partner_[w] = other;
      }
    }
    for (WebId w = 0; w < asked_.size(); ++w) {
      if (parity_[w] < 0)
        parity_[w] = static_cast<int8_t>(webs_.home[w].number & 1);
      const WebId other = partner_[w];
      if (other != kNoWeb && (broken[w] || broken[other] || partner_[other] != w || !asked_[w] ||
                              !asked_[other] || parity_[w] == parity_[other]))
        partner_[w] = kNoWeb;
      isSecond_[w] = partner_[w] != kNoWeb && parity_[w] == 1;
    }
  }

  /// Do the two of a pair meet in no product, and those that they meet neither?
  bool isAlongSteps(WebId w) const {
    const auto isAlone = [&](WebId v) {
      return partner_[v] != kNoWeb && llvm::none_of(products_[v], [&](const auto &product) {
               return products_[partner_[v]].contains(product.first);
             });
    };
    return isAlone(w) &&
           llvm::all_of(products_[w], [&](const auto &product) { return isAlone(product.first); });
  }

  /// Couples pairs that have many factors in common; the second of them begins at an odd register.
  /// False if there are none.
  bool alternate() {
    std::vector<uint8_t> isAsked(asked_.size(), 0);
    for (WebId w = 0; w < asked_.size(); ++w)
      isAsked[w] = asked_[w] && isAlongSteps(w);
    CoupleCounts common;
    for (WebId factor = 0; factor < asked_.size(); ++factor)
      for (const auto &[x, countX] : products_[factor])
        for (const auto &[y, countY] : products_[factor])
          if (x < y && isAsked[x] && isAsked[y] && isSecond(x) == isSecond(y))
            common[std::minmax(isSecond(x) ? partner_[x] : x, isSecond(y) ? partner_[y] : y)] +=
                std::min(countX, countY);
    std::vector<uint8_t> isCoupled(asked_.size(), 0);
    takeCouples(common, isCoupled, [&](WebId, WebId second) {
      parity_[second] = 1;
      parity_[partner_[second]] = 0;
      return true;
    });
    return !common.empty();
  }

  /// Colours the graph of products; each part of it the way that leaves more at home.
  void chooseSides() {
    for (WebId root = 0; root < asked_.size(); ++root) {
      if (!asked_[root] || side_[root] >= 0)
        continue;
      std::vector<WebId> part{root};
      side_[root] = 0;
      for (size_t n = 0; n < part.size(); ++n) {
        const WebId w = part[n];
        const auto reach = [&](WebId other, int side) {
          if (side_[other] >= 0)
            return;
          side_[other] = static_cast<int8_t>(side);
          part.push_back(other);
        };
        for (const auto &[other, count] : products_[w])
          reach(other, 1 - side_[w]);
        if (partner_[w] != kNoWeb)
          reach(partner_[w], side_[w]);
      }
      int atHome = 0;
      for (const WebId w : part) {
        const unsigned bank = webs_.home[w].number & 3;
        const int weight = asked_[w] ? 1 : 4; // what is pinned cannot follow
        if (int(bank & 1) == parity_[w] || !asked_[w])
          atHome += (int(bank >> 1) == side_[w] ? 1 : -1) * weight;
      }
      if (atHome < 0)
        for (const WebId w : part)
          side_[w] = static_cast<int8_t>(1 - side_[w]);
    }
  }

  bool isSecond(WebId w) const { return partner_[w] != kNoWeb && isSecond_[w] != 0; }

  unsigned bankOf(WebId w) const {
    if (isSecond(w))
      return (bankOf(partner_[w]) + 1) % 4;
    return 2 * unsigned(side_[w]) + unsigned(parity_[w]);
  }

  std::vector<WebGroup> items() const {
    std::vector<WebGroup> all;
    const auto besideHome = [&](std::vector<WebId> group) {
      const unsigned home = webs_.home[group[0]].number & 3;
      WebGroup &added = all.emplace_back(WebGroup{std::move(group), {home, home ^ 2}});
      if (added.webs.size() == 1 && !isAccumulator_[added.webs[0]])
        added.worse = {home ^ 1, home ^ 3};
    };
    std::vector<uint8_t> isDone(asked_.size(), 0);
    for (const std::vector<WebId> &tuple : tuples_) {
      for (const WebId w : tuple)
        isDone[w] = 1;
      besideHome(tuple);
    }
    for (WebId w = 0; w < asked_.size(); ++w) {
      if (!asked_[w] || isDone[w])
        continue;
      if (bystander_[w]) {
        besideHome({w});
        continue;
      }
      if (wanted_[w] >= 0 && (isSum_[w] || products_[w].empty())) {
        const unsigned bank = unsigned(wanted_[w]);
        all.push_back({{w}, {bank, bank ^ 2}, {bank ^ 1, bank ^ 3}});
        continue;
      }
      const WebId other = partner_[w];
      if (other == kNoWeb || side_[other] != side_[w])
        all.push_back({{w}, {bankOf(w)}});
      else if (!isSecond(w))
        all.push_back({{w, other}, {bankOf(w)}});
    }
    // Pairs are harder to place, and who may go to several banks is easier.
    std::stable_sort(all.begin(), all.end(), [](const WebGroup &a, const WebGroup &b) {
      return std::pair(b.webs.size(), a.banks.size()) < std::pair(a.webs.size(), b.banks.size());
    });
    return all;
  }

  enum class Bystanders : uint8_t { SingleInLoops, All };

  /// Values, addresses above all, that may go to another register, of their parity if they are
  /// accumulators: it decides who their partners are.
  bool addBystanders(Bystanders who) {
    const std::vector<uint8_t> wide = inTuples();
    bool any = false;
    const auto add = [&](WebId w) { any = (asked_[w] = bystander_[w] = 1) != 0; };
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      for (const WebId w : webs_.atStart[b])
        if (w != kNoWeb && cfg_.loopOf(b) && !asked_[w] && !webs_.pinned[w] && !wide[w])
          add(w);
    if (who == Bystanders::SingleInLoops)
      return any;
    const auto isApart = [&](const OperandWeb &entry) {
      return asked_[entry.web] && entry.operand == 0 &&
             !loadOffsets(module_.instructions()[entry.inst]).empty();
    };
    for (const std::vector<WebId> &tuple : findTuples(module_, webs_, isApart))
      if (llvm::none_of(tuple, [&](WebId w) { return asked_[w] != 0; })) {
        for (const WebId w : tuple)
          add(w);
        if (tuple.size() > 1)
          tuples_.push_back(tuple);
      }
    return any;
  }

  /// Nothing if there is no room.
  std::optional<Registers> allocate() {
    const Interference apart =
        findInterference(module_, cfg_, liveness_, webs_, asked_,
                         [](const Instruction &inst) { return !loadOffsets(inst).empty(); });
    if (auto placed = placeWebs(webs_, apart, items(), budget_))
      return placed;
    // The other way round it may fit.
    for (int8_t &side : side_)
      side = static_cast<int8_t>(side < 0 ? side : 1 - side);
    return placeWebs(webs_, apart, items(), budget_);
  }

  const FactorSite site_;
  const Module &module_ = site_.module;
  const Cfg &cfg_ = site_.cfg;
  const Liveness &liveness_ = site_.liveness;
  const FunctionWebs &webs_ = site_.webs;
  const unsigned budget_ = site_.budget;
  const MovedValues which_;
  const Neighbours neighbours_;
  std::vector<uint8_t> asked_, bystander_, isSum_, isAccumulator_, isSecond_;
  std::vector<int8_t> parity_, side_, wanted_;
  std::vector<WebId> partner_;
  std::vector<std::vector<WebId>> tuples_; ///< Of bystanders.
  std::vector<std::map<WebId, unsigned>> products_;
  std::vector<std::pair<WebId, int8_t>> scaled_; ///< Factors of a scalar, and the parity they want.
  std::vector<FmacWebs> sums_;                   ///< In the order of the text.
};

} // namespace

Registers chooseBanks(const FactorSite &site, MovedValues which, Neighbours neighbours) {
  return BankChooser(site, which, neighbours).run();
}

} // namespace rdna
