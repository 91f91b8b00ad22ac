#include "Transform/Schedule.h"

#include "Support/Random.h"
#include "Transform/LoadRoom.h"
#include "Transform/ReadyOps.h"

#include <algorithm>
#include <cstdlib>

namespace rdna {

namespace {

constexpr int8_t kAny = BankPlan::kAny;
constexpr uint32_t kNoNode = ~0U;

/// One way to issue two nodes together.
struct Candidate {
  uint32_t x = 0, y = 0;
  Slot::Sources xSources = Slot::Sources::AsIs, ySources = Slot::Sources::AsIs;
  int8_t xDst = kAny, yDst = kAny; ///< Banks of the destinations.
  unsigned conflicts = 0, reuse0 = 0, reuse1 = 0;
  bool rotates = false;
  int score = 0;
};

class Scheduler {
public:
  Scheduler(const RegionModel &region, const Module &module, const BankPlan &plan,
            const ScheduleStyle &style, const ScalarPairs &pairs)
      : region_(region), module_(module), plan_(plan), style_(style), scalarPairs_(pairs),
        random_(style.seed) {
    result_.bank = plan.bank;
    if (style.lone)
      clock_.emplace(*style.lone);
  }
  Schedule run();

private:
  const WebOp &op(uint32_t n) const { return region_.nodes[n].op; }
  int8_t bank(WebId w) const { return result_.bank[w]; }
  bool isFma(uint32_t n) const { return lane_[n].isFma; }
  const HalfPorts &ports(uint32_t n, Slot::Sources sources) const {
    return lane_[n].ports[static_cast<size_t>(sources)];
  }

  void prepare();
  bool couldPair(uint32_t a, uint32_t b) const;
  int8_t conflictsOf(uint32_t x, uint32_t y, unsigned xSources, unsigned ySources);
  bool chooseDestinations(const HalfPorts &x, const HalfPorts &y, Candidate &candidate) const;
  void consider(uint32_t x, uint32_t y, unsigned conflictLimit, std::optional<Candidate> &best);
  std::optional<Candidate> bestPair();
  std::optional<Candidate> bestIndexedPair();
  unsigned partnersOf(uint32_t n) const { return ready_ ? ready_->partnerCount(n) : partners_[n]; }
  void enter(uint32_t node);
  uint32_t bestSingle() const;
  bool emitOther(unsigned slack);
  bool loadsWhileItWaits(const Candidate &pair);
  bool isLoad(uint32_t n) const {
    return module_.instructions()[region_.nodes[n].inst].memory == MemoryEffect::Load;
  }
  int waitOf(llvm::ArrayRef<uint32_t> nodes) const;
  void retire(uint32_t node);
  void commit(const Candidate &candidate);
  void commitSingle(uint32_t node);
  void setBank(WebId web, int8_t value);

  const RegionModel &region_;
  const Module &module_;
  const BankPlan &plan_;
  const ScheduleStyle &style_;
  const ScalarPairs &scalarPairs_;
  Random random_;
  Schedule result_;
  const PortBanks banks_{result_.bank};
  std::vector<unsigned> waiting_;        // unscheduled predecessors
  std::vector<uint32_t> lanes_, others_; // ready, ascending
  std::optional<ReadyOps> ready_;        // lanes_ by what decides about partners, in large blocks
  std::vector<unsigned> height_;
  std::vector<unsigned> partners_; // possible partners left, by node
  std::vector<std::vector<uint32_t>> partnerList_;
  std::vector<unsigned> usesLeft_; // lane operations that still read a web as a factor
  std::vector<uint8_t> hasScalars_;
  /// What is asked of an operation for every pair that it could be in.
  struct LaneFacts {
    std::array<HalfPorts, 2> ports; ///< By Slot::Sources.
    uint8_t ways = 1;               ///< Orders of its sources.
    bool fitsX = false, fitsY = false, isFma = false;
    uint32_t number = 0; ///< Among all of them.
  };
  std::vector<LaneFacts> lane_; ///< By node.
  /// In small blocks: what conflictsOf has found out, by both nodes and the orders of their
  /// sources.
  std::vector<int8_t> knownConflicts_;
  static constexpr int8_t kNotAsked = -1, kNoFit = -2;
  std::array<unsigned, 4> room_{};
  std::optional<LoadRoom> loadRoom_; // in large blocks
  std::optional<LoneWave::Run> clock_;
  unsigned lanesDone_ = 0, laneCount_ = 0;
  std::optional<std::pair<HalfPorts, HalfPorts>> previous_;
  std::array<int8_t, 2> previousDst_{kAny, kAny};
  unsigned reuse0_ = 0, reuse1_ = 0, rotations_ = 0, pairs_ = 0;
};

void Scheduler::prepare() {
  const size_t count = region_.nodes.size();
  room_ = plan_.relocatableRoom;
  waiting_.resize(count);
  height_.assign(count, 0);
  hasScalars_.assign(count, 0);
  lane_.resize(count);
  usesLeft_.assign(region_.webs.size(), 0);
  for (uint32_t n = static_cast<uint32_t>(count); n-- > 0;) {
    const Node &node = region_.nodes[n];
    waiting_[n] = static_cast<unsigned>(node.preds.size());
    // A pair's second half may precede its first, so heights settle only roughly; they only rank.
    for (const uint32_t s : node.succs)
      height_[n] = std::max(height_[n], height_[s] + (node.kind == Node::Kind::Lane ? 1 : 0));
    if (node.kind != Node::Kind::Lane)
      continue;
    const LaneOp &lane = node.op.lane;
    lane_[n] = {{portsOf(node.op, Slot::Sources::AsIs), portsOf(node.op, Slot::Sources::Swapped)},
                static_cast<uint8_t>(canSwap(node.op) ? 2 : 1),
                vopdOpcodeX(lane.op) >= 0,
                vopdOpcodeY(lane.op) >= 0,
                isVopdFma(lane.op),
                laneCount_++};
    hasScalars_[n] = lane.constant || lane.op == Op::v_cndmask_b32 ||
                     lane.src0.kind == VopdSource::Kind::Scalar ||
                     lane.src0.kind == VopdSource::Kind::Literal;
    for (const WebId w : {node.op.src0, node.op.src1})
      if (w != kNoWeb)
        ++usesLeft_[w];
  }
  if (laneCount_ > kSmallBlock) {
    ready_.emplace();
    loadRoom_.emplace(region_, plan_, result_.bank);
  }
  for (uint32_t n = 0; n < count; ++n)
    if (waiting_[n] == 0)
      enter(n);
  if (!ready_)
    knownConflicts_.assign(size_t{4} * laneCount_ * laneCount_, kNotAsked);
  partners_.assign(count, 0);
  partnerList_.resize(count);
  if (ready_ || style_.scarcity == 0)
    return;
  std::vector<uint32_t> lanes;
  for (uint32_t n = 0; n < count; ++n)
    if (region_.nodes[n].kind == Node::Kind::Lane)
      lanes.push_back(n);
  for (size_t i = 0; i < lanes.size(); ++i)
    for (size_t j = i + 1; j < lanes.size(); ++j)
      if (const uint32_t a = lanes[i], b = lanes[j]; couldPair(a, b)) {
        partnerList_[a].push_back(b);
        partnerList_[b].push_back(a);
        ++partners_[a];
        ++partners_[b];
      }
}

bool Scheduler::couldPair(uint32_t a, uint32_t b) const {
  if ((hasScalars_[a] || hasScalars_[b]) ? !(scalarPairs_.fit(a, b) || scalarPairs_.fit(b, a))
                                         : !lane_[a].fitsX && !lane_[b].fitsX)
    return false;
  for (unsigned swapped = 0; swapped < lane_[b].ways; ++swapped) {
    const HalfPorts &x = ports(a, Slot::Sources::AsIs), &y = lane_[b].ports[swapped];
    if (banks_.sourcesFit(x, y) && banks_.destinationsFit(x, y))
      return true;
  }
  return false;
}

/// Banks for destinations that are still free: rotate against the previous pair, then stay at home,
/// then use the bank with most room.
bool Scheduler::chooseDestinations(const HalfPorts &x, const HalfPorts &y,
                                   Candidate &candidate) const {
  int best = -1;
  const auto options = [&](WebId w) {
    llvm::SmallVector<int8_t, 4> list;
    if (bank(w) != kAny) {
      list.push_back(bank(w));
    } else {
      for (int8_t b = 0; b < 4; ++b)
        if (region_.webs[w].scope != Web::Scope::Relocatable || room_[static_cast<size_t>(b)] > 0)
          list.push_back(b);
    }
    return list;
  };
  const auto value = [&](WebId w, int8_t b) {
    int v = 0;
    if (b != previousDst_[0] && b != previousDst_[1])
      v += 100;
    if (bank(w) == kAny) {
      if ((region_.webs[w].home.number & 3) == b)
        v += 30;
      v += static_cast<int>(std::min(room_[static_cast<size_t>(b)], 29u));
    }
    return v;
  };
  const auto second = options(y.dst);
  for (const int8_t bx : options(x.dst))
    for (const int8_t by : second) {
      if (((bx ^ by) & 1) == 0)
        continue;
      // The SRC2 ports: the destination itself, or FMAMK's addend.
      const auto port2 = [&](const HalfPorts &h, int8_t dst) {
        return h.src2 == kNoWeb ? kAny : h.src2 == h.dst ? dst : bank(h.src2);
      };
      if (x.src2 != kNoWeb && y.src2 != kNoWeb) {
        const int8_t px = port2(x, bx), py = port2(y, by);
        if (px == kAny || py == kAny || ((px ^ py) & 1) == 0)
          continue;
      }
      const int v = value(x.dst, bx) + value(y.dst, by);
      if (v > best) {
        best = v;
        candidate.xDst = bx;
        candidate.yDst = by;
        candidate.rotates = previous_ && bx != previousDst_[0] && bx != previousDst_[1] &&
                            by != previousDst_[0] && by != previousDst_[1];
      }
    }
  return best >= 0;
}

/// Source bank conflicts of two halves, or that they do not fit. The same two are asked about again
/// and again while both are ready, and banks that are known do not change.
int8_t Scheduler::conflictsOf(uint32_t x, uint32_t y, unsigned xSources, unsigned ySources) {
  int8_t *known = nullptr;
  if (!knownConflicts_.empty()) {
    known = &knownConflicts_[4 * (size_t{lane_[x].number} * laneCount_ + lane_[y].number) +
                             2 * xSources + ySources];
    if (*known != kNotAsked)
      return *known;
  }
  const HalfPorts &px = lane_[x].ports[xSources], &py = lane_[y].ports[ySources];
  const int8_t found =
      banks_.sourcesFit(px, py) ? static_cast<int8_t>(banks_.conflicts(px, py)) : kNoFit;
  const auto isKnown = [&](WebId w) { return w == kNoWeb || bank(w) != kAny; };
  if (known && isKnown(px.src0) && isKnown(px.src1) && isKnown(py.src0) && isKnown(py.src1))
    *known = found;
  return found;
}

void Scheduler::consider(uint32_t x, uint32_t y, unsigned conflictLimit,
                         std::optional<Candidate> &best) {
  if (!lane_[x].fitsX || !lane_[y].fitsY)
    return;
  if ((hasScalars_[x] || hasScalars_[y]) && !scalarPairs_.fit(x, y))
    return;
  for (unsigned sx = 0; sx < lane_[x].ways; ++sx)
    for (unsigned sy = 0; sy < lane_[y].ways; ++sy) {
      const int8_t conflicts = conflictsOf(x, y, sx, sy);
      if (conflicts < 0 || static_cast<unsigned>(conflicts) > conflictLimit)
        continue;
      const HalfPorts &px = lane_[x].ports[sx], &py = lane_[y].ports[sy];
      if (!banks_.destinationsFit(px, py))
        continue;
      Candidate c;
      c.x = x;
      c.y = y;
      c.xSources = static_cast<Slot::Sources>(sx);
      c.ySources = static_cast<Slot::Sources>(sy);
      c.conflicts = static_cast<unsigned>(conflicts);
      if (previous_) {
        const auto same = [](WebId a, WebId b) { return a != kNoWeb && a == b ? 1u : 0u; };
        c.reuse0 = same(px.src0, previous_->first.src0) + same(py.src0, previous_->second.src0);
        c.reuse1 = same(px.src1, previous_->first.src1) + same(py.src1, previous_->second.src1);
      }
      const auto left = [&](WebId w) { return w == kNoWeb ? 0 : static_cast<int>(usesLeft_[w]); };
      c.score = style_.reuse * static_cast<int>(c.reuse0 + c.reuse1) -
                style_.conflict * static_cast<int>(c.conflicts) +
                style_.height * static_cast<int>(height_[x] + height_[y]) -
                style_.finish * (left(px.src0) + left(px.src1) + left(py.src0) + left(py.src1)) -
                style_.scarcity * static_cast<int>(std::min(partnersOf(x), partnersOf(y)));
      if (isFma(x) && isFma(y))
        c.score += style_.fma;
      else if (isFma(x) || isFma(y))
        c.score -= style_.fma; // it would leave another FMAC single
      // Both caches should be fed alike.
      c.score += reuse0_ <= reuse1_ ? static_cast<int>(c.reuse0) : static_cast<int>(c.reuse1);
      c.score -= style_.latency * waitOf({x, y});
      if (style_.noise > 0)
        c.score += static_cast<int>(random_.below(static_cast<uint32_t>(style_.noise)));
      const uint32_t from = ready_ ? 2 * lanes_.front() : 0; // all of a large block is far away
      c.score = c.score * 64 - style_.order * static_cast<int>(std::min(63u, (x + y - from) / 16));
      // The destinations only decide about rotation: look at them only if that can matter.
      if (best && c.score + 64 * style_.rotation <= best->score)
        continue;
      if (!chooseDestinations(px, py, c))
        continue;
      c.score += 64 * style_.rotation * (c.rotates || !previous_ ? 1 : 0);
      if (!best || c.score > best->score)
        best = c;
    }
}

/// Large blocks: partners by their banks, for operations that share an operand with the last pair
/// and for the oldest. More are looked at only while no pair without a conflict is found.
std::optional<Candidate> Scheduler::bestIndexedPair() {
  constexpr size_t kOldest = 4, kSharing = 4, kMost = 64, kWithConflict = 6;
  constexpr unsigned kDepth = 3, kLate = 128;
  std::optional<Candidate> best;
  const auto tryAll = [&](uint32_t a, ReadyOps::Want want) {
    const unsigned limit = want == ReadyOps::Want::Clean ? 0 : style_.conflictLimit;
    ready_->partners(a, kDepth, want, [&](uint32_t b) {
      consider(a, b, limit, best);
      consider(b, a, limit, best);
    });
  };
  llvm::SmallVector<uint32_t, 32> anchors;
  if (previous_ && style_.reuse > 0)
    for (const WebId w : {previous_->first.src0, previous_->first.src1, previous_->second.src0,
                          previous_->second.src1})
      ready_->readers(w, kSharing, anchors);
  const size_t oldest = std::min(kOldest, lanes_.size());
  anchors.append(lanes_.begin(), lanes_.begin() + static_cast<std::ptrdiff_t>(oldest));
  std::sort(anchors.begin(), anchors.end());
  anchors.erase(std::unique(anchors.begin(), anchors.end()), anchors.end());
  // What has waited for long holds registers: a conflict is better.
  if (style_.conflictLimit > 0 && region_.nodes[lanes_.front()].rank + kLate < lanesDone_)
    tryAll(lanes_.front(), ReadyOps::Want::Any);
  for (const uint32_t a : anchors)
    tryAll(a, ReadyOps::Want::Clean);
  for (size_t i = oldest; !best && i < std::min(kMost, lanes_.size()); ++i)
    tryAll(lanes_[i], ReadyOps::Want::Clean);
  if (style_.conflictLimit > 0)
    for (size_t i = 0; !best && i < std::min(kWithConflict, lanes_.size()); ++i)
      tryAll(lanes_[i], ReadyOps::Want::Any);
  return best;
}

std::optional<Candidate> Scheduler::bestPair() {
  if (ready_)
    return bestIndexedPair();
  std::optional<Candidate> best;
  // With many operations at hand, look first at those that share an operand with the last pair.
  if (lanes_.size() > 48 && previous_ && style_.reuse > 0) {
    std::vector<uint32_t> sharing;
    const auto shares = [&](WebId w) {
      return w != kNoWeb && (w == previous_->first.src0 || w == previous_->first.src1 ||
                             w == previous_->second.src0 || w == previous_->second.src1);
    };
    for (const uint32_t n : lanes_)
      if (shares(op(n).src0) || shares(op(n).src1))
        sharing.push_back(n);
    for (const uint32_t a : sharing)
      for (const uint32_t b : sharing)
        if (a != b)
          consider(a, b, style_.conflictLimit, best);
    if (best && best->conflicts == 0)
      return best;
  }
  // Looking at every pair of thousands of ready operations would be quadratic.
  const size_t window = std::min<size_t>(lanes_.size(), 160);
  for (size_t a = 0; a < window; ++a)
    for (size_t b = 0; b < window; ++b)
      if (a != b)
        consider(lanes_[a], lanes_[b], style_.conflictLimit, best);
  return best;
}

uint32_t Scheduler::bestSingle() const {
  return *std::max_element(lanes_.begin(), lanes_.end(), [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t n) {
      // What can hardly find a partner goes first, then what others wait for.
      return std::tuple(style_.scarcity > 0 ? -static_cast<int>(std::min(partnersOf(n), 1u)) : 0,
                        static_cast<int>(height_[n]), -static_cast<int>(n));
    };
    return key(a) < key(b);
  });
}

void Scheduler::setBank(WebId web, int8_t value) {
  if (web == kNoWeb || result_.bank[web] != kAny)
    return;
  result_.bank[web] = value;
  if (loadRoom_)
    loadRoom_->placed(web);
  if (region_.webs[web].scope == Web::Scope::Relocatable && room_[static_cast<size_t>(value)] > 0)
    --room_[static_cast<size_t>(value)];
}

/// The node has become ready.
void Scheduler::enter(uint32_t node) {
  const bool lane = region_.nodes[node].kind == Node::Kind::Lane;
  auto &list = lane ? lanes_ : others_;
  list.insert(std::lower_bound(list.begin(), list.end(), node), node);
  if (!ready_ || !lane)
    return;
  const HalfPorts &p = ports(node, Slot::Sources::AsIs);
  const auto code = [&](WebId w) {
    return w == kNoWeb       ? PairKey::kNone
           : bank(w) == kAny ? PairKey::kUnknown
                             : static_cast<uint8_t>(bank(w));
  };
  PairKey key{code(p.src0), code(p.src1), code(p.dst)};
  key.kind = static_cast<uint8_t>((isFma(node) ? 1 : 0) + (hasScalars_[node] ? 2 : 0));
  ready_->insert(node, key, p.src0, p.src1);
}

void Scheduler::retire(uint32_t node) {
  if (region_.nodes[node].kind == Node::Kind::Lane) {
    ++lanesDone_;
    lanes_.erase(std::lower_bound(lanes_.begin(), lanes_.end(), node));
    if (ready_)
      ready_->erase(node);
    for (const WebId w : {op(node).src0, op(node).src1})
      if (w != kNoWeb)
        --usesLeft_[w];
    for (const uint32_t partner : partnerList_[node])
      --partners_[partner];
  } else {
    others_.erase(std::lower_bound(others_.begin(), others_.end(), node));
  }
  if (loadRoom_)
    loadRoom_->retire(node);
  for (const uint32_t s : region_.nodes[node].succs)
    if (--waiting_[s] == 0)
      enter(s);
}

/// As far as it matters to a choice.
int Scheduler::waitOf(llvm::ArrayRef<uint32_t> nodes) const {
  constexpr uint64_t kMost = 64;
  return clock_ ? static_cast<int>(std::min(kMost, clock_->stallOf(nodes))) : 0;
}

/// Loads come up while nothing can go on without waiting.
bool Scheduler::loadsWhileItWaits(const Candidate &pair) {
  constexpr unsigned kLookAhead = 64;
  if (others_.empty() || !isLoad(others_.front()))
    return false;
  const int wait = waitOf({pair.x, pair.y});
  return wait > 0 && waitOf(others_.front()) < wait && emitOther(kLookAhead);
}

void Scheduler::commit(const Candidate &c) {
  if (clock_)
    clock_->issue({c.x, c.y});
  result_.slots.push_back({Slot::Kind::Pair, c.x, c.y, c.xSources, c.ySources});
  const HalfPorts &x = ports(c.x, c.xSources), &y = ports(c.y, c.ySources);
  setBank(x.dst, c.xDst);
  setBank(y.dst, c.yDst);
  reuse0_ += c.reuse0;
  reuse1_ += c.reuse1;
  rotations_ += c.rotates;
  ++pairs_;
  result_.cost.conflicts += c.conflicts;
  ++result_.cost.issues;
  if (isFma(c.x) != isFma(c.y))
    ++result_.cost.singleFmas;
  previous_.emplace(x, y);
  previousDst_ = {c.xDst, c.yDst};
  retire(c.x);
  retire(c.y);
}

void Scheduler::commitSingle(uint32_t node) {
  if (clock_)
    clock_->issue(node);
  result_.slots.push_back({Slot::Kind::Single, node, 0, Slot::Sources::AsIs, Slot::Sources::AsIs});
  ++result_.cost.issues;
  if (isFma(node)) {
    ++result_.cost.singleFmas;
    result_.cost.singleConflicts += banks_.conflicts(ports(node, Slot::Sources::AsIs), {});
  }
  retire(node);
}

/// Emits the first ready instruction of the rest whose old place has come. A load for which there
/// are no registers yet lets others pass.
bool Scheduler::emitOther(unsigned slack) {
  constexpr size_t kMost = 32;
  uint32_t found = kNoNode;
  for (size_t i = 0; i < std::min(kMost, others_.size()); ++i) {
    const uint32_t n = others_[i];
    if (region_.nodes[n].rank > lanesDone_ + slack)
      break; // those behind it came later still
    if (i > 0 && region_.nodes[n].kind != Node::Kind::Load)
      continue;
    if (loadRoom_ && !loadRoom_->hasRoomFor(n))
      continue;
    found = n;
    break;
  }
  if (found == kNoNode && lanes_.empty() && slack > 0 && !others_.empty())
    found = others_.front(); // nothing else can go on
  if (found == kNoNode)
    return false;
  if (clock_)
    clock_->issue(found);
  result_.slots.push_back({Slot::Kind::Other, found, 0, Slot::Sources::AsIs, Slot::Sources::AsIs});
  retire(found);
  return true;
}

Schedule Scheduler::run() {
  prepare();
  constexpr unsigned kLookAhead = 16; // how far a load may be pulled up to find a partner
  while (!lanes_.empty() || !others_.empty()) {
    if (emitOther(0))
      continue;
    if (lanes_.empty()) {
      emitOther(~0u - lanesDone_);
      continue;
    }
    if (const auto pair = lanes_.size() > 1 ? bestPair() : std::nullopt) {
      if (!loadsWhileItWaits(*pair))
        commit(*pair);
    } else if (!emitOther(kLookAhead))
      commitSingle(bestSingle());
  }
  if (pairs_ > 1) {
    const unsigned possible = 2 * (pairs_ - 1), reused = reuse0_ + reuse1_;
    const unsigned imbalance = reuse0_ > reuse1_ ? reuse0_ - reuse1_ : reuse1_ - reuse0_;
    result_.cost.missedReuse =
        (possible > reused ? possible - reused : 0) + (imbalance > 2 ? imbalance / 2 : 0);
    result_.cost.missedRotation = pairs_ - 1 - rotations_;
  }
  return std::move(result_);
}

} // namespace

Schedule schedule(const RegionModel &region, const Module &module, const BankPlan &plan,
                  const ScheduleStyle &style, const ScalarPairs &pairs) {
  return Scheduler(region, module, plan, style, pairs).run();
}

} // namespace rdna
