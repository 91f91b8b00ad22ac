#include "Pipeline/Rebase.h"

#include "Transform/DeadCode.h"
#include "Transform/Descriptor.h"
#include "Transform/SgprBase.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

namespace rdna {
namespace {

LoopMetrics measureLoops(const Module &module, const Cfg &cfg) {
  std::vector<uint32_t> instructions;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (cfg.loopOf(b))
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        instructions.push_back(i);
  return measure(module, instructions);
}

/// VGPRs that the function may use and still run as many waves.
unsigned budget(const Module &module, uint32_t f, OccupancyLoss loss) {
  const Function &function = module.functions()[f];
  if (!function.isKernel()) // Its callers declare the number.
    return measureKernel(module, f).vgprsUsed;
  if (loss == OccupancyLoss::Allow)
    return 256;
  const KernelMetrics metrics = measureKernel(module, f);
  return std::min(256u, vgprBudget({.vgprs = metrics.vgprs,
                                    .ldsBytes = metrics.ldsBytes,
                                    .workgroupSize = metrics.workgroupSize.value_or(0),
                                    .mode = metrics.mode}));
}

llvm::Expected<std::unique_ptr<Module>> reread(const Module &module,
                                               const std::vector<TextEdit> &edits) {
  return Module::parse(applyEdits(module, edits), module.file());
}

/// Takes away what is dead now. Counts down `most` so that a mistake cannot make it go on.
llvm::Expected<std::unique_ptr<Module>> clean(std::unique_ptr<Module> module, uint32_t f,
                                              unsigned &removed) {
  for (unsigned most = 64; most > 0; --most) {
    const DeadCode dead = removeDeadCode(*module, buildCfg(*module, f));
    if (dead.edits.empty())
      break;
    removed += dead.instructions;
    auto next = reread(*module, dead.edits);
    if (!next)
      return next.takeError();
    module = std::move(*next);
  }
  return module;
}

} // namespace

llvm::Expected<RebaseResult>
rebaseAccesses(std::unique_ptr<Module> module, const RebaseOptions &options,
               llvm::function_ref<bool(const Module &, const Cfg &, uint32_t)> isWanted) {
  RebaseResult result;
  for (uint32_t f = 0; f < module->functions().size(); ++f) {
    const Function &function = module->functions()[f];
    const Cfg cfg = buildCfg(*module, f);
    if ((!options.kernel.empty() && function.name != options.kernel) || cfg.indirectJump ||
        !cfg.calls.empty() || verify::findOpaque(*module, cfg))
      continue;
    std::vector<uint32_t> blocks;
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
      if (const auto loop = cfg.loopOf(b); loop && isWanted(*module, cfg, *loop))
        blocks.push_back(b);
    const bool assumes = options.assumptions.contains(Assumption::NoIndexWrap);
    SgprBaseOptions limits;
    limits.mostVgprs = budget(*module, f, options.occupancy);
    // Without the assumption first: what can be proven needs none.
    SgprBaseRewrite rewrite = useSgprBases(*module, cfg, blocks, limits);
    Correspondence claim;
    claim.function = function.name;
    if (assumes && !rewrite.remarks.empty()) {
      limits.indices = verify::Indices::AssumeUnwrapped;
      rewrite = useSgprBases(*module, cfg, blocks, limits);
      claim.assumptions.insert(Assumption::NoIndexWrap);
    }
    result.remarks.insert(result.remarks.end(), rewrite.remarks.begin(), rewrite.remarks.end());
    if (rewrite.accesses == 0)
      continue;
    if (function.isKernel()) {
      raiseSgprCount(*module, function, rewrite.sgprs, rewrite.edits);
      raiseVgprCount(*module, function, rewrite.vgprs, rewrite.edits);
    }
    RebasedAccesses done;
    done.function = function.name;
    done.accesses = rewrite.accesses;
    done.pairs = rewrite.pairs;
    done.offsets = rewrite.offsets;
    done.assumptions = claim.assumptions;
    auto after = reread(*module, rewrite.edits);
    if (!after)
      return after.takeError();
    after = clean(std::move(*after), f, done.removed);
    if (!after)
      return after.takeError();
    auto proof = proveEquivalent(*module, **after, {claim});
    if (!proof)
      return proof.takeError();
    if (std::vector<Diagnostic> faults = checkRewrite(*module, **after); !faults.empty())
      return llvm::make_error<InputError>(Failure::Refused, std::move(faults));
    done.proof = *proof;
    done.before = measureLoops(*module, cfg);
    done.after = measureLoops(**after, buildCfg(**after, f));
    if (done.after.valu > done.before.valu)
      return makeError(
          Failure::Refused,
          module->atLine(function.line, "the recount of its loops has more VALU", Severity::Error));
    if (options.onStep)
      options.onStep({*module, **after, claim});
    result.functions.push_back(std::move(done));
    module = std::move(*after);
  }
  result.module = std::move(module);
  return result;
}

} // namespace rdna
