#include "Transform/Search.h"

#include "Transform/AllocatingSchedule.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

/// Orders with random parts: how many at most, and how many lane operations all of them have.
static constexpr unsigned kMostTries = 40, kTriesTimesLanes = 4000;

static unsigned piecesMore(const RegionModel &region, const Module &module,
                           const LoadWidths &width) {
  unsigned more = 0;
  for (uint32_t n = 0; n < region.nodes.size(); ++n)
    if (const Node &node = region.nodes[n]; node.kind == Node::Kind::Load)
      more += static_cast<unsigned>(
          loadPieces(module.instructions()[node.inst], width.of(n)).size() - 1);
  return more;
}

Solution Search::attempt(const BankPlan &plan, const ScheduleStyle &style) const {
  Solution solution;
  solution.plan = plan;
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (fixed_[w] && fixedBanks_ == FixedBanks::Planned)
      solution.plan.bank[w] = static_cast<int8_t>(fixed_[w]->number & 3);
  ScheduleStyle timed = style;
  timed.lone = &lone_;
  solution.schedule = schedule(region_, context_.module, solution.plan, timed, pairs_);
  solution.extraLoads = piecesMore(region_, context_.module, plan.width);
  return solution;
}

bool Search::allocateFor(Solution &solution) const {
  const Groups groups = groupsOf(region_, context_.module, solution.plan.width);
  if (!groups.consistent)
    return false;
  auto registers = allocate(context_, region_, groups, solution.schedule, space_, fixed_);
  if (!registers)
    return false;
  solution.registers = std::move(*registers);
  return true;
}

unsigned Search::shareOf(unsigned tries) const {
  constexpr size_t kFew = 32, kMostShares = 8;
  const Cfg &cfg = context_.cfg;
  if (!region_.loops.empty() || cfg.loops.empty())
    return tries;
  size_t outside = 0;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    outside += cfg.loopOf(b) ? 0 : 1;
  const auto shares = static_cast<unsigned>(std::clamp<size_t>(outside / kFew, 1, kMostShares));
  return (tries + shares - 1) / shares;
}

/// Small blocks: move one group of values to other banks at a time and keep what is not worse. The
/// number of tries depends on the size alone, so the result is the same on every machine.
void Search::improve(std::vector<Solution> &pool) const {
  const unsigned lanes = laneOps();
  if (lanes == 0 || lanes > 96)
    return;
  // One start for each plan, the best first; then on from the best of all until a whole round
  // brings nothing. The number of tries is the same on every machine.
  std::vector<Solution> starts;
  for (const Solution &solution : pool) {
    const auto same = [&](const Solution &other) { return other.plan.bank == solution.plan.bank; };
    if (starts.size() < 6 && mayPayFor(solution.extraLoads) &&
        std::none_of(starts.begin(), starts.end(), same))
      starts.push_back(solution);
  }
  const unsigned tries = shareOf(std::min(300u, 160000u / (lanes * lanes + 40)));
  Random random(lanes);
  std::optional<Solution> best;
  const auto keep = [&](Solution found) {
    const bool better = isUsable(found) && (!best || found.key() < best->key());
    if (better)
      best = std::move(found);
    return better;
  };
  for (Solution &start : starts)
    keep(climb(std::move(start), tries, random));
  for (unsigned round = 0; best && round < 6 && !isIdeal(*best); ++round)
    if (!keep(climb(*best, 2 * tries, random)))
      break;
  if (best)
    pool.push_back(std::move(*best));
}

/// Random steps from one solution. A step that costs no more is followed; the best one for which
/// registers can be found is returned.
Solution Search::climb(Solution best, unsigned tries, Random &random) const {
  BankPlan current = best.plan;
  unsigned currentCost = ~0u;
  const Groups groups = groupsOf(region_, context_.module, best.plan.width);
  std::vector<uint32_t> free;
  for (uint32_t g = 0; g < groups.members.size(); ++g) {
    const WebId w = groups.members[g][0];
    if (region_.webs[w].scope != Web::Scope::Pinned &&
        std::any_of(groups.members[g].begin(), groups.members[g].end(),
                    [&](WebId m) { return best.plan.bank[m] != BankPlan::kAny; }))
      free.push_back(g);
  }
  if (isAdmissible(best) && best.registers.empty())
    allocateFor(best);
  for (unsigned t = 0; t < tries && !(isIdeal(best) && isUsable(best)); ++t) {
    BankPlan plan = current;
    ScheduleStyle style;
    style.seed = random.next();
    style.noise = random.below(3) == 0 ? 60 : 4;
    style.scarcity = random.below(2) ? 8 : 2;
    style.height = random.below(2) ? 6 : 0;
    style.reuse = random.below(2) ? 40 : 8;
    style.conflictLimit = random.below(2) ? 0 : 8;
    for (unsigned change = 0; !free.empty() && change < random.below(3); ++change) {
      const auto &members = groups.members[free[random.below(static_cast<uint32_t>(free.size()))]];
      const auto turn = static_cast<int8_t>(1 + random.below(3));
      for (const WebId w : members)
        if (plan.bank[w] != BankPlan::kAny)
          plan.bank[w] = static_cast<int8_t>((plan.bank[w] + turn) & 3);
    }
    Solution next = attempt(plan, style);
    const unsigned cost = next.schedule.cost.primary() + next.extraLoads;
    if (cost <= currentCost) {
      current = next.plan;
      currentCost = cost;
    }
    // Any usable solution beats one that cannot be used.
    if (isAdmissible(next) && (!isUsable(best) || next.key() < best.key()) && allocateFor(next))
      best = std::move(next);
  }
  return best;
}

/// What the loads' results leave of the registers that relocatable webs may take. Results that are
/// all live at once first fill registers that are of no use to relocatable webs.
std::array<unsigned, 4> Search::roomBeside(const BankPlan &plan,
                                           std::array<unsigned, 4> room) const {
  std::array<unsigned, 4> loaded{}, own{};
  VgprSet wanted;
  std::vector<uint8_t> isLoaded(region_.webs.size(), 0);
  for (const Node &node : region_.nodes)
    if (node.kind == Node::Kind::Load)
      for (unsigned d = 0; d < loadOffsets(context_.module.instructions()[node.inst]).size(); ++d)
        isLoaded[region_.webAt(node.inst, 0, d)] = 1;
  for (WebId w = 0; w < region_.webs.size(); ++w) {
    const Web &web = region_.webs[w];
    if (web.scope == Web::Scope::Relocatable)
      wanted |= relocatableRegisters(space_, web);
    if (isLoaded[w] && web.scope == Web::Scope::Internal && plan.bank[w] != BankPlan::kAny)
      ++loaded[static_cast<size_t>(plan.bank[w])];
  }
  VgprSet taken = region_.liveThrough;
  for (const Web &web : region_.webs)
    if (web.scope == Web::Scope::Pinned)
      taken.set(web.home.number);
  for (unsigned r = 0; r < space_.budget; ++r)
    own[r & 3] += !wanted.test(r) && !taken.test(r);
  for (size_t b = 0; b < 4; ++b) {
    const unsigned squeezed = loaded[b] > own[b] ? loaded[b] - own[b] : 0;
    room[b] = room[b] > squeezed ? room[b] - squeezed : 0;
  }
  return room;
}

std::vector<Solution> Search::tryPlans(std::array<unsigned, 4> room) const {
  std::vector<Solution> pool;
  for (BankPlan &plan : bankPlans(region_, context_.module, options_.splitLoads)) {
    const std::array<unsigned, 4> beside = roomBeside(plan, room);
    for (const int style : {0, 1, 2, 3}) {
      ScheduleStyle weights;
      if (style == 1) {
        weights.reuse = 12;
        weights.scarcity = 8;
      } else if (style == 2) {
        weights.height = 8;
        weights.scarcity = 3;
        weights.reuse = 10;
      } else if (style == 3) {
        weights.conflictLimit = 0;
        weights.scarcity = 8;
        weights.reuse = 12;
      }
      plan.relocatableRoom = room;
      pool.push_back(attempt(plan, weights));
      // Where registers are short, destinations must leave the loads their banks.
      if (!allocateFor(pool.back()) && beside != room) {
        plan.relocatableRoom = beside;
        pool.push_back(attempt(plan, weights));
        allocateFor(pool.back());
      }
      const ScheduleCost &cost = pool.back().schedule.cost;
      if (isIdeal(pool.back()) && isUsable(pool.back()) &&
          cost.missedReuse + cost.missedRotation == 0 &&
          pool.back().key() < std::tuple(old_.primary(), 0u)) {
        std::swap(pool.front(), pool.back());
        pool.resize(1);
        return pool;
      }
    }
  }
  return pool;
}

/// Registers below the budget that nothing outside the block's own values needs.
std::array<unsigned, 4> Search::freeRegisters() const {
  VgprSet taken = region_.liveThrough | ~space_.usable;
  for (const Web &web : region_.webs)
    if (web.scope == Web::Scope::Pinned)
      taken.set(web.home.number);
  std::array<unsigned, 4> count{};
  for (unsigned r = 0; r < space_.budget; ++r)
    count[r & 3] += !taken.test(r);
  return count;
}

/// Loads are held back while there are no registers for them. Free registers need not be
/// neighbours, so where none are found it is tried again as if there were fewer.
Solution Search::attemptWithin(BankPlan plan, unsigned conflictLimit,
                               const std::array<unsigned, 4> &free) const {
  constexpr unsigned kMostSpare = 3;
  ScheduleStyle weights;
  weights.conflictLimit = conflictLimit;
  weights.scarcity = 8;
  weights.reuse = 12;
  for (unsigned spare = 0;; ++spare) {
    for (size_t b = 0; b < free.size(); ++b)
      plan.freeRegisters[b] = free[b] - std::min(free[b], spare);
    Solution solution = attempt(plan, weights);
    const bool isBetter = isAdmissible(solution) && solution.key() < std::tuple(old_.primary(), 0U);
    if (!isBetter || allocateFor(solution) || spare == kMostSpare)
      return solution;
  }
}

/// Few weightings; loads are made narrower only if wider ones leave something to be desired.
std::vector<Solution> Search::tryPlansOfLarge(std::array<unsigned, 4> room) const {
  std::vector<Solution> pool;
  const std::array<unsigned, 4> free = freeRegisters();
  std::optional<LoadWidths> width;
  bool done = false;
  for (BankPlan &plan : bankPlans(region_, context_.module, options_.splitLoads)) {
    if (done && plan.width != width)
      break;
    width = plan.width;
    plan.relocatableRoom = room;
    for (const unsigned conflictLimit : {0U, 8U}) {
      Solution solution = attemptWithin(plan, conflictLimit, free);
      done |= isUsable(solution) && isIdealButForOrder(solution);
      pool.push_back(std::move(solution));
    }
  }
  return pool;
}

/// Styles of orders that give values registers as they go; those that are best most often first.
static std::vector<AllocatingStyle> allocatingStyles(const LoneWave &lone, unsigned laneOps) {
  using Partners = AllocatingStyle::Partners;
  struct Row {
    Partners partners;
    unsigned window, lookAhead, conflictLimit;
    int height;
  };
  static constexpr unsigned kAll = ~0U;
  static constexpr Row kRows[] = {
      {Partners::ByEquation, kAll, 256, 0, 1}, {Partners::ByEquation, 32, 16, 0, 1},
      {Partners::ByRegister, 32, 16, 0, 4},    {Partners::ByRegister, 32, 16, 1, 4},
      {Partners::ByEquation, 96, 16, 0, 4},    {Partners::ByEquation, 12, 256, 0, 4},
      {Partners::ByRegister, 12, 256, 1, 1},   {Partners::ByEquation, kAll, 16, 0, 4}};
  // Each takes a quarter of a millisecond per operation.
  constexpr unsigned kHuge = 2048;
  std::vector<AllocatingStyle> styles;
  for (const Row &row : llvm::ArrayRef(kRows).take_front(laneOps > kHuge ? 4 : std::size(kRows))) {
    AllocatingStyle &style = styles.emplace_back();
    style.partners = row.partners;
    style.window = row.window;
    style.lookAhead = row.lookAhead;
    style.conflictLimit = row.conflictLimit;
    style.height = row.height;
    style.lone = &lone;
    style.reserve = row.window == kAll ? 8 : 0;
  }
  return styles;
}

/// Orders that give values registers as they go, for what plans of banks leave.
void Search::allocateAsWritten(std::vector<Solution> &pool) const {
  std::optional<Solution> best;
  const auto consider = [&](std::optional<AllocatedSchedule> found, const LoadWidths &width) {
    if (!found)
      return false;
    Solution solution;
    solution.plan.width = width;
    solution.plan.bank = found->schedule.bank;
    solution.schedule = std::move(found->schedule);
    solution.registers = std::move(found->registers);
    solution.extraLoads = piecesMore(region_, context_.module, width);
    // Conflicts of single FMAs count here, because all registers are at hand.
    const auto costOf = [](const Solution &s) {
      return s.schedule.cost.primary() + 4 * s.schedule.cost.singleConflicts + s.extraLoads;
    };
    const bool isBetter = isAdmissible(solution) && (!best || costOf(solution) < costOf(*best));
    if (isBetter)
      best = std::move(solution);
    return isBetter;
  };
  const auto tryStyle = [&](LoadWidth width, const Groups &groups, const AllocatingStyle &style) {
    return consider(scheduleAndAllocate(region_, context_.module, groups, space_, style, pairs_),
                    width);
  };
  const auto isDone = [&] { return best && isIdealButForOrder(*best); };
  std::optional<AllocatingStyle> favourite;
  LoadWidth favouriteWidth = LoadWidth::Whole;
  unsigned lastMore = ~0U;
  for (const LoadWidth width : {LoadWidth::Whole, LoadWidth::Pairs, LoadWidth::Singles}) {
    const unsigned more = piecesMore(region_, context_.module, width);
    const bool isAsked = width == LoadWidth::Whole ? options_.splitLoads != SplitLoads::Always
                                                   : options_.splitLoads != SplitLoads::Never;
    const Groups groups = groupsOf(region_, context_.module, width);
    if (!isAsked || more == lastMore || !mayPayFor(more) || !groups.consistent)
      continue;
    lastMore = more;
    for (const AllocatingStyle &style : allocatingStyles(lone_, laneOps()))
      if (!isDone() && tryStyle(width, groups, style)) {
        favourite = style;
        favouriteWidth = width;
      }
  }
  // Narrower where pairs ask for it only.
  if (piecesMore(region_, context_.module, LoadWidth::Singles) != 0 &&
      options_.splitLoads == SplitLoads::Auto)
    for (const AllocatingStyle &style : allocatingStyles(lone_, laneOps()))
      if (!isDone() && style.partners == AllocatingStyle::Partners::ByEquation) {
        LoadWidths width = LoadWidth::Singles;
        auto found = scheduleAndNarrow(region_, context_.module, space_, style, pairs_, width);
        consider(std::move(found), width);
      }
  // Small blocks: once more with chance.
  const unsigned tries =
      favourite ? shareOf(std::min(kMostTries, kTriesTimesLanes / (laneOps() + 1))) : 0;
  const Groups groups = groupsOf(region_, context_.module, favouriteWidth);
  const bool hasOnlyY = llvm::any_of(region_.nodes, [](const Node &node) {
    return node.kind == Node::Kind::Lane && vopdOpcodeX(node.op.lane.op) < 0;
  });
  const unsigned all = hasOnlyY ? tries + tries / 2 : tries;
  for (unsigned t = 0; t < all && !isDone(); ++t) {
    AllocatingStyle style = *favourite;
    style.seed = t + 1;
    style.noise = t % 3 == 0 ? 4 : t % 3 == 1 ? 16 : 64;
    if (t % 4 == 3)
      style.partners = AllocatingStyle::Partners::ByEquation;
    if (t >= tries)
      style.mixed = AllocatingStyle::Mixed::AtOnce;
    tryStyle(favouriteWidth, groups, style);
  }
  // Of registers that somebody fixed this knows nothing; where all of them are what it found once,
  // it finds them again.
  const auto isHonoured = [&](const Solution &solution) {
    for (WebId w = 0; w < region_.webs.size(); ++w)
      if (fixed_[w] && *fixed_[w] != solution.registers[w])
        return false;
    return true;
  };
  if (best && isHonoured(*best))
    pool.push_back(std::move(*best));
}

std::optional<Solution> Search::run() {
  const ScheduleCost &old = old_;
  const bool constrained = std::any_of(fixed_.begin(), fixed_.end(),
                                       [](const auto &entry) { return entry.has_value(); });
  // Nothing can beat a block that takes its fewest issue slots without a conflict.
  if (old.conflicts == 0 && old.issues <= bounds_.issues && old.singleFmas <= bounds_.singleFmas &&
      options_.hazards == Hazards::Leave && !constrained)
    return std::nullopt;
  std::array<unsigned, 4> room{};
  for (const Web &web : region_.webs)
    if (web.scope == Web::Scope::Relocatable) {
      const VgprSet allowed = relocatableRegisters(space_, web);
      std::array<unsigned, 4> here{};
      for (unsigned r = 0; r < space_.budget; ++r)
        here[r & 3] += allowed.test(r);
      for (size_t b = 0; b < 4; ++b)
        room[b] = std::max(room[b], here[b]);
    }
  const auto tryAll = [&] { return isLarge() ? tryPlansOfLarge(room) : tryPlans(room); };
  std::vector<Solution> pool = tryAll();
  if (constrained) {
    fixedBanks_ = FixedBanks::Found;
    llvm::append_range(pool, tryAll());
    fixedBanks_ = FixedBanks::Planned;
  }
  const auto sortPool = [&] {
    std::stable_sort(pool.begin(), pool.end(),
                     [](const Solution &a, const Solution &b) { return a.key() < b.key(); });
  };
  sortPool();
  const bool done = std::any_of(pool.begin(), pool.end(), [&](const Solution &solution) {
    return isIdeal(solution) && isUsable(solution);
  });
  if (!done)
    improve(pool);
  const bool isSolved =
      done || std::any_of(pool.begin(), pool.end(), [&](const Solution &solution) {
        return isIdealButForOrder(solution) && isUsable(solution);
      });
  if (!isSolved)
    allocateAsWritten(pool);
  sortPool();
  std::erase_if(pool, [&](const Solution &solution) { return !isAdmissible(solution); });
  constexpr unsigned kMostFailures = 24; // Of those that have no registers yet.
  unsigned failures = 0;
  for (Solution &solution : pool) {
    // To honour a constraint or repair a hazard, as good as before is good enough.
    const bool isAsGood = constrained || options_.hazards == Hazards::Repair;
    const unsigned more = options_.hazards == Hazards::RepairAtAnyCost ? 1000U : isAsGood ? 1U : 0U;
    if (solution.schedule.cost.primary() >= old.primary() + more)
      break;
    if (solution.registers.empty() && failures++ > kMostFailures)
      continue;
    if (!solution.registers.empty() || allocateFor(solution))
      return std::move(solution);
  }
  if (options_.hazards != Hazards::Leave && !constrained)
    if (auto inPlace = repairInPlace(region_);
        inPlace &&
        (inPlace->cost.issues <= old.issues || options_.hazards == Hazards::RepairAtAnyCost)) {
      Solution solution;
      solution.schedule = std::move(*inPlace);
      for (const Web &web : region_.webs)
        solution.registers.push_back(web.home);
      return solution;
    }
  return std::nullopt;
}

} // namespace rdna
