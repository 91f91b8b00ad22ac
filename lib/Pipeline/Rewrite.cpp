#include "Pipeline/Rewrite.h"

#include "Analysis/Regions.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

/// Blocks in text order: rewriting one changes neither their number nor their order, for the code
/// that it adds (moves) does no FMA work.
static std::vector<RegionCandidate> candidatesOf(const Module &module,
                                                 const RewriteOptions &options) {
  std::vector<RegionCandidate> list = findCandidates(module, options.kernel, options.region);
  std::sort(list.begin(), list.end(), [](const RegionCandidate &a, const RegionCandidate &b) {
    return std::tuple(a.function, a.block) < std::tuple(b.function, b.block);
  });
  return list;
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
  if (after.valu > before.valu && after.parityHazards >= before.parityHazards)
    return "VALU instructions";
  if (after.singleFmac > before.singleFmac)
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
                                   size_t position, RegionRewrite rewrite,
                                   const RewriteOptions &options) {
  Step step;
  auto after = Module::parse(std::move(rewrite.text), before.file());
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
  auto proof = proveEquivalent(before, *step.module, {claim});
  if (!proof)
    return proof.takeError();
  if (std::vector<Diagnostic> faults = checkRewrite(before, *step.module); !faults.empty())
    return llvm::make_error<InputError>(Failure::Refused, std::move(faults));

  const std::vector<RegionCandidate> now = candidatesOf(*step.module, options);
  if (position >= now.size())
    return refuse(before, candidate.line, "the rewritten block cannot be found again");
  step.region = {.function = claim.function,
                 .name = candidate.name,
                 .before = measureBlock(before, candidate),
                 .after = measureBlock(*step.module, now[position]),
                 .entryMoves = rewrite.entryMoves,
                 .exitMoves = rewrite.exitMoves,
                 .entryValues = rewrite.entryValues,
                 .exitValues = rewrite.exitValues,
                 .mapping = std::move(rewrite.mapping),
                 .proof = *proof};
  if (const char *what = worse(step.region.before, step.region.after))
    return refuse(before, candidate.line,
                  fmt::format("the recount of the rewritten block has more {}", what));
  return step;
}

/// A block is rewritten until nothing improves, so that a second run of the tool changes nothing.
static constexpr unsigned kMaxRounds = 4;

static llvm::Expected<std::unique_ptr<Module>> rewriteBlock(std::unique_ptr<Module> module,
                                                            size_t position,
                                                            const RewriteOptions &options,
                                                            RewriteResult &result) {
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    const RegionCandidate candidate = candidatesOf(*module, options)[position];
    RemapOptions remap = options.remap;
    if (round > 0)
      remap.fixedMappings.clear();
    auto outcome = remapBlock(*module, candidate.function, candidate.block, remap);
    if (!outcome)
      return outcome.takeError();
    if (!outcome->rewrite) {
      if (round == 0)
        result.remarks.push_back(
            module->atLine(outcome->line, "left as it is: " + outcome->reason, Severity::Remark));
      break;
    }
    auto step = accept(*module, candidate, position, std::move(*outcome->rewrite), options);
    if (!step)
      return step.takeError();
    module = std::move(step->module);
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

  std::vector<RegionCandidate> order = findCandidates(*module, options.kernel, options.region);
  const std::vector<RegionCandidate> positions = candidatesOf(*module, options);
  result.candidates = static_cast<unsigned>(order.size());
  for (const RegionCandidate &candidate : order) {
    const auto position =
        static_cast<size_t>(std::find_if(positions.begin(), positions.end(),
                                         [&](const RegionCandidate &other) {
                                           return other.function == candidate.function &&
                                                  other.block == candidate.block;
                                         }) -
                            positions.begin());
    auto next = rewriteBlock(std::move(module), position, options, result);
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
