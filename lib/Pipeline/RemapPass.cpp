// Block after block, the deepest first, each until nothing improves, so that a second run of the
// tool changes nothing.

#include "Pipeline/PaidMoves.h"
#include "Pipeline/Passes.h"
#include "Pipeline/UserLines.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

/// Every round lowers the cost, so there are few; the limit only guards against a mistake.
constexpr unsigned kMaxRounds = 64;

/// Blocks of one function; their offsets are the places of the state.
struct Work {
  std::optional<std::vector<RegionCandidate>> candidates;
  size_t at = 0;
  unsigned round = 0; ///< A block is rewritten again; 0 is the first time.
};

/// Finds a candidate's block again after edits moved it to `offset`.
void relocate(const Module &module, const Cfg &cfg, uint32_t offset, RegionCandidate &candidate) {
  const Function &function = module.functions()[cfg.functionIndex];
  const auto first = module.instructions().begin() + function.first;
  const auto last = module.instructions().begin() + function.last;
  auto it = std::lower_bound(first, last, offset, [](const Instruction &inst, uint32_t place) {
    return inst.begin < place;
  });
  if (it == last)
    --it;
  candidate.block = cfg.blockOf(it->index);
  candidate.line = it->line;
  candidate.offset = it->begin;
}

LoopMetrics measureBlock(const Module &module, const Cfg &cfg, const RegionCandidate &candidate) {
  const Block &block = cfg.blocks[candidate.block];
  std::vector<uint32_t> instructions;
  for (uint32_t i = block.first; i < block.last; ++i)
    instructions.push_back(i);
  LoopMetrics metrics = measure(module, instructions);
  metrics.header = candidate.name;
  metrics.depth = candidate.depth;
  return metrics;
}

ReportValue counts(uint64_t values, uint64_t instructions) {
  return ReportValue::Object{{"values", values}, {"instructions", instructions}};
}

ReportValue listOf(const std::vector<MappingEntry> &mapping) {
  ReportValue::List list;
  for (const MappingEntry &entry : mapping)
    list.push_back(ReportValue::Object{{"line", entry.line},
                                       {"value", entry.value},
                                       {"old", entry.old.number},
                                       {"new", entry.fresh.number}});
  return list;
}

/// Recounts the block and says what it was and what it is.
Verdict judgeBlock(const Derived &derived, const RegionCandidate &candidate,
                   const RegionRewrite &rewrite, unsigned round, StepReport &report) {
  const Cfg was = buildCfg(derived.before, derived.function);
  const Cfg is = buildCfg(derived.after, derived.function);
  const LoopMetrics before = measureBlock(derived.before, was, candidate);
  RegionCandidate now = candidate;
  relocate(derived.after, is, derived.placeOf(candidate.offset), now);
  const LoopMetrics after = measureBlock(derived.after, is, now);
  report.name = candidate.name;
  report.summary = fmt::format(
      "VALU {} -> {}, dual FMAC {} -> {}, single {} -> {}, conflicts {} -> {}, hazards {} -> {}, "
      "moves {} + {}{}",
      before.valu, after.valu, before.dualFmac, after.dualFmac, before.singleFmac, after.singleFmac,
      before.sourceBankConflicts, after.sourceBankConflicts, before.parityHazards,
      after.parityHazards, rewrite.entryMoves, rewrite.exitMoves,
      rewrite.extraLoads == 0 ? "" : fmt::format(", {} more LDS loads", rewrite.extraLoads));
  report.add("round", round);
  report.add("before", before);
  report.add("after", after);
  report.add("moves",
             ReportValue::Object{{"entry", counts(rewrite.entryValues, rewrite.entryMoves)},
                                 {"exit", counts(rewrite.exitValues, rewrite.exitMoves)}});
  report.add("mapping", listOf(rewrite.mapping));
  return {};
}

/// Entries of a mapping speak of lines of the user's text. Those whose lines are not as they were
/// have had their say, or never will.
std::vector<FixedMapping> entriesNow(const std::vector<FixedMapping> &given, const PassSite &site) {
  std::vector<FixedMapping> result;
  for (FixedMapping entry : given) {
    if (entry.line != 0 && site.userLines) {
      const auto line = site.userLines->lineNow(entry.line, site.module);
      if (!line)
        continue;
      entry.line = *line;
    }
    result.push_back(std::move(entry));
  }
  return result;
}

void toUserLines(std::vector<MappingEntry> &mapping, const PassSite &site) {
  if (!site.userLines)
    return;
  std::vector<MappingEntry> result;
  for (MappingEntry &entry : mapping)
    if (const auto line = site.userLines->userLine(entry.line, site.module)) {
      entry.line = *line;
      result.push_back(std::move(entry));
    }
  mapping = std::move(result);
}

/// Has no pass changed the block?
bool isAsGiven(const PassSite &site, const Block &block) {
  const auto begin = site.module.instructions().begin();
  return !site.userLines ||
         std::all_of(begin + block.first, begin + block.last, [&](const Instruction &inst) {
           return site.userLines->userLine(inst.line, site.module).has_value();
         });
}

/// Is there an entry for a line of the block?
bool speaksOf(const std::vector<FixedMapping> &entries, const Module &module, const Block &block) {
  const uint32_t first = module.instructions()[block.first].line;
  const uint32_t last = module.instructions()[block.last - 1].line;
  return llvm::any_of(entries, [&](const FixedMapping &entry) {
    return entry.line >= first && entry.line <= last;
  });
}

Proposal propose(const RegionCandidate &candidate, RegionRewrite rewrite, unsigned round,
                 const RemapOptions &options) {
  Proposal proposal;
  if (options.hazards == Hazards::RepairAtAnyCost)
    proposal.price = Price::AnythingForHazards;
  else if (options.splitLoads == SplitLoads::Always)
    proposal.price = Price::LdsAccesses;
  proposal.edits = std::move(rewrite.edits);
  for (const auto &[block, equations] : rewrite.claims)
    proposal.claim.points[block].equations = equations;
  proposal.what = "the rewrite of this block";
  proposal.line = candidate.line;
  proposal.judge = [=, rewrite = std::move(rewrite)](const Derived &derived, StepReport &report) {
    return judgeBlock(derived, candidate, rewrite, round, report);
  };
  return proposal;
}

/// Sets the work up, or moves on from what became of the last proposal.
void step(const PassSite &site, PassState &state, const RemapOptions &options) {
  Work &work = state.memory<Work>();
  if (!work.candidates) {
    work.candidates =
        findCandidates(site.module, site.cfg, site.marked, site.request.region, options.hazards);
    for (const RegionCandidate &candidate : *work.candidates)
      state.places.push_back(candidate.offset);
  } else if (state.last == PassState::Last::Kept && options.fixedMappings.empty() &&
             work.round + 1 < kMaxRounds) {
    ++work.round;
  } else {
    ++work.at;
    work.round = 0;
  }
}

llvm::Expected<PassResult> remapNext(const PassSite &site, PassState &state,
                                     const RemapOptions &given) {
  step(site, state, given);
  RemapOptions options = given;
  options.occupancy = site.request.occupancy;
  options.workgroupSize = site.request.workgroupSize;
  options.memory = site.request.searches;
  if (site.assumes(Assumption::NoSyncWithoutBarrier))
    options.plainSync = PlainSync::Excluded;
  const uint64_t mostFmas = site.values.number("max-block-fmas");
  options.fixedMappings = entriesNow(given.fixedMappings, site);
  Work &work = state.memory<Work>();
  const bool anyLoop =
      llvm::any_of(*work.candidates, [](const RegionCandidate &c) { return c.depth > 0; });
  for (; work.at < work.candidates->size(); ++work.at, work.round = 0) {
    RegionCandidate &candidate = (*work.candidates)[work.at];
    relocate(site.module, site.cfg, state.places[work.at], candidate);
    state.places[work.at] = candidate.offset;
    const auto leave = [&](uint32_t line, const std::string &reason) {
      const bool isUsers = isAsGiven(site, site.cfg.blocks[candidate.block]);
      state.remarks.push_back(site.module.atLine(
          line, (isUsers ? "left as it is: " : "left as it is now: ") + reason, Severity::Remark));
    };
    // Who says where values of loops go has not said that the code around them may change.
    if (anyLoop && candidate.depth == 0 && !given.fixedMappings.empty() &&
        !speaksOf(options.fixedMappings, site.module, site.cfg.blocks[candidate.block]))
      continue;
    if (candidate.fmas > mostFmas) {
      leave(candidate.line,
            fmt::format("{} FMAs in one block, more than {}", candidate.fmas, mostFmas));
      continue;
    }
    auto outcome = remapBlock(site.module, site.cfg.functionIndex, candidate.block, options);
    if (!outcome)
      return outcome.takeError();
    if (outcome->rewrite && given.fixedMappings.empty() &&
        options.hazards != Hazards::RepairAtAnyCost) {
      auto alternative = alternativeTo(*outcome->rewrite, candidate.block, site);
      if (!alternative)
        return alternative.takeError();
      if (*alternative == Alternative::WithoutMoves)
        continue; // That pass is next.
    }
    if (outcome->rewrite) {
      toUserLines(outcome->rewrite->mapping, site);
      return PassResult{propose(candidate, std::move(*outcome->rewrite), work.round, options)};
    }
    // Whatever stands in the way of other registers: is there something to gain?
    const LoopMetrics metrics = measureBlock(site.module, site.cfg, candidate);
    const bool isDone =
        metrics.singleFmac <= 1 && metrics.sourceBankConflicts == 0 && metrics.parityHazards == 0;
    if (work.round == 0)
      leave(outcome->line, isDone ? "nothing to improve" : outcome->reason);
  }
  return PassResult{};
}

} // namespace

PassFunction remapWith(RemapOptions options) {
  return [options = std::move(options)](const PassSite &site, PassState &state) {
    return remapNext(site, state, options);
  };
}

llvm::Expected<PassResult> remapBlocks(const PassSite &site, PassState &state) {
  return remapNext(site, state, {});
}

} // namespace rdna
