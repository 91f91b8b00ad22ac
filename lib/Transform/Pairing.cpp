#include "Transform/Pairing.h"

#include "Analysis/Dependence.h"
#include "Analysis/NestCounts.h"
#include "Asm/Counters.h"
#include "Transform/PairForms.h"
#include "Transform/PairMatching.h"
#include "Transform/RenamedBlock.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {

namespace {

using Units = RenamedBlock::Units;

using Chains = PairingStyle::Chains;
using First = PairingStyle::First;
using BadPairs = PairingStyle::BadPairs;

class BlockPairing {
public:
  BlockPairing(const Module &module, const RenamedBlock &renamed, const PairingStyle &style)
      : module_(module), renamed_(renamed), chains_(style.chains), first_(style.first),
        badPairs_(style.badPairs) {
    result_.style = style;
  }

  Pairing run(const Cfg &cfg, uint32_t block) {
    const Block &body = cfg.blocks[block];
    isInLoop_ = cfg.loopOf(block).has_value();
    countSteps(body);
    for (uint32_t i = body.first; i < body.last; ++i)
      step(module_.instructions()[i]);
    settleAll();
    finish(body);
    return std::move(result_);
  }

  /// How many FMACs of its sum are left from each one on.
  void countSteps(const Block &body) {
    std::map<uint32_t, unsigned> left; // by sum
    steps_.assign(body.last - body.first, 0);
    for (uint32_t i = body.last; i-- > body.first;)
      for (const LaneOp &lane : laneOps(module_.instructions()[i]))
        if (lane.op == Op::v_fmac_f32)
          steps_[i - body.first] = std::max(steps_[i - body.first], ++left[lane.dst.number]);
    firstInst_ = body.first;
  }

private:
  /// Waits for a partner.
  struct Waiting {
    explicit Waiting(const PairedOp &paired) : op(paired), forms(paired.lane) {}
    PairedOp op;
    PairForms forms;
    Units reads, writes;
    uint32_t partnerInText = 0; ///< The other half's number if both are one instruction's, from 1.
    uint32_t number = 0;        ///< In the order of the text, from 1.
    llvm::SmallVector<uint32_t, 4> after; ///< Numbers of those that wait and have to go first.
    uint32_t place = 0;                   ///< The first place that it may have now.
    size_t slot = 0;                      ///< Once it is settled.
    bool isDue = false;                   ///< It cannot wait any longer.
    uint8_t row = 0;                      ///< Of what is known about its partners.
    Units behindReads, behindWrites;      ///< Of all that may come to stand behind it.
    bool isReachable = true; ///< From below: no wait that cannot be had earlier stands behind it.
    /// Loads issued behind it, and what waits behind them wait for in terms of its place.
    unsigned vmIssued = 0, lgkmIssued = 0;
    WaitCounts waits;
  };
  static constexpr size_t kMostSettled = 48;
  static constexpr size_t kMostWaiting = 192, kRows = 256;

  void step(const Instruction &inst) {
    const auto &[lanes, reads, writes] = renamed_.at(inst);
    if (isPairingFence(inst)) {
      settleAll();
      settled_.clear();
    } else if ((lanes.empty() || chains_ == Chains::GoOn) &&
               ((reads & allWrites_).any() || (writes & (allReads_ | allWrites_)).any())) {
      for (Waiting &w : waiting_)
        w.isDue = mustFollow(w, reads, writes);
      settleDue();
    }
    if (lanes.empty())
      countRenamed(inst, renamed_, result_);
    else if (lanes.size() == 1)
      if (const auto place = goUp(inst, lanes[0])) {
        noteBehind(inst, reads, writes, *place);
        return;
      }
    add(inst, lanes);
    noteBehind(inst, reads, writes, kBehindAll);
  }

  /// Has what reads and writes these registers to stand behind it?
  static bool mustFollow(const Waiting &w, const Units &reads, const Units &writes) {
    return (reads & w.writes).any() || (writes & w.reads).any() || (writes & w.writes).any();
  }

  void add(const Instruction &inst, const std::vector<LaneOp> &lanes) {
    if (waiting_.size() + 2 > kMostWaiting) {
      for (Waiting &w : llvm::MutableArrayRef(waiting_).take_front(kMostWaiting / 4))
        w.isDue = true;
      settleDue();
    }
    for (const LaneOp &lane : lanes) {
      Waiting w({inst.index, lane});
      w.reads = unitsRead(lane);
      w.writes.set(lane.dst.number);
      w.number = ++numbers_;
      w.place = inst.index;
      w.row = freeRow();
      for (const Waiting &other : waiting_)
        if (mustFollow(other, w.reads, w.writes))
          w.after.push_back(other.number);
      w.behindReads = allReads_; // those in front of it that may go down
      w.behindWrites = allWrites_;
      if (&lane != &lanes[0]) { // beside it in the text, perhaps behind it now
        waiting_.back().behindReads |= w.reads;
        waiting_.back().behindWrites |= w.writes;
      }
      if (lanes.size() == 2)
        w.partnerInText = &lane == &lanes[0] ? w.number + 1 : w.number - 1;
      allReads_ |= w.reads;
      allWrites_ |= w.writes;
      waiting_.push_back(std::move(w));
    }
  }

  /// One that nothing that waits has; nothing is known of its partners.
  uint8_t freeRow() {
    std::bitset<kRows> taken;
    for (const Waiting &w : waiting_)
      taken.set(w.row);
    size_t row = 0;
    while (taken[row])
      ++row;
    known_[row].reset();
    for (std::bitset<kRows> &other : known_)
      other.reset(row);
    return static_cast<uint8_t>(row);
  }

  /// Do they fit without a conflict? Asked of the same two again and again, while both wait.
  bool fits(const Waiting &a, const Waiting &b) {
    if (!known_[a.row][b.row]) {
      known_[a.row].set(b.row);
      fits_[a.row][b.row] = fit(a.forms, b.forms).has_value();
    }
    return fits_[a.row][b.row];
  }

  /// Instruction and slot of it.
  using Place = std::pair<uint32_t, size_t>;
  static constexpr Place kBehindAll{~0U, 0};

  /// What an operation would have to pass on its way up to one of these that stand in front of
  /// `place`, or may once they are settled.
  void noteBehind(const Instruction &inst, const Units &reads, const Units &writes, Place place) {
    const Counting counting = countingOf(inst);
    const auto note = [&](Waiting &w) {
      if (w.op.inst == inst.index)
        return;
      w.behindReads |= reads;
      w.behindWrites |= writes;
      noteCounters(counting, w);
    };
    for (Waiting &w : settled_)
      if (Place(w.place, w.slot) < place)
        note(w);
    std::for_each(waiting_.begin(), waiting_.end(), note);
  }

  /// What an instruction means for the counters of loads.
  struct Counting {
    bool isOtherWait = false; ///< For something else than counters.
    std::optional<WaitCounts> wait;
    unsigned vm = 0, lgkm = 0; ///< Loads.
  };
  static Counting countingOf(const Instruction &inst) {
    Counting counting;
    if (const auto wait = waitOf(inst)) {
      const auto atMost = [&](WaitCounter counter) {
        return wait->atMost[static_cast<size_t>(counter)];
      };
      counting.wait.emplace();
      counting.wait->vm = atMost(WaitCounter::Vm);
      counting.wait->lgkm = atMost(WaitCounter::Lgkm);
      counting.isOtherWait = atMost(WaitCounter::Vs).has_value();
      return counting;
    }
    counting.isOtherWait = inst.unit == Unit::Wait;
    const CounterEvents events = counterEvents(inst);
    counting.vm = events[WaitClass::Vector] + events[WaitClass::Sampler];
    counting.lgkm = events[WaitClass::Lds] + events[WaitClass::Scalar];
    return counting;
  }

  /// In loops no wait comes earlier: what it waits for may be what the code in between hides.
  void noteCounters(const Counting &counting, Waiting &w) const {
    w.isReachable &= !counting.isOtherWait;
    w.vmIssued += counting.vm;
    w.lgkmIssued += counting.lgkm;
    if (!counting.wait)
      return;
    const auto earlier = [&](std::optional<unsigned> atMost, unsigned issued,
                             std::optional<unsigned> &count) {
      if (!atMost)
        return;
      if (isInLoop_ || *atMost < issued)
        w.isReachable = false;
      else
        count = std::min(count.value_or(*atMost - issued), *atMost - issued);
    };
    earlier(counting.wait->vm, w.vmIssued, w.waits.vm);
    earlier(counting.wait->lgkm, w.lgkmIssued, w.waits.lgkm);
  }

  /// Pairs an FMA with one further up that waits no more, the first that it can get to, so that
  /// the next step of its chain may come up behind it.
  std::optional<Place> goUp(const Instruction &inst, const LaneOp &lane) {
    if (!isVopdFma(lane.op))
      return std::nullopt;
    Units writes;
    writes.set(lane.dst.number);
    const Units reads = unitsRead(lane);
    const PairForms forms(lane);
    for (size_t n = 0; n < settled_.size(); ++n) {
      const Waiting &s = settled_[n];
      // Beside it means before its result: only what does not read that fits.
      if (!s.isReachable || (reads & (s.writes | s.behindWrites)).any() ||
          (writes & (s.behindWrites | s.behindReads)).any())
        continue;
      const auto how = fit(s.forms, forms);
      if (!how)
        continue;
      const Place place(s.place, s.slot);
      PlacedOps::Slot &single = placed_[s.place].slots[s.slot];
      const PairedOp first{s.op.inst, how->first}, second{inst.index, how->second};
      single.x = how->reversed ? second : first;
      single.y = how->reversed ? first : second;
      single.wait = s.waits;
      result_.singleFmas -= 1;
      result_.conflicts -= factorsConflict(s.op.lane);
      settled_.erase(settled_.begin() + std::ptrdiff_t(n));
      return place;
    }
    return std::nullopt;
  }

  void summarise() {
    allReads_.reset();
    allWrites_.reset();
    for (const Waiting &w : waiting_) {
      allReads_ |= w.reads;
      allWrites_ |= w.writes;
    }
  }

  unsigned stepsFrom(const Waiting &w) const { return steps_[w.op.inst - firstInst_]; }

  //===--------------------------------------------------------------------===//
  // Matching
  //===--------------------------------------------------------------------===//

  void settleAll() {
    for (Waiting &w : waiting_)
      w.isDue = true;
    settleDue();
  }

  /// Places what is due and what has to go before it. A step of a chain waits for the step before
  /// it, so chains that the text has one after another pair with each other.
  void settleDue() {
    for (size_t n = waiting_.size(); n-- > 0;)
      if (waiting_[n].isDue)
        for (Waiting &w : waiting_)
          w.isDue |= llvm::is_contained(waiting_[n].after, w.number);
    while (llvm::any_of(waiting_, [](const Waiting &w) { return w.isDue; }))
      settleSome();
    summarise();
  }

  /// Pairs of FMAs, whether they are due or not; if there is none, what is due with whatever may
  /// be its partner; if there is none, the first that is due alone.
  void settleSome() {
    const auto isReady = [](const Waiting &w) { return w.after.empty(); };
    matching_.reset(waiting_.size());
    keepPairsOfText();
    matchAmong([&](const Waiting &w) { return isReady(w) && isVopdFma(w.op.lane.op); });
    if (settlePairs([&](const Waiting &a, const Waiting &b) {
          return isVopdFma(a.op.lane.op) && isVopdFma(b.op.lane.op) &&
                 (badPairs_ == BadPairs::Part || a.isDue || b.isDue || fits(a, b));
        }))
      return;
    // What is about to stand alone conflicts with itself no more often in a pair.
    matchAmong([&](const Waiting &w) { return isReady(w) && isVopdFma(w.op.lane.op); },
               Conflicts::Own);
    if (settlePairs([](const Waiting &a, const Waiting &b) {
          return (a.isDue || b.isDue) && isVopdFma(a.op.lane.op) && isVopdFma(b.op.lane.op);
        }))
      return;
    matching_.reset(waiting_.size());
    keepPairsOfText();
    matchAmong(isReady);
    // What shared an instruction with conflicts may do so again.
    matchAmong([&](const Waiting &w) { return isReady(w) && w.partnerInText != 0; },
               Conflicts::Accept);
    if (settlePairs([](const Waiting &a, const Waiting &b) { return a.isDue || b.isDue; }))
      return;
    const auto first =
        llvm::find_if(waiting_, [&](const Waiting &w) { return w.isDue && isReady(w); });
    const Waiting alone = std::move(*first);
    waiting_.erase(first);
    settleSingle(alone);
    release(alone.number, alone.place);
  }

  /// True if there was one.
  template <typename Wanted> bool settlePairs(Wanted wanted) {
    std::vector<std::pair<uint32_t, uint32_t>> gone; // number and place
    std::vector<Waiting> left;
    for (size_t n = 0; n < waiting_.size(); ++n) {
      const size_t other = matching_.partner(n);
      if (matching_.isAlone(n) || !wanted(waiting_[n], waiting_[other]))
        continue;
      const uint32_t place = std::max(waiting_[n].place, waiting_[other].place);
      gone.emplace_back(waiting_[n].number, place);
      if (other > n)
        settlePair(waiting_[n], waiting_[other], place);
    }
    std::erase_if(waiting_, [&](const Waiting &w) {
      return llvm::is_contained(llvm::make_first_range(gone), w.number);
    });
    for (const auto &[number, place] : gone)
      release(number, place);
    return !gone.empty();
  }

  /// Nobody waits for it any longer.
  void release(uint32_t number, uint32_t place) {
    for (Waiting &w : waiting_)
      if (llvm::is_contained(w.after, number)) {
        llvm::erase(w.after, number);
        w.place = std::max(w.place, place);
      }
  }

  /// A start for the matching that leaves the text alone where it is good, or may stay.
  void keepPairsOfText() {
    for (size_t n = 0; n + 1 < waiting_.size(); ++n) {
      const Waiting &a = waiting_[n], &b = waiting_[n + 1];
      if (a.partnerInText == b.number && b.number != 0 && a.after.empty() && b.after.empty() &&
          isVopdFma(a.op.lane.op) == isVopdFma(b.op.lane.op) && (fits(a, b) || mayStay(a, b)))
        matching_.join(n, n + 1);
    }
  }

  /// With conflicts, and with a hazard if the text has one there.
  bool mayStay(const Waiting &a, const Waiting &b) const {
    if (badPairs_ == BadPairs::Part)
      return false;
    const auto halves = vopdHalves(module_.instructions()[a.op.inst]);
    const bool hadHazard = halves && hasParityHazard(halves->first, halves->second);
    return fit(a.forms, b.forms, hadHazard ? Conflicts::OfText : Conflicts::Accept).has_value();
  }

  /// Augmenting paths from each even destination that has no partner, the nearest partner first.
  template <typename Wanted>
  void matchAmong(Wanted wanted, Conflicts conflicts = Conflicts::Avoid) {
    std::vector<size_t> even, odd;
    for (size_t n = 0; n < waiting_.size(); ++n)
      if (wanted(waiting_[n]) && (conflicts == Conflicts::Avoid || matching_.isAlone(n)))
        (waiting_[n].op.lane.dst.number % 2 == 0 ? even : odd).push_back(n);
    PairMatching::Edges edges(waiting_.size());
    for (const size_t a : even) {
      for (const size_t b : odd)
        if (fits(waiting_[a], waiting_[b]) ||
            (conflicts != Conflicts::Avoid && fit(waiting_[a].forms, waiting_[b].forms, conflicts)))
          edges[a].push_back(b);
      const auto distance = [a](size_t b) { return a < b ? b - a : a - b; };
      std::stable_sort(edges[a].begin(), edges[a].end(), [&](size_t x, size_t y) {
        if (first_ == First::Long)
          return stepsFrom(waiting_[x]) > stepsFrom(waiting_[y]);
        return distance(x) < distance(y);
      });
    }
    std::stable_sort(even.begin(), even.end(), [&](size_t a, size_t b) {
      if (first_ == First::Long)
        return stepsFrom(waiting_[a]) > stepsFrom(waiting_[b]);
      return edges[a].size() / 4 < edges[b].size() / 4;
    });
    matching_.augmentFrom(even, edges);
    if (badPairs_ == BadPairs::MayStay && conflicts == Conflicts::Avoid)
      matching_.replace(even, edges,
                        [&](size_t a, size_t b) { return !fits(waiting_[a], waiting_[b]); });
  }

  //===--------------------------------------------------------------------===//
  // The result
  //===--------------------------------------------------------------------===//

  void settlePair(const Waiting &a, const Waiting &b, uint32_t place) {
    std::optional<Fit> how = fit(a.forms, b.forms);
    for (const Conflicts conflicts : {Conflicts::Own, Conflicts::Accept, Conflicts::OfText})
      if (!how)
        how = fit(a.forms, b.forms, conflicts);
    PairedOp first{a.op.inst, how->first}, second{b.op.inst, how->second};
    PlacedOps::Slot slot;
    slot.x = how->reversed ? second : first;
    slot.y = how->reversed ? first : second;
    const VopdHalf x = *asVopdHalf(slot.x.lane), y = *asVopdHalf(slot.y->lane);
    result_.conflicts += sourceBankConflicts(x, y);
    result_.hazards += hasParityHazard(x, y);
    placed_[place].slots.push_back(std::move(slot));
    ++result_.issues;
    result_.singleFmas += isVopdFma(a.op.lane.op) != isVopdFma(b.op.lane.op);
  }

  void settleSingle(Waiting w) {
    auto &slots = placed_[w.place].slots;
    w.slot = slots.size();
    slots.push_back({w.op, std::nullopt, {}});
    ++result_.issues;
    result_.singleFmas += isVopdFma(w.op.lane.op);
    result_.conflicts += isVopdFma(w.op.lane.op) && factorsConflict(w.op.lane);
    if (!isVopdFma(w.op.lane.op))
      return;
    if (settled_.size() == kMostSettled)
      settled_.erase(settled_.begin());
    settled_.push_back(std::move(w));
  }

  /// Where the operations of one instruction are what they were, only registers differ.
  void finish(const Block &body) {
    for (uint32_t i = body.first; i < body.last; ++i) {
      const std::vector<LaneOp> &lanes = renamed_.at(module_.instructions()[i]).lanes;
      if (lanes.empty())
        continue;
      PlacedOps &now = placed_[i];
      const bool same =
          now.slots.size() == 1 && now.slots[0].x.inst == i &&
          (lanes.size() == 1 ? !now.slots[0].y : now.slots[0].y && now.slots[0].y->inst == i);
      if (!same || !keepsForm(now.slots[0], lanes))
        result_.changed[i] = std::move(now);
    }
    placed_.clear();
  }

  static bool keepsForm(const PlacedOps::Slot &slot, const std::vector<LaneOp> &lanes) {
    return lanes.size() == 1 || (slot.x.lane == lanes[0] && slot.y->lane == lanes[1]);
  }

  const Module &module_;
  const RenamedBlock &renamed_;
  const Chains chains_;
  const First first_;
  const BadPairs badPairs_;
  Pairing result_;
  std::vector<Waiting> waiting_;
  std::vector<Waiting> settled_; ///< Cannot go down any further, but a partner may come up.
  Units allReads_, allWrites_;
  PairMatching matching_;
  std::array<std::bitset<kRows>, kRows> known_, fits_; ///< By rows: has `fit` said, and what?
  std::map<uint32_t, PlacedOps> placed_;
  uint32_t numbers_ = 0, firstInst_ = 0;
  std::vector<unsigned> steps_; ///< By instruction of the block.
  bool isInLoop_ = false;
};

} // namespace

Pairing asItStands(const Module &module, const Block &block, const RenamedBlock &renamed) {
  Pairing result;
  for (uint32_t i = block.first; i < block.last; ++i)
    countRenamed(module.instructions()[i], renamed, result);
  return result;
}

Pairing pairBlockAs(const PairingStyle &style, const Module &module, const Cfg &cfg, uint32_t block,
                    const RenamedBlock &renamed) {
  return BlockPairing(module, renamed, style).run(cfg, block);
}

Pairing pairBlock(const Module &module, const Cfg &cfg, uint32_t block,
                  const RenamedBlock &renamed) {
  const unsigned least = leastCost(module, cfg.blocks[block], renamed);
  // Nothing better can be found, and it takes as long to look for it as where there is something.
  if (Pairing same = asItStands(module, cfg.blocks[block], renamed);
      same.illegal == 0 && same.cost() == least)
    return same;
  Pairing text;
  countBlock(module, cfg.blocks[block], text);
  std::optional<Pairing> best;
  for (const BadPairs badPairs : {BadPairs::Part, BadPairs::MayStay}) {
    // To leave them costs more, so only where it takes too much to do without.
    if (best && best->issues <= text.issues && best->singleFmas <= text.singleFmas)
      break;
    const Pairing *parted = badPairs == BadPairs::MayStay ? &*best : nullptr;
    std::optional<Pairing> found;
    for (const First first : {First::Choosy, First::Long})
      for (const Chains chains : {Chains::GoOn, Chains::Wait}) {
        if (found && found->cost() == least)
          break;
        Pairing now = pairBlockAs({chains, first, badPairs}, module, cfg, block, renamed);
        const bool isFewer = !parted || (now.issues <= text.issues && now.hazards <= text.hazards &&
                                         now.singleFmas <= text.singleFmas);
        if (isFewer && (!found || now.cost() < found->cost()))
          found = std::move(now);
      }
    if (found)
      best = std::move(found);
  }
  return std::move(*best);
}

} // namespace rdna
