// One block with other registers and in another order.

#include "Transform/Remap.h"

#include "Analysis/Metrics.h"
#include "Analysis/TripCount.h"
#include "Code/Compose.h"
#include "Transform/Descriptor.h"
#include "Transform/Emit.h"
#include "Transform/FactorCopies.h"
#include "Transform/SearchMemory.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

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

static std::map<uint32_t, std::vector<Equation>> claimsOf(const EmitContext &context,
                                                          const RegionCode &code) {
  std::map<uint32_t, std::vector<Equation>> claims;
  const Cfg &cfg = context.function.cfg;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    std::map<Vgpr, Vgpr> placeOf;
    for (const Placement &placement : placementsAt(context, code, b))
      placeOf[placement.home] = placement.place;
    std::vector<Equation> equations;
    for (const auto &[home, place] : placeOf)
      if (home != place) // Moved by instructions, so lanes that are switched off stay at home.
        equations.push_back(movedTo(home, place, Equation::Lanes::Active));
    for (unsigned v = 0; v < 256; ++v)
      if (const auto bits = context.constants.in[b][v]) {
        const Vgpr home{static_cast<uint8_t>(v)};
        const auto moved = placeOf.find(home);
        const Vgpr place = moved == placeOf.end() ? home : moved->second;
        equations.push_back(constantHint(Equation::Text::Original, home, *bits));
        equations.push_back(constantHint(Equation::Text::Rewritten, place, *bits));
      }
    if (!equations.empty())
      claims[cfg.blocks[b].first] = std::move(equations);
  }
  return claims;
}

/// Which of `count` entries that say the same of a value's origin it is; nothing if there are more
/// or fewer.
static std::optional<size_t> placeAmongAlike(const FixedMapping &constraint,
                                             llvm::ArrayRef<FixedMapping> all, size_t count) {
  std::optional<size_t> place;
  size_t seen = 0;
  for (const FixedMapping &other : all)
    if (other.old == constraint.old && other.line == constraint.line &&
        other.value == constraint.value) {
      if (&other == &constraint)
        place = seen;
      ++seen;
    }
  return seen == count ? place : std::nullopt;
}

/// Registers that the user fixed, by web.
static llvm::Expected<FixedRegisters>
fixedRegisters(const Module &module, const RegionModel &region, const RemapOptions &options) {
  FixedRegisters fixed(region.webs.size());
  const std::vector<WebLabel> labels = labelWebs(module, region);
  const auto isOf = [&](WebId w, const FixedMapping &constraint) {
    return region.webs[w].home == constraint.old &&
           (constraint.line == 0 || labels[w].line == constraint.line) &&
           (constraint.value.empty() || labels[w].value == constraint.value);
  };
  for (const FixedMapping &constraint : options.fixedMappings) {
    std::vector<WebId> meant;
    for (WebId w = 0; w < region.webs.size(); ++w)
      if (isOf(w, constraint))
        meant.push_back(w);
    // What an instruction reads and what it writes can be told apart by nothing but the order in
    // which the entries stand.
    if (meant.size() > 1)
      if (const auto nth = placeAmongAlike(constraint, options.fixedMappings, meant.size()))
        meant = {meant[*nth]};
    for (const WebId w : meant) {
      const Web &web = region.webs[w];
      const auto refuse = [&](std::string text) {
        return makeError(Failure::Refused,
                         module.atLine(labels[w].line, std::move(text), Severity::Error));
      };
      if (web.scope == Web::Scope::Pinned && constraint.fresh != web.home)
        return refuse(fmt::format("v{} cannot be mapped to v{}: the value is used outside the "
                                  "region, or in a group of registers that is",
                                  constraint.old.number, constraint.fresh.number));
      if (fixed[w] && *fixed[w] != constraint.fresh)
        return refuse(fmt::format("v{} is mapped to both v{} and v{}", constraint.old.number,
                                  fixed[w]->number, constraint.fresh.number));
      fixed[w] = constraint.fresh;
    }
  }
  return fixed;
}

static unsigned budgetOf(const Function &function, const RemapOptions &options) {
  constexpr unsigned kAll = 256;
  if (!function.isKernel() || options.occupancy == OccupancyLoss::Allow)
    return kAll;
  return vgprBudget(occupancyQuery(
      function, options.workgroupSize == 0 ? std::nullopt : std::optional(options.workgroupSize)));
}

namespace {

/// Where values that cross the block's borders may go. Around loops they take moves.
enum class Relocatables : uint8_t { Move, Stay };

/// Tries to rewrite one block.
class BlockRemap {
public:
  BlockRemap(const FunctionContext &context, const RemapOptions &options)
      : context_(context), module_(context.module), cfg_(context.cfg), options_(options),
        function_(module_.functions()[cfg_.functionIndex]), budget_(budgetOf(function_, options)) {}

  /// With and without literals for constants in V_FMA: such a half pairs with fewer others, so that
  /// an order found without may be the better one.
  llvm::Expected<RemapOutcome> run(uint32_t block, Relocatables relocatables) {
    line_ = module_.instructions()[cfg_.blocks[block].first].line;
    RegionModel region;
    if (const auto left = buildRegion(context_, block, region))
      return leftAlone(left->line, left->reason);
    auto outcome = run(region, relocatables);
    if (!region.hasConstantForms)
      return outcome;
    RegionModel asCompiled;
    if (buildRegion(context_, block, asCompiled, ConstantForms::AsCompiled))
      return outcome;
    auto other = run(asCompiled, relocatables);
    const bool isBetter =
        other && other->rewrite && (!outcome || !outcome->rewrite || other->gain > outcome->gain);
    llvm::consumeError((isBetter ? outcome : other).takeError());
    return isBetter ? std::move(other) : std::move(outcome);
  }

private:
  llvm::Expected<RemapOutcome> run(RegionModel &region, Relocatables relocatables) const {
    if (relocatables == Relocatables::Stay)
      for (Web &web : region.webs)
        if (web.scope == Web::Scope::Relocatable)
          web.scope = Web::Scope::Pinned;
    auto fixed = fixedRegisters(module_, region, options_);
    if (!fixed)
      return fixed.takeError();
    unsigned hazards = 0;
    const ScheduleCost old = costOf(module_, region, hazards);
    const std::optional<Solution> solution = solve(region, *fixed, old, hazards);
    const bool isConstrained =
        llvm::any_of(*fixed, [](const auto &entry) { return entry.has_value(); });
    if (!solution && isConstrained)
      return makeError(Failure::Refused,
                       module_.atLine(line_,
                                      "no order and registers that honour the mapping entries and "
                                      "make nothing worse were found",
                                      Severity::Error));
    if (!solution)
      return leftAlone(line_, whyLeft(region, *fixed, old, hazards));
    return write(region, *solution, old);
  }

  std::optional<Solution> solve(const RegionModel &region, const FixedRegisters &fixed,
                                const ScheduleCost &old, unsigned hazards) const {
    const RegisterSpace space = registerSpace(context_, region, budget_);
    RemapOptions options = options_;
    options.hazards = Hazards::Leave;
    auto solution = search(region, space, fixed, options, old);
    if (solution || hazards == 0)
      return solution;
    options.hazards = std::max(options_.hazards, Hazards::Repair);
    solution = search(region, space, fixed, options, old);
    if (solution)
      return solution;
    // They are errors, so some time is paid for losing them.
    return search(region, space, fixed, options, old, Search::Waiting::Longer);
  }

  std::optional<Solution> search(const RegionModel &region, const RegisterSpace &space,
                                 const FixedRegisters &fixed, const RemapOptions &options,
                                 const ScheduleCost &old,
                                 Search::Waiting waiting = Search::Waiting::NoLonger) const {
    if (options_.memory)
      return options_.memory->search(context_, region, space, fixed, options, old, waiting);
    return Search(context_, region, space, fixed, options, old, waiting).run();
  }

  std::string whyLeft(const RegionModel &region, const FixedRegisters &fixed,
                      const ScheduleCost &old, unsigned hazards) const {
    if (hazards > 0)
      if (const auto inPlace = repairInPlace(region); inPlace && inPlace->cost.issues > old.issues)
        return fmt::format("its {} parity hazards stay, because without them it would have {} more "
                           "VALU instructions (vgpr-remap --repair-hazards=any-cost removes them)",
                           hazards, inPlace->cost.issues - old.issues);
    if (old.conflicts == 0 && old.singleFmas == 0)
      return "nothing to improve";
    std::string why = fmt::format("no better order and registers were found ({} VALU, {} "
                                  "conflicts, {} single FMACs)",
                                  old.issues, old.conflicts, old.singleFmas);
    // To find out takes as long as the search did.
    if (budget_ >= 256 || region.nodes.size() > 2 * kSmallBlock || hasRoom(region))
      return why;
    const RegisterSpace all = registerSpace(context_, region, 256);
    if (search(region, all, fixed, options_, old))
      why += fmt::format(" for want of VGPRs: there are some with more than the {} that its waves "
                         "leave (--allow-occupancy-loss)",
                         budget_);
    return why;
  }

  /// Could each value have a register of either parity that no other one has?
  bool hasRoom(const RegionModel &region) const {
    VgprSet free = registerSpace(context_, region, budget_).usable & ~region.liveThrough;
    for (size_t reg = budget_; reg < free.size(); ++reg)
      free.reset(reg);
    return free.count() >= 2 * region.webs.size() + 2;
  }

  /// Executions of the block for one execution of the moves around it: iterations that are known.
  uint64_t executionsPerMove(const RegionModel &region, const EmitContext &emit,
                             const RegionCode &code) const {
    unsigned extent = 0;
    for (const Placement &placement : placementsAt(emit, code, region.block))
      for (const Web &web : region.webs)
        if (web.home == placement.home && web.scope == Web::Scope::Relocatable)
          extent = std::max(extent, web.extent);
    uint64_t executions = 1;
    for (unsigned level = 0; level <= extent && level < region.loops.size(); ++level)
      executions *= tripCount(module_, cfg_, cfg_.loops[region.loops[level]]).value_or(1);
    return executions;
  }

  RemapOutcome write(const RegionModel &region, const Solution &solution,
                     const ScheduleCost &old) const {
    const std::vector<WaitState> waits = computeWaits(module_, cfg_);
    const ConstantFacts constants = findConstants(context_);
    const EmitContext emit{context_, waits, constants, budget_};
    const RegionCode code{region, solution.schedule, solution.plan.width, solution.registers};
    EmitResult emitted;
    if (const auto left = emitRegion(emit, code, emitted))
      return leftAlone(left->line, left->reason);
    const unsigned moves = emitted.entryMoves + emitted.exitMoves;
    const ScheduleCost &cost = solution.schedule.cost;
    const uint64_t executions = executionsPerMove(region, emit, code);
    // A conflict less pays for a move only in a loop that is known to go round more than once.
    uint64_t gain = old.issues - std::min(old.issues, cost.issues);
    if (executions > 1)
      gain += old.conflicts - std::min(old.conflicts, cost.conflicts);
    gain *= executions;
    if (moves > gain && options_.fixedMappings.empty() &&
        options_.hazards != Hazards::RepairAtAnyCost) {
      RemapOutcome left = leftAlone(
          line_, fmt::format("{} moves around the loop would cost more than it gains", moves));
      left.moves = moves;
      return left;
    }
    unsigned highest = 0;
    for (const Vgpr reg : solution.registers)
      highest = std::max(highest, reg.number + 1U);
    std::vector<TextEdit> edits = std::move(emitted.edits);
    if (function_.isKernel())
      raiseVgprCount(module_, function_, highest, edits);
    RemapOutcome outcome;
    outcome.line = line_;
    RegionRewrite &rewrite = outcome.rewrite.emplace();
    rewrite.edits = std::move(edits);
    rewrite.line = line_;
    rewrite.entryMoves = emitted.entryMoves;
    rewrite.exitMoves = emitted.exitMoves;
    rewrite.entryValues = emitted.entryValues;
    rewrite.exitValues = emitted.exitValues;
    rewrite.extraLoads = solution.extraLoads;
    rewrite.mapping = mappingOf(module_, region, solution.registers);
    rewrite.claims = claimsOf(emit, code);
    outcome.gain = int64_t{old.primary()} - int64_t{cost.primary()} - 4 * int64_t{moves};
    return outcome;
  }

  const FunctionContext &context_;
  const Module &module_;
  const Cfg &cfg_;
  const RemapOptions &options_;
  const Function &function_;
  const unsigned budget_;
  uint32_t line_ = 0;
};

} // namespace

static llvm::Expected<RemapOutcome> remapAsWritten(const Module &module, uint32_t functionIndex,
                                                   uint32_t block, const RemapOptions &options) {
  const Function &function = module.functions()[functionIndex];
  const Cfg cfg = buildCfg(module, functionIndex);
  if (cfg.indirectJump)
    return leftAlone(module.instructions()[*cfg.indirectJump].line,
                     "the function jumps to an address in a register");
  if (cfg.enteredAt)
    return leftAlone(module.instructions()[*cfg.enteredAt].line,
                     "the function " + howEntered(module, *cfg.enteredAt));
  if (const auto indexed = whereUnnamedRegisters(module, function))
    return leftAlone(module.instructions()[*indexed].line,
                     "the function indexes registers at run time");
  const Liveness liveness = computeLiveness(module, cfg);
  const MemoryFacts memory = memoryFacts(module, cfg, liveness);
  const FunctionContext context{module, cfg, liveness, memory, options.plainSync};
  BlockRemap remap(context, options);
  auto outcome = remap.run(block, Relocatables::Move);
  if (!outcome || outcome->rewrite || outcome->moves == 0)
    return outcome;
  // What cannot be had for the price of moves may be had without.
  auto still = remap.run(block, Relocatables::Stay);
  return still && !still->rewrite ? std::move(outcome) : std::move(still);
}

/// The block with negated factors in registers of their own, if it has such.
static std::optional<FactorCopies> withoutNegations(const Module &module, uint32_t functionIndex,
                                                    uint32_t block, const RemapOptions &options) {
  constexpr unsigned kLeastUses = 3; // Two FMAs in one VOPD save what the negation costs.
  const Function &function = module.functions()[functionIndex];
  const Cfg cfg = buildCfg(module, functionIndex);
  const auto first = module.instructions().begin() + cfg.blocks[block].first;
  const auto last = module.instructions().begin() + cfg.blocks[block].last;
  const auto isNegated = [](const Instruction &inst) { return asNegatedFmac(inst).has_value(); };
  if (std::count_if(first, last, isNegated) < kLeastUses || !cfg.calls.empty() ||
      cfg.indirectJump || cfg.enteredAt || whereUnnamedRegisters(module, function))
    return std::nullopt;
  return copyFactors(
      module, cfg, computeLiveness(module, cfg),
      {.blocks = block, .budget = budgetOf(function, options), .leastUses = kLeastUses});
}

/// The rewrite of the text with negations as one of the text without.
static void toTextBefore(const Module &module, FactorCopies &apart, RegionRewrite &rewrite) {
  const auto oldLine = [&](uint32_t line) -> std::optional<uint32_t> {
    const Function &function = apart.module->functions()[apart.cfg.functionIndex];
    for (uint32_t i = function.first; i < function.last; ++i)
      if (apart.module->instructions()[i].line == line)
        if (const auto old = apart.oldOf(i))
          return module.instructions()[*old].line;
    return std::nullopt;
  };
  std::vector<MappingEntry> mapping;
  for (MappingEntry &entry : rewrite.mapping)
    if (const auto line = oldLine(entry.line)) {
      entry.line = *line;
      mapping.push_back(std::move(entry));
    }
  rewrite.mapping = std::move(mapping);
  const Cfg cfg = buildCfg(module, apart.cfg.functionIndex);
  std::map<uint32_t, std::vector<Equation>> claims;
  for (size_t b = 0; b < cfg.blocks.size(); ++b)
    if (const auto claim = rewrite.claims.find(apart.cfg.blocks[b].first);
        claim != rewrite.claims.end())
      claims.emplace(cfg.blocks[b].first, std::move(claim->second));
  rewrite.claims = std::move(claims);
  rewrite.edits = composeEdits(module, std::move(apart.edits), std::move(rewrite.edits));
}

llvm::Expected<RemapOutcome> remapBlock(const Module &module, uint32_t functionIndex,
                                        uint32_t block, const RemapOptions &options) {
  auto plain = remapAsWritten(module, functionIndex, block, options);
  // Who fixes registers speaks of the values of his own text.
  if (!plain || !options.fixedMappings.empty())
    return plain;
  auto apart = withoutNegations(module, functionIndex, block, options);
  if (!apart)
    return plain;
  auto other = remapAsWritten(*apart->module, functionIndex, block, options);
  if (!other) {
    llvm::consumeError(other.takeError());
    return plain;
  }
  other->gain -= 4 * int64_t{apart->values}; // ScheduleCost::primary of an instruction.
  if (!other->rewrite || other->gain <= (plain->rewrite ? plain->gain : 0))
    return plain;
  other->line = plain->line;
  other->rewrite->line = plain->line;
  toTextBefore(module, *apart, *other->rewrite);
  return other;
}

} // namespace rdna
