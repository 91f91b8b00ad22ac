#include "Pipeline/Rewrite.h"

#include "Analysis/Regions.h"
#include "Code/Derive.h"
#include "Pipeline/Prove.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

/// Finds a candidate's block again after edits moved it.
static void relocate(const Module &module, RegionCandidate &candidate) {
  const Function &function = module.functions()[candidate.function];
  const auto first = module.instructions().begin() + function.first;
  const auto last = module.instructions().begin() + function.last;
  auto it =
      std::lower_bound(first, last, candidate.offset, [](const Instruction &inst, uint32_t offset) {
        return inst.begin < offset;
      });
  if (it == last)
    --it;
  const Cfg cfg = buildCfg(module, candidate.function);
  candidate.block = cfg.blockOf(it->index);
  candidate.line = it->line;
  candidate.offset = it->begin;
}

static LoopMetrics measureBlock(const Module &module, const RegionCandidate &candidate) {
  const Cfg cfg = buildCfg(module, candidate.function);
  const Block &block = cfg.blocks[candidate.block];
  std::vector<uint32_t> instructions;
  for (uint32_t i = block.first; i < block.last; ++i)
    instructions.push_back(i);
  LoopMetrics metrics = measure(module, instructions);
  metrics.header = candidate.name;
  metrics.depth = candidate.depth;
  return metrics;
}

/// The first count that went the wrong way, judged on the printed result.
static const char *worse(const LoopMetrics &before, const LoopMetrics &after) {
  // Taking a hazardous pair apart costs an instruction and is worth it.
  const bool repaired = after.parityHazards < before.parityHazards;
  if (after.valu > before.valu && !repaired)
    return "VALU instructions";
  if (after.singleFmac > before.singleFmac && !repaired)
    return "single FMACs";
  if (after.sourceBankConflicts > before.sourceBankConflicts)
    return "bank conflicts";
  if (after.parityHazards > before.parityHazards)
    return "parity hazards";
  return nullptr;
}

static llvm::Error refuse(const Module &module, uint32_t line, std::string message) {
  return makeError(Failure::Refused, module.atLine(line, message, Severity::Error));
}

namespace {
struct Step {
  std::unique_ptr<Module> module;
  RewrittenRegion region;
};
} // namespace

/// Reads a rewrite anew, proves it and recounts it.
static llvm::Expected<Step> accept(const Module &before, const RegionCandidate &candidate,
                                   const RegionCandidate &moved, RegionRewrite rewrite,
                                   const RewriteOptions &options) {
  Step step;
  auto after = derive(before, rewrite.edits);
  if (!after)
    return after.takeError();
  step.module = std::move(*after);

  Correspondence claim;
  claim.function = before.functions()[candidate.function].name;
  for (const auto &[instruction, block] : rewrite.claims) {
    VgprMap &map = claim.atBlock[instruction];
    map.newOf = block.newOf;
    map.constants = block.constants;
  }
  auto proven = proveText(before, std::move(step.module), claim, options.assumptions);
  if (!proven)
    return proven.takeError();
  step.module = std::move(proven->module);

  RegionCandidate now = moved;
  relocate(*step.module, now);
  step.region = {.function = claim.function,
                 .name = candidate.name,
                 .before = measureBlock(before, candidate),
                 .after = measureBlock(*step.module, now),
                 .entryMoves = rewrite.entryMoves,
                 .exitMoves = rewrite.exitMoves,
                 .entryValues = rewrite.entryValues,
                 .exitValues = rewrite.exitValues,
                 .mapping = std::move(rewrite.mapping),
                 .proof = std::move(proven->proof)};
  if (const char *what = worse(step.region.before, step.region.after))
    return refuse(before, candidate.line,
                  fmt::format("the recount of the rewritten block has more {}", what));
  if (options.onStep)
    options.onStep({before, *step.module, claim});
  return step;
}

/// A block is rewritten until nothing improves, so that a second run of the tool changes nothing.
/// Every round lowers the cost, so there are few; the limit only guards against a mistake.
static constexpr unsigned kMaxRounds = 64;

/// `work[index]` is the block; the places of all others follow the edits.
static llvm::Expected<std::unique_ptr<Module>>
rewriteBlock(std::unique_ptr<Module> module, std::vector<RegionCandidate> &work, size_t index,
             const RewriteOptions &options, RewriteResult &result) {
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    relocate(*module, work[index]);
    RemapOptions remap = options.remap;
    if (round > 0)
      remap.fixedMappings.clear();
    if (options.assumptions.contains(Assumption::NoSyncWithoutBarrier))
      remap.plainSync = PlainSync::Excluded;
    auto outcome = remapBlock(*module, work[index].function, work[index].block, remap);
    if (!outcome)
      return outcome.takeError();
    if (!outcome->rewrite) {
      if (round == 0)
        result.remarks.push_back(
            module->atLine(outcome->line, "left as it is: " + outcome->reason, Severity::Remark));
      break;
    }
    const RegionCandidate before = work[index];
    const std::vector<RegionCandidate> places = work;
    for (RegionCandidate &candidate : work)
      candidate.offset = mapOffset(*module, outcome->rewrite->edits, candidate.offset);
    auto step = accept(*module, before, work[index], std::move(*outcome->rewrite), options);
    if (!step) {
      auto remark = takenBack(*module, before.line, "the rewrite of this block", step.takeError());
      if (!remark)
        return remark.takeError();
      result.remarks.push_back(std::move(*remark));
      work = places;
      break;
    }
    module = std::move(step->module);
    step->region.round = round;
    result.regions.push_back(std::move(step->region));
    if (!options.remap.fixedMappings.empty())
      break;
  }
  return module;
}

llvm::Expected<RewriteResult> rewriteModule(std::unique_ptr<Module> module,
                                            const RewriteOptions &options) {
  RewriteResult result;
  std::vector<uint32_t> functions;
  for (uint32_t f = 0; f < module->functions().size(); ++f) {
    const Function &function = module->functions()[f];
    if (!options.kernel.empty() && function.name != options.kernel)
      continue;
    functions.push_back(f);
    if (function.isKernel())
      result.kernels.push_back({function.name, measureKernel(*module, f), {}});
  }
  if (result.kernels.empty())
    return makeError(Failure::BadInput, module->file(),
                     options.kernel.empty()
                         ? std::string("no kernel in the input (no .amdhsa_kernel)")
                         : fmt::format("no kernel '{}' in the input", options.kernel));
  if (!options.region.empty())
    if (auto found = findRegions(*module, functions, options.region); !found)
      return found.takeError();

  std::vector<RegionCandidate> work =
      findCandidates(*module, options.kernel, options.region, options.remap.hazards);
  result.candidates = static_cast<unsigned>(work.size());
  for (size_t i = 0; i < work.size(); ++i) {
    if (work[i].fmas > options.mostFmas) {
      relocate(*module, work[i]);
      result.remarks.push_back(
          module->atLine(work[i].line,
                         fmt::format("left as it is: {} FMAs in one block, more than {}",
                                     work[i].fmas, options.mostFmas),
                         Severity::Remark));
      continue;
    }
    auto next = rewriteBlock(std::move(module), work, i, options, result);
    if (!next)
      return next.takeError();
    module = std::move(*next);
  }
  for (KernelChange &change : result.kernels)
    for (uint32_t f = 0; f < module->functions().size(); ++f)
      if (module->functions()[f].name == change.name)
        change.after = measureKernel(*module, f);
  for (const KernelChange &change : result.kernels)
    if (change.after.occupancy.wavesPerSimd < change.before.occupancy.wavesPerSimd &&
        options.remap.occupancy == OccupancyLoss::Refuse)
      return makeError(Failure::Refused, module->file(),
                       fmt::format("kernel '{}' would fall from {} to {} waves per SIMD",
                                   change.name, change.before.occupancy.wavesPerSimd,
                                   change.after.occupancy.wavesPerSimd));
  result.text = std::string(module->text());
  return result;
}

} // namespace rdna
