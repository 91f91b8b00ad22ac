// Pointers that lanes step together, then bases in loops, then bases outside of them.

#include "Pipeline/Passes.h"
#include "Transform/ScalariseInduction.h"
#include "Transform/SgprBase.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

/// Pointers first: what lanes step together needs no offset that is computed anew.
enum class Step : uint8_t { Pointers, Bases, Straight, Done };
/// Where accesses stand.
enum class Place : uint8_t { InLoops, OutsideLoops };

struct SgprBaseMemory {
  Step next = Step::Pointers;
};

LoopMetrics measureAt(const Module &module, uint32_t function, Place place) {
  const Cfg cfg = buildCfg(module, function);
  std::vector<uint32_t> instructions;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (cfg.loopOf(b).has_value() == (place == Place::InLoops))
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        instructions.push_back(i);
  return measure(module, instructions);
}

/// VGPRs that the kernel may use and still run as many waves.
unsigned budget(const Module &module, uint32_t f, OccupancyLoss loss) {
  if (loss == OccupancyLoss::Allow)
    return 256;
  const KernelMetrics metrics = measureKernel(module, f);
  return std::min(256u, vgprBudget({.vgprs = metrics.vgprs,
                                    .ldsBytes = metrics.ldsBytes,
                                    .workgroupSize = metrics.workgroupSize.value_or(0),
                                    .mode = metrics.mode,
                                    .processor = module.functions()[f].processor}));
}

std::vector<uint32_t> blocksOf(const PassSite &site, Step step) {
  if (step != Step::Straight)
    return site.wantedLoopBlocks();
  std::vector<uint32_t> blocks;
  // A region is a loop, so nothing outside of loops is wanted with one.
  for (uint32_t b = 0; b < site.cfg.blocks.size() && site.request.region.empty(); ++b)
    if (!site.cfg.loopOf(b))
      blocks.push_back(b);
  return blocks;
}

/// What one of the steps proposes, and what the proof is told.
struct Rewrite {
  SgprBaseRewrite bases;
  Correspondence claim = {};
  std::optional<Assumption> fallback = {};
};

Rewrite rewriteWith(const PassSite &site, Step step, const SgprBaseOptions &options) {
  const std::vector<uint32_t> blocks = blocksOf(site, step);
  if (step != Step::Pointers)
    return {useSgprBases(site.module, site.cfg, blocks, options)};
  ScalarisedInduction stepped = scalariseInduction(site.module, site.cfg, blocks, options);
  Rewrite made{std::move(stepped.rewrite)};
  for (auto &[block, equations] : stepped.claims)
    made.claim.points[block].equations = std::move(equations);
  return made;
}

/// Without the assumption first: what can be proven needs none.
Rewrite rewrite(const PassSite &site, Step step) {
  SgprBaseOptions options;
  options.mostVgprs = budget(site.module, site.cfg.functionIndex, site.request.occupancy);
  Rewrite made = rewriteWith(site, step, options);
  const auto given = site.request.given.find(site.function().name);
  const bool isGiven = given != site.request.given.end();
  const bool hasRanges = isGiven && !given->second.said.empty();
  if ((site.assumes(Assumption::NoIndexWrap) || hasRanges) && !made.bases.remarks.empty()) {
    options.indices = verify::Indices::AssumeUnwrapped;
    made = rewriteWith(site, step, options);
    if (isGiven)
      made.claim.given = given->second;
    if (hasRanges) // Bounds first: what they show need not be assumed.
      made.fallback = Assumption::NoIndexWrap;
    else
      made.claim.assumptions.insert(Assumption::NoIndexWrap);
  }
  return made;
}

/// What the report says of a rewrite, without its edits.
struct Counts {
  Place place;
  unsigned accesses, pairs, offsets;
};

/// Outside loops, where a pointer serves but once, it may turn out to be longer.
Verdict judge(const Derived &derived, const Counts &counts, StepReport &report) {
  const LoopMetrics before = measureAt(derived.before, derived.function, counts.place);
  const LoopMetrics after = measureAt(derived.after, derived.function, counts.place);
  const bool isInLoops = counts.place == Place::InLoops;
  report.add("place", isInLoops ? "loops" : "outside loops");
  report.add("accesses", counts.accesses);
  report.add("sgpr_pairs", counts.pairs);
  report.add("vgpr_offsets", counts.offsets);
  report.add("instructions_removed", derived.removed);
  report.add("before", before);
  report.add("after", after);
  report.summary =
      fmt::format("{} global accesses with {} SGPR bases and {} offsets, {} loops "
                  "instructions {} -> {}, VALU {} -> {}",
                  counts.accesses, counts.pairs, counts.offsets, isInLoops ? "in" : "outside",
                  before.instructions, after.instructions, before.valu, after.valu);
  if (!isInLoops && (after.instructions >= before.instructions || after.valu > before.valu))
    return {.kind = Verdict::Kind::Leave};
  return {};
}

} // namespace

llvm::Expected<PassResult> rebaseAccesses(const PassSite &site, PassState &state) {
  Step &next = state.memory<SgprBaseMemory>().next;
  while (next != Step::Done) {
    const Step step = next;
    next = static_cast<Step>(static_cast<uint8_t>(next) + 1);
    Rewrite made = rewrite(site, step);
    llvm::append_range(state.remarks, made.bases.remarks);
    if (made.bases.accesses == 0)
      continue;
    const Counts counts{step == Step::Straight ? Place::OutsideLoops : Place::InLoops,
                        made.bases.accesses, made.bases.pairs, made.bases.offsets};
    Proposal proposal;
    proposal.edits = std::move(made.bases.edits);
    proposal.claim = std::move(made.claim);
    proposal.fallback = made.fallback;
    proposal.sgprs = made.bases.sgprs;
    proposal.vgprs = made.bases.vgprs;
    proposal.cleanup = Cleanup::DeadCode;
    proposal.judge = [counts](const Derived &derived, StepReport &report) {
      return judge(derived, counts, report);
    };
    return PassResult{std::move(proposal)};
  }
  return PassResult{};
}

} // namespace rdna
