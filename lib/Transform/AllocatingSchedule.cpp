#include "Transform/AllocatingSchedule.h"

#include "Support/Random.h"
#include "Transform/BankEquations.h"
#include "Transform/FreeRegisters.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {
namespace {

using Parity = FreeRegisters::Parity;

/// Two operations as one instruction.
struct Choice {
  Slot slot;
  std::array<Parity, 2> parities{Parity::Any, Parity::Any};
  unsigned conflicts = 0;
  int score = 0;
};

class AllocatingScheduler {
public:
  AllocatingScheduler(const RegionModel &region, const Module &module, const Groups &groups,
                      const RegisterSpace &space, const std::vector<int8_t> &preferences,
                      const AllocatingStyle &style, const ScalarPairs &pairs)
      : region_(region), module_(module), style_(style), scalarPairs_(pairs),
        registers_(region, module, groups, space, preferences), random_(style.seed) {
    if (style.partners == AllocatingStyle::Partners::ByEquation)
      equations_.emplace(region, groups);
    if (style.lone)
      clock_.emplace(*style.lone);
  }

  std::optional<AllocatedSchedule> run() {
    prepare();
    while (!lanes_.empty() || !others_.empty()) {
      // Pairs of one kind first, those of an FMA and something else only where nothing else goes.
      const bool done = issueOther(0) || (isHeldUp() && issueOldest()) ||
                        issuePair(Pairs::OfOneKind) || issueOther(style_.lookAhead) ||
                        issuePair(Pairs::Any) || issueSingle() || issueOther(~0U - lanesDone_);
      if (!done || isOutOfRegisters_)
        return std::nullopt;
    }
    return finish();
  }

  /// The order that another one found, with registers: pairs that they do not allow fall apart.
  std::optional<AllocatedSchedule> follow(const std::vector<Slot> &order) {
    prepare();
    for (const Slot &slot : order) {
      const bool done = slot.kind == Slot::Kind::Other ? issueOtherNode(slot.x)
                        : slot.kind == Slot::Kind::Pair
                            ? issuePairOf(slot) || (issueSingle(slot.x) && issueSingle(slot.y))
                            : issueSingle(slot.x);
      if (!done || isOutOfRegisters_) {
        failedAt_ = slot.x;
        return std::nullopt;
      }
    }
    return finish();
  }

  /// What the pairs of its order ask of banks.
  std::vector<int8_t> banks() {
    for (const Slot &slot : slots_)
      if (slot.kind == Slot::Kind::Single && isFma(slot.x))
        equations_->addSingle(slot.x);
    return equations_->banks();
  }
  const std::vector<Slot> &order() const { return slots_; }

  /// How wide the pairs of its order leave each load. The banks from now on are those of such
  /// loads.
  std::vector<LoadWidth> widths(const Groups &groups) {
    std::vector<LoadWidth> all(region_.nodes.size(), LoadWidth::Singles);
    for (uint32_t n = 0; n < all.size(); ++n)
      if (region_.nodes[n].kind == Node::Kind::Load)
        for (const LoadWidth width : {LoadWidth::Whole, LoadWidth::Pairs})
          if (addLoad(n, width, groups)) {
            all[n] = width;
            break;
          }
    return all;
  }
  /// Where `follow` could not go on.
  std::optional<uint32_t> failedAt() const { return failedAt_; }

private:
  enum class Pairs : uint8_t { OfOneKind, Any };
  /// Clocks of a wave alone, as far as they matter to a choice.
  int waitOf(llvm::ArrayRef<uint32_t> nodes) const {
    constexpr uint64_t kMost = 64;
    return clock_ ? static_cast<int>(std::min(kMost, clock_->stallOf(nodes))) : 0;
  }

  /// Can pieces of this width have banks beside those that pairs ask for?
  bool addLoad(uint32_t n, LoadWidth width, const Groups &groups) {
    const Instruction &inst = module_.instructions()[region_.nodes[n].inst];
    unsigned at = 0;
    for (const unsigned piece : loadPieces(inst, width)) {
      llvm::SmallVector<WebId, 4> webs;
      for (unsigned d = 0; d < piece; ++d) {
        webs.push_back(region_.webAt(region_.nodes[n].inst, 0, at++));
        const Web &web = region_.webs[webs.back()];
        if (web.scope != Web::Scope::Internal ||
            groups.members[groups.group[webs.back()]].size() != 1)
          return false;
      }
      if (!equations_->addRun(webs))
        return false;
    }
    return true;
  }

  /// A source: its register, or what stands for one.
  static constexpr int16_t kNone = -1, kAny = -2;
  /// An operation with the registers that it has now.
  struct Ready {
    uint32_t node = 0;
    std::array<std::array<int16_t, 2>, 2> sources{}; ///< On SRC0 and SRC1, by Slot::Sources.
    unsigned ways = 1;                               ///< Orders of its sources.
    int16_t addend = kNone;                          ///< On SRC2, if it is not the destination.
    int16_t dst = kAny;
    bool addsToDst = false, isFma = false, isOnlyY = false;
    int score = 0;
  };

  const WebOp &op(uint32_t n) const { return region_.nodes[n].op; }
  bool isFma(uint32_t n) const { return isVopdFma(op(n).lane.op); }
  bool isLane(uint32_t n) const { return region_.nodes[n].kind == Node::Kind::Lane; }

  void prepare() {
    const size_t count = region_.nodes.size();
    height_.assign(count, 0);
    waiting_.resize(count);
    for (auto n = static_cast<uint32_t>(count); n-- > 0;) {
      const Node &node = region_.nodes[n];
      waiting_[n] = static_cast<unsigned>(node.preds.size());
      for (const uint32_t s : node.succs)
        height_[n] = std::max(height_[n], height_[s] + 1);
    }
    for (uint32_t n = 0; n < count; ++n)
      if (waiting_[n] == 0)
        enter(n);
  }

  void enter(uint32_t node) {
    auto &list = isLane(node) ? lanes_ : others_;
    list.insert(llvm::lower_bound(list, node), node);
  }

  /// The results of the instruction exist; what waits for it may be next.
  void retire(llvm::ArrayRef<uint32_t> nodes, llvm::ArrayRef<Parity> parities) {
    isOutOfRegisters_ |= !registers_.issue(nodes, parities);
    if (clock_)
      clock_->issue(nodes);
    for (const uint32_t n : nodes) {
      auto &list = isLane(n) ? lanes_ : others_;
      list.erase(llvm::lower_bound(list, n));
      lanesDone_ += isLane(n);
    }
    for (const uint32_t n : nodes)
      for (const uint32_t s : region_.nodes[n].succs)
        if (--waiting_[s] == 0)
          enter(s);
  }

  //===--------------------------------------------------------------------===//
  // Others
  //===--------------------------------------------------------------------===//

  /// The first whose old place has come, or comes within so many lane operations, and for whose
  /// results there are registers.
  bool issueOther(unsigned ahead) {
    constexpr size_t kMost = 32;
    const unsigned reserve = ahead == 0 ? 0 : style_.reserve;
    for (size_t i = 0; i < std::min(kMost, others_.size()); ++i) {
      const uint32_t n = others_[i];
      if (region_.nodes[n].rank > lanesDone_ + ahead)
        return false; // those behind it came later still
      if (registers_.freeCount() < reserve && region_.nodes[n].kind == Node::Kind::Load)
        continue;
      if (!registers_.canIssue(n))
        continue;
      return issueOtherNode(n);
    }
    return false;
  }

  /// Is there something whose place has come, but no register for it? Then what the old order had
  /// done by now has to go, for the registers that it reads.
  bool isHeldUp() const {
    return !others_.empty() && !lanes_.empty() && region_.nodes[others_.front()].rank <= lanesDone_;
  }

  /// The first operation of the old order, in a pair if it has a partner.
  bool issueOldest() {
    const uint32_t oldest = lanes_.front();
    return issuePair(Pairs::Any, oldest) || issueSingle(oldest);
  }

  bool issueOtherNode(uint32_t n) {
    if (!registers_.canIssue(n))
      return false;
    slots_.push_back({Slot::Kind::Other, n, 0, Slot::Sources::AsIs, Slot::Sources::AsIs});
    retire(n, Parity::Any);
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Pairs
  //===--------------------------------------------------------------------===//

  int16_t registerOf(WebId web) const {
    if (web == kNoWeb)
      return kNone;
    const bool isOpen = !registers_.isPlaced(web) ||
                        (equations_ && region_.webs[web].scope == Web::Scope::Internal);
    return isOpen ? kAny : static_cast<int16_t>(registers_.of(web));
  }

  Ready readyOf(uint32_t n) const {
    Ready ready;
    ready.node = n;
    const HalfPorts ports = portsOf(op(n), Slot::Sources::AsIs);
    ready.sources[0] = {registerOf(ports.src0), registerOf(ports.src1)};
    ready.sources[1] = {ready.sources[0][1], ready.sources[0][0]};
    ready.ways = canSwap(op(n)) ? 2 : 1;
    ready.addsToDst = ports.src2 == op(n).dst;
    ready.addend = ready.addsToDst ? kNone : registerOf(ports.src2);
    ready.dst = registerOf(op(n).dst);
    ready.isFma = isFma(n);
    ready.isOnlyY = vopdOpcodeX(op(n).lane.op) < 0;
    const unsigned rank = region_.nodes[n].rank, oldest = region_.nodes[lanes_.front()].rank;
    ready.score = -style_.latency * waitOf(n) + style_.height * static_cast<int>(height_[n]) -
                  static_cast<int>(std::min(255U, rank - std::min(rank, oldest))) / 4 +
                  style_.release * (static_cast<int>(registers_.releasedBy(n).count()) -
                                    (ready.dst == kAny ? 1 : 0));
    return ready;
  }

  /// Those that may be next, old ones first.
  std::vector<Ready> readyLanes() const {
    constexpr size_t kMost = 64;
    std::vector<Ready> ready;
    if (lanes_.empty())
      return ready;
    const unsigned oldest = region_.nodes[lanes_.front()].rank;
    for (const uint32_t n : lanes_) {
      if (ready.size() == kMost ||
          region_.nodes[n].rank - std::min(region_.nodes[n].rank, oldest) > style_.window)
        break;
      ready.push_back(readyOf(n));
    }
    return ready;
  }

  static bool areAlike(int16_t a, int16_t b) { return a >= 0 && b >= 0 && ((a ^ b) & 1) == 0; }

  /// Parities of the two results; nothing if both have registers of one.
  std::optional<std::array<Parity, 2>> paritiesOf(const Ready &x, const Ready &y) const {
    if (areAlike(x.dst, y.dst) || registers_.areAlikeInTuple(op(x.node).dst, op(y.node).dst))
      return std::nullopt;
    const auto of = [](bool isOdd) { return isOdd ? Parity::Odd : Parity::Even; };
    const bool isOdd = x.dst >= 0   ? (x.dst & 1) != 0
                       : y.dst >= 0 ? (y.dst & 1) == 0
                                    : registers_.preferred(op(x.node).dst) == Parity::Odd;
    return std::array<Parity, 2>{of(isOdd), of(!isOdd)};
  }

  /// Are there registers for both results?
  bool haveRoom(const Choice &choice) const {
    const std::array<uint32_t, 2> nodes{choice.slot.x, choice.slot.y};
    const VgprSet released = registers_.releasedBy(nodes);
    const auto has = [&](uint32_t n, Parity parity) {
      // Of what has a register the parity is checked already, where it matters.
      return registers_.canPlace(op(n).dst, registers_.isPlaced(op(n).dst) ? Parity::Any : parity,
                                 released);
    };
    return has(nodes[0], choice.parities[0]) && has(nodes[1], choice.parities[1]);
  }

  static unsigned conflictsOf(const std::array<int16_t, 2> &x, const std::array<int16_t, 2> &y) {
    const std::array<int16_t, 4> all{x[0], x[1], y[0], y[1]};
    unsigned conflicts = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] < 0 || std::find(all.begin(), all.begin() + i, all[i]) != all.begin() + i)
        continue;
      for (size_t j = i + 1; j < all.size(); ++j)
        conflicts += all[j] >= 0 && all[j] != all[i] && ((all[i] ^ all[j]) & 3) == 0 &&
                     std::find(all.begin(), all.begin() + j, all[j]) == all.begin() + j;
    }
    return conflicts;
  }

  /// The first order of sources in which the two are a pair, with the fewest conflicts.
  std::optional<Choice> pairOf(const Ready &x, const Ready &y) {
    const auto parities = paritiesOf(x, y);
    if (!parities || !scalarPairs_.fit(x.node, y.node))
      return std::nullopt;
    const auto addend = [](const Ready &r, Parity parity) {
      return r.addsToDst ? (parity == Parity::Odd ? int16_t{1} : int16_t{0}) : r.addend;
    };
    if (areAlike(addend(x, (*parities)[0]), addend(y, (*parities)[1])))
      return std::nullopt;
    std::optional<Choice> best;
    if (equations_) {
      if (const auto way = equations_->wayOf(x.node, y.node))
        best = Choice{{Slot::Kind::Pair, x.node, y.node, way->xSources, way->ySources},
                      *parities,
                      0,
                      -style_.merge * static_cast<int>(way->merges)};
      return best;
    }
    unsigned fewest = style_.conflictLimit + 1;
    for (unsigned sx = 0; sx < x.ways; ++sx)
      for (unsigned sy = 0; sy < y.ways; ++sy) {
        const auto &first = x.sources[sx], &second = y.sources[sy];
        // One register in both slots is illegal as well.
        if (areAlike(first[0], second[0]) || areAlike(first[1], second[1]))
          continue;
        const unsigned conflicts = conflictsOf(first, second);
        if (conflicts >= fewest)
          continue;
        fewest = conflicts;
        best = Choice{{Slot::Kind::Pair, x.node, y.node, static_cast<Slot::Sources>(sx),
                       static_cast<Slot::Sources>(sy)},
                      *parities,
                      conflicts,
                      0};
      }
    return best;
  }

  bool issuePair(Pairs wanted, std::optional<uint32_t> with = std::nullopt) {
    std::optional<Choice> best;
    const std::vector<Ready> ready = readyLanes();
    for (size_t a = 0; a < ready.size(); ++a)
      for (size_t b = a + 1; b < ready.size(); ++b) {
        const bool isNeeded =
            style_.mixed == AllocatingStyle::Mixed::AtOnce && ready[a].isOnlyY != ready[b].isOnlyY;
        const bool isMixed = ready[a].isFma != ready[b].isFma && !isNeeded;
        if ((wanted == Pairs::OfOneKind && isMixed) || (with && ready[a].node != *with))
          continue;
        constexpr int kFmas = 60;
        int score = ready[a].score + ready[b].score;
        if (style_.noise > 0)
          score += static_cast<int>(random_.below(style_.noise));
        score += isMixed ? -kFmas : isNeeded || ready[a].isFma ? kFmas : 0;
        if (best && score <= best->score)
          continue;
        auto choice = pairOf(ready[a], ready[b]);
        if (!choice)
          choice = pairOf(ready[b], ready[a]);
        if (!choice || (wanted == Pairs::OfOneKind && choice->conflicts > 0))
          continue; // better ones may come
        choice->score += score - 200 * static_cast<int>(choice->conflicts);
        if ((!best || choice->score > best->score) && haveRoom(*choice))
          best = choice;
      }
    if (best && !loadsWhileItWaits(best->slot))
      commit(*best);
    return best.has_value();
  }

  /// Loads come up while the pair that would be next waits.
  bool loadsWhileItWaits(const Slot &pair) {
    constexpr unsigned kLookAhead = 64;
    if (others_.empty() ||
        module_.instructions()[region_.nodes[others_.front()].inst].memory != MemoryEffect::Load)
      return false;
    const int wait = waitOf({pair.x, pair.y});
    return wait > 0 && waitOf(others_.front()) < wait && issueOther(kLookAhead);
  }

  /// The two of a slot, in the order of sources that their registers allow.
  bool issuePairOf(const Slot &slot) {
    const Ready x = readyOf(slot.x), y = readyOf(slot.y);
    auto choice = pairOf(x, y);
    if (!choice)
      choice = pairOf(y, x);
    if (!choice || !haveRoom(*choice))
      return false;
    commit(*choice);
    return true;
  }

  void commit(const Choice &choice) {
    const uint32_t x = choice.slot.x, y = choice.slot.y;
    if (equations_)
      equations_->addPair(x, y);
    ++cost_.issues;
    cost_.singleFmas += isFma(x) != isFma(y);
    cost_.conflicts += choice.conflicts;
    slots_.push_back(choice.slot);
    retire({x, y}, choice.parities);
  }

  //===--------------------------------------------------------------------===//
  // Single operations
  //===--------------------------------------------------------------------===//

  bool issueSingle() {
    std::optional<uint32_t> best;
    const auto key = [&](uint32_t n) { return std::tuple(!isFma(n), height_[n], ~n); };
    for (const Ready &ready : readyLanes())
      if (registers_.canIssue(ready.node) && (!best || key(ready.node) > key(*best)))
        best = ready.node;
    return best && issueSingle(*best);
  }

  bool issueSingle(uint32_t n) {
    if (!registers_.canIssue(n))
      return false;
    ++cost_.issues;
    if (isFma(n)) {
      ++cost_.singleFmas;
      const auto [a, b] = readyOf(n).sources[0];
      cost_.singleConflicts += a >= 0 && b >= 0 && a != b && ((a ^ b) & 3) == 0;
    }
    slots_.push_back({Slot::Kind::Single, n, 0, Slot::Sources::AsIs, Slot::Sources::AsIs});
    retire(n, Parity::Any);
    return true;
  }

  //===--------------------------------------------------------------------===//
  // The result
  //===--------------------------------------------------------------------===//

  std::optional<AllocatedSchedule> finish() {
    AllocatedSchedule result;
    for (WebId w = 0; w < region_.webs.size(); ++w) {
      const unsigned reg =
          registers_.isPlaced(w) ? registers_.of(w) : unsigned{region_.webs[w].home.number};
      result.registers.push_back(Vgpr{static_cast<uint8_t>(reg)});
      result.schedule.bank.push_back(static_cast<int8_t>(reg & 3));
    }
    const unsigned now =
        conflictsOfOthers(region_, module_, [&](WebId w) { return result.registers[w]; });
    const unsigned was =
        conflictsOfOthers(region_, module_, [&](WebId w) { return region_.webs[w].home; });
    cost_.singleConflicts += now - std::min(now, was);
    result.schedule.slots = slots_;
    result.schedule.cost = cost_;
    return result;
  }

  const RegionModel &region_;
  const Module &module_;
  const AllocatingStyle &style_;
  const ScalarPairs &scalarPairs_;
  FreeRegisters registers_;
  std::optional<BankEquations> equations_;
  Random random_;
  std::optional<LoneWave::Run> clock_;
  std::vector<unsigned> waiting_, height_;
  std::vector<uint32_t> lanes_, others_; ///< Ready, ascending.
  std::vector<Slot> slots_;
  ScheduleCost cost_;
  unsigned lanesDone_ = 0;
  bool isOutOfRegisters_ = false;
  std::optional<uint32_t> failedAt_;
};

} // namespace

std::optional<AllocatedSchedule> scheduleAndAllocate(const RegionModel &region,
                                                     const Module &module, const Groups &groups,
                                                     const RegisterSpace &space,
                                                     const AllocatingStyle &style,
                                                     const ScalarPairs &pairs) {
  const std::vector<int8_t> none(region.webs.size(), BankPlan::kAny);
  AllocatingScheduler first(region, module, groups, space, none, style, pairs);
  auto found = first.run();
  if (!found || style.partners == AllocatingStyle::Partners::ByRegister)
    return found;
  AllocatingStyle byRegister = style;
  byRegister.partners = AllocatingStyle::Partners::ByRegister;
  const std::vector<int8_t> preferences = first.banks();
  return AllocatingScheduler(region, module, groups, space, preferences, byRegister, pairs)
      .follow(first.order());
}

std::optional<AllocatedSchedule> scheduleAndNarrow(const RegionModel &region, const Module &module,
                                                   const RegisterSpace &space,
                                                   const AllocatingStyle &style,
                                                   const ScalarPairs &pairs, LoadWidths &widths) {
  constexpr unsigned kMostNarrowed = 40;
  const std::vector<int8_t> none(region.webs.size(), BankPlan::kAny);
  const Groups apart = groupsOf(region, module, LoadWidth::Singles);
  AllocatingScheduler first(region, module, apart, space, none, style, pairs);
  if (!apart.consistent || !first.run())
    return std::nullopt;
  widths.own = first.widths(apart);
  AllocatingStyle byRegister = style;
  byRegister.partners = AllocatingStyle::Partners::ByRegister;
  const std::vector<int8_t> preferences = first.banks();
  for (unsigned narrowed = 0; narrowed <= kMostNarrowed; ++narrowed) {
    const Groups groups = groupsOf(region, module, widths);
    if (!groups.consistent)
      return std::nullopt;
    AllocatingScheduler second(region, module, groups, space, preferences, byRegister, pairs);
    if (auto found = second.follow(first.order()))
      return found;
    // Registers that are free need not be neighbours.
    const uint32_t at = *second.failedAt();
    if (region.nodes[at].kind != Node::Kind::Load || widths.own[at] == LoadWidth::Singles)
      return std::nullopt;
    widths.own[at] = widths.own[at] == LoadWidth::Whole ? LoadWidth::Pairs : LoadWidth::Singles;
  }
  return std::nullopt;
}

} // namespace rdna
