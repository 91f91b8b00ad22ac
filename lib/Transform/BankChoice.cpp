#include "Transform/BankChoice.h"

#include "Asm/Lane.h"
#include "Transform/Pairing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace rdna {

Registers registersAtHome(const FunctionWebs &webs) { return {webs.home}; }

namespace {

/// One or two webs that want consecutive registers.
struct Item {
  std::vector<WebId> webs;
  llvm::SmallVector<unsigned, 4> banks; ///< Of the first, the best one first.
};

class BankChooser {
public:
  BankChooser(const Module &module, const Cfg &cfg, const Liveness &liveness,
              const FunctionWebs &webs, unsigned budget, Accumulators accumulators)
      : module_(module), cfg_(cfg), liveness_(liveness), webs_(webs), budget_(budget),
        accumulators_(accumulators), asked_(webs.home.size(), 0), bystander_(webs.home.size(), 0),
        parity_(webs.home.size(), -1), side_(webs.home.size(), -1), wanted_(webs.home.size(), -1),
        partner_(webs.home.size(), kNoWeb), products_(webs.home.size()) {}

  Registers run() {
    findFactors();
    keepTuples();
    pairUp();
    chooseSides();
    if (accumulators_ == Accumulators::Move)
      addAccumulators();
    if (auto placed = allocate())
      return std::move(*placed);
    // Others may be in the way.
    if (addBystanders())
      if (auto placed = allocate())
        return std::move(*placed);
    return registersAtHome(webs_);
  }

private:
  /// The factors of every FMAC that has two in VGPRs.
  void findFactors() {
    for (size_t e = 0; e < webs_.operands.size();) {
      const Instruction &inst = module_.instructions()[webs_.operands[e].inst];
      size_t end = e;
      while (end < webs_.operands.size() && webs_.operands[end].inst == inst.index)
        ++end;
      for (const LaneOp &lane : laneOps(inst))
        if (lane.op == Op::v_fmac_f32)
          link(e, end, lane);
      e = end;
    }
  }

  /// A product's two webs, found by their registers among the operands that are read.
  void link(size_t first, size_t end, const LaneOp &lane) {
    const auto webOf = [&](uint32_t reg) {
      for (size_t e = first; e < end; ++e) {
        const OperandWeb &entry = webs_.operands[e];
        const Operand &operand = module_.instructions()[entry.inst].operands[entry.operand];
        if (operand.cls != Operand::Class::Def && operand.reg.first.index + entry.dword == reg)
          return entry.web;
      }
      return kNoWeb;
    };
    const WebId a = lane.src0.isVgpr() ? webOf(lane.src0.value) : kNoWeb;
    const WebId b = lane.src1.isVgpr() ? webOf(lane.src1.value) : kNoWeb;
    // Of a factor that is multiplied by a scalar only the parity matters: as it is the
    // destination's, partners have different ones.
    for (const auto &[w, other] : {std::pair(a, b), std::pair(b, a)})
      if (w != kNoWeb && other == kNoWeb) {
        asked_[w] = 1;
        wanted_[w] = static_cast<int8_t>(lane.dst.number & 1);
      }
    if (a == kNoWeb || b == kNoWeb || a == b)
      return;
    ++products_[a][b];
    ++products_[b][a];
    if (const WebId sum = destinationOf(first, end, lane.dst); sum != kNoWeb)
      sums_.push_back({sum, a, b});
    asked_[a] = asked_[b] = 1;
  }

  WebId destinationOf(size_t first, size_t end, Vgpr reg) const {
    for (size_t e = first; e < end; ++e) {
      const OperandWeb &entry = webs_.operands[e];
      const Operand &operand = module_.instructions()[entry.inst].operands[entry.operand];
      if (operand.cls == Operand::Class::Def && operand.reg.first.index + entry.dword == reg.number)
        return entry.web;
    }
    return kNoWeb;
  }

  /// Sums of one column whose parity is their row's pair with each other.
  void addAccumulators() {
    const std::vector<uint8_t> wide = inTuples();
    std::vector<int> votes(asked_.size(), 0);
    for (const Sum &sum : sums_) {
      const WebId row = side_[sum.a] == 0 ? sum.a : sum.b;
      const int parity = asked_[row] ? parity_[row] : webs_.home[row].number & 1;
      votes[sum.sum] += parity != 0 ? 1 : -1;
    }
    for (WebId w = 0; w < asked_.size(); ++w)
      if (votes[w] != 0 && !asked_[w] && !webs_.pinned[w] && !wide[w]) {
        asked_[w] = 1;
        wanted_[w] = votes[w] > 0;
      }
  }

  /// Other registers might make it illegal, and it has to stay.
  static bool isBoundPair(const Instruction &inst) {
    return inst.isVopd() && !canBeTakenApart(inst);
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
    }
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

  unsigned bankOf(WebId w) const { return 2 * unsigned(side_[w]) + unsigned(parity_[w]); }

  std::vector<Item> items() const {
    std::vector<Item> all;
    for (WebId w = 0; w < asked_.size(); ++w) {
      if (!asked_[w])
        continue;
      if (bystander_[w]) {
        // An accumulator's parity decides who its partners are.
        const unsigned home = webs_.home[w].number & 3;
        all.push_back({{w}, {home, home ^ 2}});
        continue;
      }
      if (products_[w].empty() && wanted_[w] >= 0) {
        const unsigned bank = unsigned(wanted_[w]);
        all.push_back({{w}, {bank, bank ^ 2, bank ^ 1, bank ^ 3}});
        continue;
      }
      const WebId other = partner_[w];
      if (other == kNoWeb || side_[other] != side_[w])
        all.push_back({{w}, {bankOf(w)}});
      else if (parity_[w] == 0)
        all.push_back({{w, other}, {bankOf(w)}});
    }
    // Pairs are harder to place, and who may go to several banks is easier.
    std::stable_sort(all.begin(), all.end(), [](const Item &a, const Item &b) {
      return std::pair(b.webs.size(), a.banks.size()) < std::pair(a.webs.size(), b.banks.size());
    });
    return all;
  }

  /// Single values that live around loops, addresses above all, may go to the other bank of their
  /// parity.
  bool addBystanders() {
    const std::vector<uint8_t> wide = inTuples();
    bool any = false;
    for (uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      for (const WebId w : webs_.atStart[b])
        if (w != kNoWeb && cfg_.loopOf(b) && !asked_[w] && !webs_.pinned[w] && !wide[w])
          any = (asked_[w] = bystander_[w] = 1) != 0;
    return any;
  }

  /// Nothing if there is no room.
  std::optional<Registers> allocate() const {
    const Interference apart =
        findInterference(module_, cfg_, liveness_, webs_, asked_,
                         [](const Instruction &inst) { return !loadOffsets(inst).empty(); });
    std::vector<Item> order = items();
    // Who finds no place goes first the next time; at last somebody stays at home.
    constexpr unsigned kTries = 24;
    for (unsigned tries = 0; tries < kTries; ++tries) {
      Registers result = registersAtHome(webs_);
      std::vector<uint8_t> placed(asked_.size(), 0);
      std::vector<Item> failed, done;
      for (const Item &item : order)
        (place(item, apart, placed, result) ? done : failed).push_back(item);
      if (failed.empty())
        return result;
      failed.insert(failed.end(), done.begin(), done.end());
      order = std::move(failed);
    }
    return std::nullopt;
  }

  bool isFree(WebId w, unsigned reg, const Interference &apart, const std::vector<uint8_t> &placed,
              const Registers &result) const {
    if (apart.homes[w].test(reg))
      return false;
    return std::none_of(apart.others[w].begin(), apart.others[w].end(), [&](WebId other) {
      return placed[other] && result.of[other].number == reg;
    });
  }

  bool place(const Item &item, const Interference &apart, std::vector<uint8_t> &placed,
             Registers &result) const {
    const auto tryAt = [&](unsigned reg) {
      for (size_t n = 0; n < item.webs.size(); ++n)
        if (!isFree(item.webs[n], reg + unsigned(n), apart, placed, result))
          return false;
      for (size_t n = 0; n < item.webs.size(); ++n) {
        result.of[item.webs[n]] = Vgpr{static_cast<uint8_t>(reg + n)};
        placed[item.webs[n]] = 1;
      }
      return true;
    };
    const unsigned home = webs_.home[item.webs[0]].number;
    // At home if that is as good as the best.
    const auto isGood = [&](unsigned bank) {
      return llvm::is_contained(llvm::ArrayRef(item.banks).take_front(2), bank);
    };
    if (isGood(home % 4) && tryAt(home))
      return true;
    for (const unsigned bank : item.banks)
      for (unsigned reg = bank; reg + item.webs.size() <= budget_; reg += 4)
        if (tryAt(reg))
          return true;
    return false;
  }

  const Module &module_;
  const Cfg &cfg_;
  const Liveness &liveness_;
  const FunctionWebs &webs_;
  const unsigned budget_;
  const Accumulators accumulators_;
  std::vector<uint8_t> asked_, bystander_;
  std::vector<int8_t> parity_, side_, wanted_;
  std::vector<WebId> partner_;
  std::vector<std::map<WebId, unsigned>> products_;
  struct Sum {
    WebId sum, a, b;
  };
  std::vector<Sum> sums_; ///< Destination and factors of each FMAC.
};

} // namespace

Registers chooseBanks(const Module &module, const Cfg &cfg, const Liveness &liveness,
                      const FunctionWebs &webs, unsigned budget, Accumulators accumulators) {
  return BankChooser(module, cfg, liveness, webs, budget, accumulators).run();
}

} // namespace rdna
