#include "Transform/Remap.h"

#include "Analysis/Metrics.h"
#include "Analysis/Regions.h"
#include "Transform/Descriptor.h"
#include "Transform/Emit.h"
#include "Transform/Search.h"

#include <fmt/format.h>

#include <algorithm>

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

/// The region that a block is part of, if it is marked by comments.
static const Region *markOf(llvm::ArrayRef<Region> marked, uint32_t function, const Block &block) {
  const Region *found = nullptr;
  for (const Region &mark : marked)
    if (mark.functionIndex == function && llvm::any_of(mark.instructions, [&](uint32_t i) {
          return i >= block.first && i < block.last;
        }))
      found = &mark;
  return found;
}

/// Is it worth looking at, if everything may be?
static bool isWorthALook(const Cfg &cfg, const RegionCandidate &candidate, const Region *mark) {
  const auto loop = cfg.loopOf(candidate.block);
  return (candidate.fmas > 0 && (mark || (loop && cfg.loops[*loop].isInnermost()))) ||
         (candidate.fmas > 1 && !loop);
}

std::vector<RegionCandidate> findCandidates(const Module &module, const Cfg &cfg,
                                            llvm::ArrayRef<Region> marked,
                                            const std::string &region, Hazards hazards) {
  std::vector<RegionCandidate> blocks;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const Instruction &first = module.instructions()[cfg.blocks[b].first];
    RegionCandidate candidate{cfg.functionIndex, b, {}, first.line, first.begin, 0, 0};
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      candidate.fmas += fmasOf(module.instructions()[i]);
    const auto loop = cfg.loopOf(b);
    if (loop) {
      candidate.depth = cfg.loops[*loop].depth;
      candidate.name = cfg.loops[*loop].label;
    }
    const Region *mark = markOf(marked, cfg.functionIndex, cfg.blocks[b]);
    if (mark)
      candidate.name = mark->name;
    if (!region.empty()) {
      bool asked = mark && mark->name == region;
      for (auto at = loop; at; at = cfg.loops[*at].parent)
        asked |= cfg.loops[*at].label == region;
      if (asked) {
        candidate.name = region;
        blocks.push_back(std::move(candidate));
      }
    } else if (hazards == Hazards::Repair && hasHazard(module, cfg.blocks[b])) {
      candidate.depth += 1; // must be looked at, whatever else is found
      blocks.push_back(std::move(candidate));
    } else if (isWorthALook(cfg, candidate, mark)) {
      blocks.push_back(std::move(candidate));
    }
  }
  // Straight-line code is worth the trouble only where no loop does the work.
  const bool anyLoop = llvm::any_of(blocks, [](const RegionCandidate &c) { return c.depth > 0; });
  if (region.empty() && anyLoop)
    std::erase_if(blocks, [](const RegionCandidate &c) { return c.depth == 0 && c.name.empty(); });
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const RegionCandidate &a, const RegionCandidate &b) {
                     return a.depth > b.depth; // outer code profits from what inner loops left free
                   });
  return blocks;
}

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
  if (cfg.enteredAt)
    return leftAlone(module.instructions()[*cfg.enteredAt].line,
                     "the function " + howEntered(module, *cfg.enteredAt));
  for (uint32_t i = function.first; i < function.last; ++i)
    if (touchesUnnamedRegisters(module.instructions()[i].op))
      return leftAlone(module.instructions()[i].line, "the function indexes registers at run time");
  const Liveness liveness = computeLiveness(module, cfg);
  const MemoryFacts memory = memoryFacts(module, cfg, liveness);
  const FunctionContext context{module, cfg, liveness, memory, options.plainSync};
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
