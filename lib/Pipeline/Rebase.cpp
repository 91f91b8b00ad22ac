#include "Pipeline/Rebase.h"

#include "Code/Derive.h"
#include "Pipeline/Prove.h"
#include "Pipeline/Tidy.h"
#include "Transform/Descriptor.h"
#include "Transform/SgprBase.h"
#include "Transform/StepPointers.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

namespace rdna {
namespace {

/// Pointers first: what lanes step together needs no offset that is computed anew.
enum class Step : uint8_t { Pointers, Bases, Straight };

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
                                    .mode = metrics.mode}));
}

/// What one of the passes proposes for a function, and what the proof is told.
struct Proposal {
  SgprBaseRewrite rewrite;
  Correspondence claim;
};

/// Without the assumption first: what can be proven needs none.
template <typename Pass>
Proposal propose(const RebaseOptions &options, SgprBaseOptions limits, Pass pass) {
  Proposal proposal = pass(limits);
  if (options.assumptions.contains(Assumption::NoIndexWrap) && !proposal.rewrite.remarks.empty()) {
    limits.indices = verify::Indices::AssumeUnwrapped;
    proposal = pass(limits);
    proposal.claim.assumptions.insert(Assumption::NoIndexWrap);
  }
  return proposal;
}

/// Reads the rewrite anew, proves and recounts it. Outside loops, where a pointer serves but once,
/// it may turn out to be longer; then everything stays.
llvm::Expected<std::unique_ptr<Module>> accept(std::unique_ptr<Module> module, uint32_t f,
                                               Proposal proposal, Place place,
                                               const RebaseOptions &options, RebaseResult &result) {
  SgprBaseRewrite &rewrite = proposal.rewrite;
  const Function &function = module->functions()[f];
  proposal.claim.function = function.name;
  raiseSgprCount(*module, function, rewrite.sgprs, rewrite.edits);
  raiseVgprCount(*module, function, rewrite.vgprs, rewrite.edits);
  for (const Assumption assumption : proposal.claim.assumptions)
    declareAssumption(*module, function, assumption, rewrite.edits);
  RebasedAccesses done;
  done.function = function.name;
  done.accesses = rewrite.accesses;
  done.pairs = rewrite.pairs;
  done.offsets = rewrite.offsets;
  done.assumptions = proposal.claim.assumptions;
  auto after = derive(*module, rewrite.edits);
  if (!after)
    return after.takeError();
  auto tidy = removeDeadCode(std::move(*after), f);
  if (!tidy)
    return tidy.takeError();
  after = std::move(tidy->module);
  done.removed = tidy->removed;
  done.place = place;
  done.before = measureAt(*module, f, place);
  done.after = measureAt(**after, f, place);
  if (place == Place::OutsideLoops &&
      (done.after.instructions >= done.before.instructions || done.after.valu > done.before.valu))
    return module;
  auto proven = proveText(*module, std::move(*after), proposal.claim, options.assumptions);
  llvm::Error error = proven ? llvm::Error::success() : proven.takeError();
  if (!error && done.after.valu > done.before.valu)
    error = makeError(
        Failure::Refused,
        module->atLine(function.line, "the recount of its loops has more VALU", Severity::Error));
  if (error) {
    auto remark = takenBack(*module, function.line,
                            fmt::format("--sgpr-base in '{}'", function.name), std::move(error));
    if (!remark)
      return remark.takeError();
    result.remarks.push_back(std::move(*remark));
    return module;
  }
  done.proof = std::move(proven->proof);
  done.assumptions = done.proof.assumptions;
  if (options.onStep)
    options.onStep({*module, *proven->module, proposal.claim});
  result.functions.push_back(std::move(done));
  return std::move(proven->module);
}

} // namespace

llvm::Expected<RebaseResult>
rebaseAccesses(std::unique_ptr<Module> module, const RebaseOptions &options,
               llvm::function_ref<bool(const Module &, const Cfg &, uint32_t)> isWanted) {
  RebaseResult result;
  for (uint32_t f = 0; f < module->functions().size(); ++f) {
    const Function &function = module->functions()[f];
    const Cfg whole = buildCfg(*module, f);
    // What a device function's callers keep in registers is not known here.
    if (!function.isKernel() || (!options.kernel.empty() && function.name != options.kernel) ||
        !whole.isComplete() || !whole.calls.empty() || verify::findOpaque(*module, whole))
      continue;
    for (const auto pass : {Step::Pointers, Step::Bases, Step::Straight}) {
      const Cfg cfg = buildCfg(*module, f);
      std::vector<uint32_t> blocks;
      for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
        if (const auto loop = cfg.loopOf(b);
            loop ? pass != Step::Straight && isWanted(*module, cfg, *loop)
                 : pass == Step::Straight && options.outside == OutsideLoops::Rewrite)
          blocks.push_back(b);
      SgprBaseOptions limits;
      limits.mostVgprs = budget(*module, f, options.occupancy);
      Proposal proposal = propose(options, limits, [&](const SgprBaseOptions &given) -> Proposal {
        if (pass != Step::Pointers)
          return {useSgprBases(*module, cfg, blocks, given), {}};
        SteppedPointers stepped = stepPointers(*module, cfg, blocks, given);
        Proposal made{std::move(stepped.rewrite), {}};
        made.claim.pointers = std::move(stepped.claims);
        return made;
      });
      const auto &remarks = proposal.rewrite.remarks;
      result.remarks.insert(result.remarks.end(), remarks.begin(), remarks.end());
      if (proposal.rewrite.accesses == 0)
        continue;
      auto after =
          accept(std::move(module), f, std::move(proposal),
                 pass == Step::Straight ? Place::OutsideLoops : Place::InLoops, options, result);
      if (!after)
        return after.takeError();
      module = std::move(*after);
    }
  }
  result.module = std::move(module);
  return result;
}

} // namespace rdna
