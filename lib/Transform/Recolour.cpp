#include "Transform/Recolour.h"

#include "Transform/SplitLoads.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace rdna {
namespace {

class ColourSearch {
public:
  ColourSearch(const FactorSite &site, const PairedFunction &function, const Candidate &old,
               const Registers &from)
      : site_(site), function_(function), old_(old),
        groups_(findTuples(
            site.module, site.webs, [](const OperandWeb &) { return false; }, BoundPairs::MayMove)),
        groupOf_(site.webs.home.size(), kNone), blocksOf_(groups_.size()) {
    // What stays where it is now need not be at home: another way may have moved it.
    std::vector<uint8_t> asked(site.webs.home.size(), 0);
    for (WebId w = 0; w < asked.size(); ++w)
      asked[w] = !from.isHome(site.webs, w);
    for (uint32_t g = 0; g < groups_.size(); ++g)
      for (const WebId w : groups_[g]) {
        groupOf_[w] = g;
        asked[w] = 1;
      }
    for (const OperandWeb &entry : site.webs.operands)
      if (const uint32_t g = groupOf_[entry.web]; g != kNone)
        if (const uint32_t b = site.cfg.blockOf(entry.inst); site.cfg.blocks[b].reachable)
          blocksOf_[g].insert(b);
    apart_ = findInterference(site.module, site.cfg, site.liveness, site.webs, asked,
                              [](const Instruction &inst) { return !loadOffsets(inst).empty(); });
  }

  Candidate run(Candidate from) {
    bool gains = true;
    while (gains && left_ > 0) {
      gains = false;
      std::set<uint32_t> tried;
      for (const uint32_t inst : function_.wanting(from))
        for (const uint32_t g : groupsOf(inst))
          if (left_ > 0 && tried.insert(g).second)
            gains |= moveOn(g, from);
    }
    return from;
  }

private:
  static constexpr uint32_t kNone = ~0U;

  std::vector<uint32_t> groupsOf(uint32_t inst) const {
    std::vector<uint32_t> found;
    const FunctionWebs &webs = site_.webs;
    for (uint32_t e = webs.operandsOf[inst - webs.firstInst];
         e < webs.operandsOf[inst - webs.firstInst + 1]; ++e)
      if (const uint32_t g = groupOf_[webs.operands[e].web];
          g != kNone && !llvm::is_contained(found, g))
        found.push_back(g);
    return found;
  }

  /// Are its registers one behind the other now? A load in parts has others.
  bool isWhole(uint32_t g, const Registers &now) const {
    for (size_t n = 0; n < groups_[g].size(); ++n)
      if (now.of[groups_[g][n]].number != now.of[groups_[g][0]].number + n)
        return false;
    return true;
  }

  bool isFree(uint32_t g, unsigned reg, const Registers &now) const {
    for (size_t n = 0; n < groups_[g].size(); ++n) {
      const WebId w = groups_[g][n];
      if (apart_.homes[w].test(reg + n) || llvm::any_of(apart_.others[w], [&](WebId other) {
            return groupOf_[other] != g && now.of[other].number == reg + n;
          }))
        return false;
    }
    return true;
  }

  void put(uint32_t g, unsigned reg, Registers &now) const {
    for (size_t n = 0; n < groups_[g].size(); ++n)
      now.of[groups_[g][n]] = Vgpr{static_cast<uint8_t>(reg + n)};
  }
  unsigned placeOf(uint32_t g, const Registers &now) const {
    return now.of[groups_[g].front()].number;
  }

  /// The only group in the way of another one there, if it lies on just these registers.
  std::optional<uint32_t> onlyOneAt(uint32_t g, unsigned reg, const Registers &now) const {
    std::optional<uint32_t> found;
    for (size_t n = 0; n < groups_[g].size(); ++n) {
      const WebId w = groups_[g][n];
      if (apart_.homes[w].test(reg + n))
        return std::nullopt;
      for (const WebId other : apart_.others[w])
        if (const uint32_t h = groupOf_[other]; h != g && now.of[other].number == reg + n) {
          if (h == kNone || (found && *found != h))
            return std::nullopt;
          found = h;
        }
    }
    if (!found || groups_[*found].size() != groups_[g].size() || placeOf(*found, now) != reg ||
        !isWhole(*found, now))
      return std::nullopt;
    return found;
  }

  /// Where a group may lie in a bank: the first registers that are free, or, where there are none,
  /// those of others that can have its own for them.
  struct Move {
    Registers registers;
    std::set<uint32_t> blocks; ///< That read or write what has moved.
  };
  std::vector<Move> movesTo(uint32_t g, unsigned bank, const Registers &now) const {
    constexpr size_t kMostExchanges = 2;
    std::vector<Move> exchanges;
    const unsigned home = placeOf(g, now);
    for (unsigned reg = bank; reg + groups_[g].size() <= site_.budget; reg += 4) {
      if (isFree(g, reg, now)) {
        Move move{now, blocksOf_[g]};
        put(g, reg, move.registers);
        return {std::move(move)};
      }
      const auto other = exchanges.size() < kMostExchanges ? onlyOneAt(g, reg, now) : std::nullopt;
      if (!other)
        continue;
      Move move{now, blocksOf_[g]};
      put(g, reg, move.registers);
      put(*other, home, move.registers);
      if (!isFree(g, reg, move.registers) || !isFree(*other, home, move.registers))
        continue;
      move.blocks.insert(blocksOf_[*other].begin(), blocksOf_[*other].end());
      exchanges.push_back(std::move(move));
    }
    return exchanges;
  }

  /// To the bank in which the function costs least; false if that is where it is.
  bool moveOn(uint32_t g, Candidate &now) {
    if (!isWhole(g, now.registers))
      return false;
    std::optional<Candidate> best;
    for (unsigned other = 1; other < 4; ++other)
      for (Move &move : movesTo(g, (placeOf(g, now.registers) + other) % 4, now.registers)) {
        if (left_ <= 0)
          break;
        const std::vector<uint32_t> blocks(move.blocks.begin(), move.blocks.end());
        left_ -= static_cast<int64_t>(site_.cfg.blocks.size() / 8);
        for (const uint32_t b : blocks)
          left_ -= int64_t{site_.cfg.blocks[b].last} - site_.cfg.blocks[b].first;
        auto next = function_.pairSome(now, std::move(move.registers), blocks,
                                       best ? best->cost : now.cost);
        if (next && !isWorse(*next, old_))
          best = std::move(next);
      }
    if (best)
      now = *std::move(best);
    return best.has_value();
  }

  const FactorSite site_;
  const PairedFunction &function_;
  const Candidate &old_;
  const std::vector<std::vector<WebId>> groups_;
  std::vector<uint32_t> groupOf_; ///< By web.
  std::vector<std::set<uint32_t>> blocksOf_;
  Interference apart_;
  /// Instructions of blocks that may still be paired anew, some two seconds where blocks have
  /// thousands; what is copied for a try takes about as long as one for every eighth block.
  int64_t left_ = 200000;
};

} // namespace

Candidate recolour(const FactorSite &site, const PairedFunction &function, Candidate from,
                   const Candidate &old) {
  return ColourSearch(site, function, old, from.registers).run(std::move(from));
}

} // namespace rdna
