#include "Transform/Remap.h"

#include "Analysis/Regions.h"
#include "Support/Random.h"
#include "Transform/Descriptor.h"
#include "Transform/Emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rdna {

//===----------------------------------------------------------------------===//
// Which blocks
//===----------------------------------------------------------------------===//

static unsigned fmasOf(const Instruction &inst) {
  unsigned count = 0;
  for (const LaneOp &lane : laneOps(inst))
    count += lane.op == Op::v_fmac_f32 || lane.op == Op::v_fmaak_f32 || lane.op == Op::v_fmamk_f32;
  return count;
}

static bool hasHazard(const Module &module, const Block &block) {
  for (uint32_t i = block.first; i < block.last; ++i)
    if (const auto halves = vopdHalves(module.instructions()[i]))
      if (hasParityHazard(halves->first, halves->second))
        return true;
  return false;
}

std::vector<RegionCandidate> findCandidates(const Module &module, const std::string &kernel,
                                            const std::string &region, Hazards hazards) {
  std::vector<RegionCandidate> result;
  std::vector<Region> marked;
  if (auto found = markedRegions(module))
    marked = std::move(*found);
  else
    llvm::consumeError(found.takeError()); // reported when the region is asked for by name
  for (uint32_t f = 0; f < module.functions().size(); ++f) {
    if (!kernel.empty() && module.functions()[f].name != kernel)
      continue;
    const Cfg cfg = buildCfg(module, f);
    unsigned total = 0;
    std::vector<RegionCandidate> blocks;
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      const Instruction &first = module.instructions()[cfg.blocks[b].first];
      RegionCandidate candidate{f, b, {}, first.line, first.begin, 0, 0};
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        candidate.fmas += fmasOf(module.instructions()[i]);
      total += candidate.fmas;
      const auto loop = cfg.loopOf(b);
      if (loop) {
        candidate.depth = cfg.loops[*loop].depth;
        candidate.name = cfg.loops[*loop].label;
      }
      bool named = false;
      for (const Region &mark : marked)
        for (const uint32_t i : mark.instructions)
          if (i >= cfg.blocks[b].first && i < cfg.blocks[b].last && mark.functionIndex == f) {
            named = true;
            candidate.name = mark.name;
          }
      if (!region.empty()) {
        bool asked = named && candidate.name == region;
        for (auto at = loop; at; at = cfg.loops[*at].parent)
          if (cfg.loops[*at].label == region) {
            asked = true;
            candidate.name = region;
          }
        if (asked)
          blocks.push_back(candidate);
        continue;
      }
      if (hazards == Hazards::Repair && hasHazard(module, cfg.blocks[b])) {
        candidate.depth += 1; // must be looked at, whatever else is found
        blocks.push_back(candidate);
      } else if (candidate.fmas > 0 && (named || (loop && cfg.loops[*loop].isInnermost())))
        blocks.push_back(candidate);
      else if (candidate.fmas > 1 && !loop)
        blocks.push_back(candidate);
    }
    // Straight-line code is worth the trouble only where no loop does the work.
    const bool anyLoop = std::any_of(blocks.begin(), blocks.end(),
                                     [](const RegionCandidate &c) { return c.depth > 0; });
    for (RegionCandidate &candidate : blocks)
      if (!region.empty() || candidate.depth > 0 || !candidate.name.empty() || !anyLoop)
        result.push_back(std::move(candidate));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const RegionCandidate &a, const RegionCandidate &b) {
                     return a.depth > b.depth; // outer code profits from what inner loops left free
                   });
  return result;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {

struct Solution {
  BankPlan plan;
  Schedule schedule;
  std::vector<Vgpr> registers;
  unsigned extraLoads = 0;
  auto key() const {
    return std::tuple(schedule.cost.primary() + extraLoads,
                      schedule.cost.missedReuse + schedule.cost.missedRotation);
  }
};

/// The old block in the terms of ScheduleCost: what its lane operations cost as they stand.
ScheduleCost costOf(const Module &module, const RegionModel &region, unsigned &hazards) {
  ScheduleCost cost;
  hazards = 0;
  for (size_t n = 0; n < region.nodes.size(); ++n) {
    const Node &node = region.nodes[n];
    if (node.kind != Node::Kind::Lane || (n > 0 && region.nodes[n - 1].inst == node.inst))
      continue; // the second half of a pair
    ++cost.issues;
    unsigned fmacs = 0;
    for (size_t m = n; m < region.nodes.size() && region.nodes[m].inst == node.inst; ++m)
      fmacs += region.nodes[m].op.lane.op == Op::v_fmac_f32;
    cost.singleFmas += fmacs == 1;
    if (const auto halves = vopdHalves(module.instructions()[node.inst])) {
      cost.conflicts += sourceBankConflicts(halves->first, halves->second);
      hazards += hasParityHazard(halves->first, halves->second);
    }
  }
  return cost;
}

class Search {
public:
  Search(const FunctionContext &context, const RegionModel &region, const RegisterSpace &space,
         const FixedRegisters &fixed, const RemapOptions &options, const ScheduleCost &old)
      : context_(context), region_(region), space_(space), fixed_(fixed), options_(options),
        old_(old) {}
  std::optional<Solution> run();

private:
  Solution attempt(const BankPlan &plan, const ScheduleStyle &style) const;
  std::array<unsigned, 4> roomBeside(const BankPlan &plan, std::array<unsigned, 4> room) const;
  bool allocateFor(Solution &solution) const;
  void improve(std::vector<Solution> &pool) const;
  Solution climb(Solution best, unsigned tries, Random &random) const;
  /// A gain in one count does not pay for a loss in another.
  bool isAdmissible(const Solution &solution) const {
    const ScheduleCost &cost = solution.schedule.cost;
    return options_.hazards == Hazards::Repair ||
           (cost.issues <= old_.issues && cost.singleFmas <= old_.singleFmas &&
            cost.conflicts <= old_.conflicts);
  }
  bool isUsable(const Solution &solution) const {
    return !solution.registers.empty() && isAdmissible(solution);
  }
  /// Fewest VALU instructions that the lane operations can take, whatever the registers.
  unsigned issueBound() const;
  /// FMACs that must stay without a partner.
  unsigned singleBound() const {
    return static_cast<unsigned>(std::count_if(region_.nodes.begin(), region_.nodes.end(),
                                               [](const Node &node) {
                                                 return node.kind == Node::Kind::Lane &&
                                                        node.op.lane.op == Op::v_fmac_f32;
                                               })) &
           1u;
  }
  bool isIdeal(const Solution &solution) const {
    const ScheduleCost &cost = solution.schedule.cost;
    return cost.issues <= issueBound() && cost.conflicts == 0 && cost.singleFmas <= singleBound() &&
           cost.missedReuse + cost.missedRotation <= 1 + cost.issues / 32;
  }

  const FunctionContext &context_;
  const RegionModel &region_;
  const RegisterSpace &space_;
  const FixedRegisters &fixed_;
  const RemapOptions &options_;
  const ScheduleCost old_;
};

Solution Search::attempt(const BankPlan &plan, const ScheduleStyle &style) const {
  Solution solution;
  solution.plan = plan;
  for (WebId w = 0; w < region_.webs.size(); ++w)
    if (fixed_[w])
      solution.plan.bank[w] = static_cast<int8_t>(fixed_[w]->number & 3);
  solution.schedule = schedule(region_, context_.module, solution.plan, style);
  for (const Node &node : region_.nodes)
    if (node.kind == Node::Kind::Load)
      solution.extraLoads += static_cast<unsigned>(
          loadPieces(context_.module.instructions()[node.inst], plan.width).size() - 1);
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

unsigned Search::issueBound() const {
  unsigned fmacs = 0, both = 0, onlyY = 0;
  for (const Node &node : region_.nodes)
    if (node.kind == Node::Kind::Lane) {
      if (node.op.lane.op == Op::v_fmac_f32)
        ++fmacs;
      else
        ++(vopdOpcodeX(node.op.lane.op) >= 0 ? both : onlyY);
    }
  // FMACs pair among themselves; one that is left over takes another operation along.
  both += fmacs & 1;
  return fmacs / 2 + std::max((both + onlyY + 1) / 2, onlyY);
}

/// Small blocks: move one group of values to other banks at a time and keep what is not worse. The
/// number of tries depends on the size alone, so the result is the same on every machine.
void Search::improve(std::vector<Solution> &pool) const {
  const auto lanes = static_cast<unsigned>(
      std::count_if(region_.nodes.begin(), region_.nodes.end(),
                    [](const Node &node) { return node.kind == Node::Kind::Lane; }));
  if (lanes == 0 || lanes > 96)
    return;
  // One start for each plan, the best first; then on from the best of all until a whole round
  // brings nothing. The number of tries is the same on every machine.
  std::vector<Solution> starts;
  for (const Solution &solution : pool) {
    const auto same = [&](const Solution &other) { return other.plan.bank == solution.plan.bank; };
    if (starts.size() < 6 && std::none_of(starts.begin(), starts.end(), same))
      starts.push_back(solution);
  }
  const unsigned tries = std::min(300u, 160000u / (lanes * lanes + 40));
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

/// What the loads' results leave of the registers that movable webs may take. Results that are all
/// live at once first fill registers that are of no use to movable webs.
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
    if (web.scope == Web::Scope::Movable)
      wanted |= movableRegisters(space_, region_, web);
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

std::optional<Solution> Search::run() {
  const ScheduleCost &old = old_;
  const bool wished = std::any_of(fixed_.begin(), fixed_.end(),
                                  [](const auto &entry) { return entry.has_value(); });
  // Nothing can beat a block that takes its fewest issue slots without a conflict.
  if (old.conflicts == 0 && old.issues <= issueBound() && old.singleFmas <= singleBound() &&
      options_.hazards == Hazards::Leave && !wished)
    return std::nullopt;
  std::vector<Solution> pool;
  std::array<unsigned, 4> room{};
  for (const Web &web : region_.webs)
    if (web.scope == Web::Scope::Movable) {
      const VgprSet allowed = movableRegisters(space_, region_, web);
      std::array<unsigned, 4> here{};
      for (unsigned r = 0; r < space_.budget; ++r)
        here[r & 3] += allowed.test(r);
      for (size_t b = 0; b < 4; ++b)
        room[b] = std::max(room[b], here[b]);
    }
  for (BankPlan &plan : bankPlans(region_, context_.module, options_.splitLoads)) {
    plan.movableRoom = roomBeside(plan, room);
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
      pool.push_back(attempt(plan, weights));
      if (isIdeal(pool.back()) && allocateFor(pool.back()) &&
          pool.back().key() < std::tuple(old.primary(), 0u))
        return std::move(pool.back());
      if (region_.nodes.size() > 2000)
        break;
    }
  }
  const auto sortPool = [&] {
    std::stable_sort(pool.begin(), pool.end(),
                     [](const Solution &a, const Solution &b) { return a.key() < b.key(); });
  };
  sortPool();
  improve(pool);
  sortPool();
  std::erase_if(pool, [&](const Solution &solution) { return !isAdmissible(solution); });
  unsigned failures = 0;
  for (Solution &solution : pool) {
    // To honour a wish or repair a hazard, as good as before is good enough.
    if (solution.schedule.cost.primary() >=
        old.primary() + (options_.hazards == Hazards::Repair ? 1000u : 0u) + (wished ? 1u : 0u))
      break;
    if (!solution.registers.empty() || allocateFor(solution))
      return std::move(solution);
    if (++failures > 24)
      break;
  }
  if (options_.hazards == Hazards::Repair && !wished)
    if (auto inPlace = repairInPlace(region_)) {
      Solution solution;
      solution.schedule = std::move(*inPlace);
      for (const Web &web : region_.webs)
        solution.registers.push_back(web.home);
      return solution;
    }
  return std::nullopt;
}

} // namespace

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

static RemapOutcome leftAlone(uint32_t line, std::string reason) {
  RemapOutcome outcome;
  outcome.line = line;
  outcome.reason = std::move(reason);
  return outcome;
}

/// What a web is, for reports, and the line where the block touches it first. Together with the old
/// register that names it uniquely: one instruction can end one value and begin another in one
/// register, but then only one of them is an input.
struct WebLabel {
  const char *value = "temporary";
  uint32_t line = 0;
};

static std::vector<WebLabel> labelWebs(const Module &module, const RegionModel &region) {
  std::vector<WebLabel> labels(region.webs.size());
  std::vector<uint8_t> written(region.webs.size(), 0);
  for (const OperandWeb &entry : region.operandWebs) {
    const Instruction &inst = module.instructions()[entry.inst];
    WebLabel &label = labels[entry.web];
    if (label.line == 0 || inst.line < label.line)
      label.line = inst.line;
    if (inst.operands[entry.operand].cls == Operand::Class::Def) {
      written[entry.web] = 1;
      if (inst.memory == MemoryEffect::Load)
        label.value = "load";
    }
  }
  for (WebId w = 0; w < labels.size(); ++w)
    if (!written[w])
      labels[w].value = "input";
  for (const Node &node : region.nodes)
    if (node.kind == Node::Kind::Lane && node.op.addend != kNoWeb)
      labels[node.op.addend].value = "accumulator";
  return labels;
}

static std::vector<MappingEntry> mappingOf(const Module &module, const RegionModel &region,
                                           const std::vector<Vgpr> &registers) {
  std::vector<MappingEntry> mapping;
  const std::vector<WebLabel> labels = labelWebs(module, region);
  for (WebId w = 0; w < region.webs.size(); ++w)
    if (labels[w].line != 0)
      mapping.push_back({labels[w].line, labels[w].value, region.webs[w].home, registers[w]});
  std::stable_sort(mapping.begin(), mapping.end(),
                   [](const MappingEntry &a, const MappingEntry &b) {
                     return std::tuple(a.line, a.old.number) < std::tuple(b.line, b.old.number);
                   });
  return mapping;
}

static std::map<uint32_t, RegionRewrite::BlockClaim> claimsOf(const EmitContext &context,
                                                              const RegionCode &code) {
  std::map<uint32_t, RegionRewrite::BlockClaim> claims;
  const Cfg &cfg = context.function.cfg;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    RegionRewrite::BlockClaim claim;
    bool trivial = true;
    for (unsigned v = 0; v < 256; ++v) {
      claim.newOf[v] = static_cast<uint8_t>(v);
      if (context.constants.in[b][v]) {
        claim.constants[static_cast<uint8_t>(v)] = *context.constants.in[b][v];
        trivial = false;
      }
    }
    for (const Placement &placement : placementsAt(context, code, b)) {
      claim.newOf[placement.home.number] = placement.place.number;
      trivial &= placement.home == placement.place;
    }
    if (!trivial)
      claims[cfg.blocks[b].first] = std::move(claim);
  }
  return claims;
}

/// Registers that the user fixed, by web.
static llvm::Expected<FixedRegisters>
fixedRegisters(const Module &module, const RegionModel &region, const RemapOptions &options) {
  FixedRegisters fixed(region.webs.size());
  const std::vector<WebLabel> labels = labelWebs(module, region);
  for (const FixedMapping &wish : options.fixedMappings)
    for (WebId w = 0; w < region.webs.size(); ++w) {
      const Web &web = region.webs[w];
      if (web.home != wish.old || (wish.line != 0 && labels[w].line != wish.line) ||
          (!wish.value.empty() && labels[w].value != wish.value))
        continue;
      const auto refuse = [&](std::string text) {
        return makeError(Failure::Refused,
                         module.atLine(labels[w].line, std::move(text), Severity::Error));
      };
      if (web.scope == Web::Scope::Pinned && wish.fresh != web.home)
        return refuse(fmt::format("v{} cannot be mapped to v{}: the value is used outside the "
                                  "region, or in a group of registers that is",
                                  wish.old.number, wish.fresh.number));
      if (fixed[w] && *fixed[w] != wish.fresh)
        return refuse(fmt::format("v{} is mapped to both v{} and v{}", wish.old.number,
                                  fixed[w]->number, wish.fresh.number));
      fixed[w] = wish.fresh;
    }
  return fixed;
}

/// Executions of the block for one execution of its outermost relevant loop: what moves around that
/// loop have to be weighed against. Unknown loops count as eight rounds.
static uint64_t executionsPerEntry(const FunctionContext &context, const RegionModel &region,
                                   unsigned extent) {
  uint64_t executions = 1;
  for (unsigned level = 0; level <= extent && level < region.loops.size(); ++level)
    executions *= tripCount(context, context.cfg.loops[region.loops[level]]).value_or(8);
  return executions;
}

llvm::Expected<RemapOutcome> remapBlock(const Module &module, uint32_t functionIndex,
                                        uint32_t block, const RemapOptions &options) {
  const Function &function = module.functions()[functionIndex];
  const Cfg cfg = buildCfg(module, functionIndex);
  const Block &body = cfg.blocks[block];
  const uint32_t line = module.instructions()[body.first].line;
  if (cfg.indirectJump)
    return leftAlone(module.instructions()[*cfg.indirectJump].line,
                     "the function jumps to an address in a register");
  for (uint32_t i = function.first; i < function.last; ++i)
    if (touchesUnnamedRegisters(module.instructions()[i].op))
      return leftAlone(module.instructions()[i].line, "the function indexes registers at run time");
  const Liveness liveness = computeLiveness(module, cfg);
  const FunctionContext context{module, cfg, liveness};
  RegionModel region;
  if (const auto left = buildRegion(context, block, region))
    return leftAlone(left->line, left->reason);

  unsigned budget = 256;
  if (function.isKernel()) {
    const OccupancyQuery query = occupancyQuery(
        function, options.workgroupSize == 0 ? std::nullopt : std::optional(options.workgroupSize));
    budget = options.occupancy == OccupancyLoss::Allow ? 256 : vgprBudget(query);
  }
  const RegisterSpace space = registerSpace(context, region, budget);
  auto fixed = fixedRegisters(module, region, options);
  if (!fixed)
    return fixed.takeError();

  unsigned hazards = 0;
  const ScheduleCost old = costOf(module, region, hazards);
  // A hazard is an error, not a cost: a block that cannot be made faster is still made safe.
  RemapOptions wishes = options;
  wishes.hazards = Hazards::Leave;
  auto solution = Search(context, region, space, *fixed, wishes, old).run();
  if (!solution && hazards > 0) {
    wishes.hazards = Hazards::Repair;
    solution = Search(context, region, space, *fixed, wishes, old).run();
  }
  const bool wished = std::any_of(fixed->begin(), fixed->end(),
                                  [](const auto &entry) { return entry.has_value(); });
  if (!solution && wished)
    return makeError(Failure::Refused,
                     module.atLine(line,
                                   "no order and registers that honour the mapping entries and "
                                   "make nothing worse were found",
                                   Severity::Error));
  if (!solution)
    return leftAlone(line,
                     old.conflicts == 0 && old.singleFmas == 0
                         ? "nothing to improve"
                         : fmt::format("no better order and registers were found ({} VALU, {} "
                                       "conflicts, {} single FMACs)",
                                       old.issues, old.conflicts, old.singleFmas));

  const std::vector<WaitState> waits = computeWaits(module, cfg);
  const ConstantFacts constants = findConstants(context);
  const EmitContext emitContext{context, waits, constants, budget};
  const RegionCode code{region, solution->schedule, solution->plan.width, solution->registers};
  EmitResult emitted;
  if (const auto left = emitRegion(emitContext, code, emitted))
    return leftAlone(left->line, left->reason);

  // A loop that runs twice does not get sixty moves.
  unsigned extent = 0;
  for (const Placement &placement : placementsAt(emitContext, code, block))
    for (const Web &web : region.webs)
      if (web.home == placement.home && web.scope == Web::Scope::Movable)
        extent = std::max(extent, web.extent);
  const uint64_t gain =
      (old.primary() - std::min(old.primary(), solution->schedule.cost.primary())) *
      executionsPerEntry(context, region, extent);
  if (4u * (emitted.entryMoves + emitted.exitMoves) > gain && options.fixedMappings.empty() &&
      hazards == 0)
    return leftAlone(line, fmt::format("{} moves around the loop would cost more than it gains",
                                       emitted.entryMoves + emitted.exitMoves));

  unsigned highest = 0;
  for (const Vgpr reg : solution->registers)
    highest = std::max(highest, reg.number + 1u);
  std::vector<TextEdit> edits = std::move(emitted.edits);
  if (function.isKernel())
    raiseVgprCount(module, function, highest, edits);

  RemapOutcome outcome;
  outcome.line = line;
  RegionRewrite &rewrite = outcome.rewrite.emplace();
  rewrite.text = applyEdits(module, edits);
  rewrite.edits = std::move(edits);
  rewrite.line = line;
  rewrite.entryMoves = emitted.entryMoves;
  rewrite.exitMoves = emitted.exitMoves;
  rewrite.entryValues = emitted.entryValues;
  rewrite.exitValues = emitted.exitValues;
  rewrite.mapping = mappingOf(module, region, solution->registers);
  rewrite.claims = claimsOf(emitContext, code);
  return outcome;
}

} // namespace rdna
