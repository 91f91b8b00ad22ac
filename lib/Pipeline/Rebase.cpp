#include "Pipeline/Rebase.h"

#include "Pipeline/Prove.h"
#include "Pipeline/Tidy.h"
#include "Transform/Descriptor.h"
#include "Transform/SgprBase.h"
#include "Transform/StepPointers.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

#include <optional>

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
  /// Takes indices as integers, which bounds show or the user answers for.
  enum class Indices : uint8_t { MayWrap, Whole } indices = Indices::MayWrap;
};

/// Without the assumption first: what can be proven needs none.
template <typename Pass>
Proposal propose(const RebaseOptions &options, const std::string &function, SgprBaseOptions limits,
                 Pass pass) {
  Proposal proposal = pass(limits);
  const bool mayAssume =
      options.assumptions.contains(Assumption::NoIndexWrap) || options.isGiven(function);
  if (mayAssume && !proposal.rewrite.remarks.empty()) {
    limits.indices = verify::Indices::AssumeUnwrapped;
    proposal = pass(limits);
    proposal.indices = Proposal::Indices::Whole;
  }
  return proposal;
}

/// What a proposal is proven by, one after the other: ranges of the launch, then the assumption.
std::vector<Correspondence> groundsOf(const Proposal &proposal, const RebaseOptions &options) {
  if (proposal.indices == Proposal::Indices::MayWrap)
    return {proposal.claim};
  std::vector<Correspondence> grounds;
  Correspondence claim = proposal.claim;
  if (const auto it = options.given.find(claim.function); it != options.given.end())
    claim.given = it->second;
  if (!claim.given.said.empty())
    grounds.push_back(claim);
  if (options.assumptions.contains(Assumption::NoIndexWrap)) {
    claim.assumptions.insert(Assumption::NoIndexWrap);
    grounds.push_back(std::move(claim));
  }
  return grounds;
}

struct Accepted {
  std::unique_ptr<Module> module;
  RebasedAccesses done;
};

/// Reads the rewrite anew, proves and recounts it. Outside loops, where a pointer serves but once,
/// it may turn out to be longer; then there is nothing.
llvm::Expected<std::optional<Accepted>> attempt(const Module &module, uint32_t f,
                                                const SgprBaseRewrite &rewrite,
                                                Correspondence claim, Place place,
                                                const RebaseOptions &options) {
  const Function &function = module.functions()[f];
  std::vector<TextEdit> edits = rewrite.edits;
  raiseSgprCount(module, function, rewrite.sgprs, edits);
  raiseVgprCount(module, function, rewrite.vgprs, edits);
  for (const Assumption assumption : claim.assumptions)
    declareAssumption(module, function, assumption, edits);
  if (claim.assumptions.empty() && !claim.given.said.empty())
    declareGiven(module, function, claim.given, edits);
  RebasedAccesses done;
  done.function = function.name;
  done.accesses = rewrite.accesses;
  done.pairs = rewrite.pairs;
  done.offsets = rewrite.offsets;
  auto after = Module::parse(applyEdits(module, std::move(edits)), module.file());
  if (!after)
    return after.takeError();
  auto tidy = removeDeadCode(std::move(*after), f);
  if (!tidy)
    return tidy.takeError();
  after = std::move(tidy->module);
  done.removed = tidy->removed;
  done.place = place;
  done.before = measureAt(module, f, place);
  done.after = measureAt(**after, f, place);
  if (place == Place::OutsideLoops &&
      (done.after.instructions >= done.before.instructions || done.after.valu > done.before.valu))
    return std::nullopt;
  auto proven = proveText(module, std::move(*after), claim, options.assumptions);
  if (!proven)
    return proven.takeError();
  if (done.after.valu > done.before.valu)
    return makeError(
        Failure::Refused,
        module.atLine(function.line, "the recount of its loops has more VALU", Severity::Error));
  done.proof = std::move(proven->proof);
  done.assumptions = done.proof.assumptions;
  if (options.onStep)
    options.onStep({module, *proven->module, claim});
  return Accepted{std::move(proven->module), std::move(done)};
}

/// The module with the rewrite, or as it was.
llvm::Expected<std::unique_ptr<Module>> accept(std::unique_ptr<Module> module, uint32_t f,
                                               const Proposal &proposal, Place place,
                                               const RebaseOptions &options, RebaseResult &result) {
  const Function &function = module->functions()[f];
  std::optional<Diagnostic> refused;
  for (const Correspondence &claim : groundsOf(proposal, options)) {
    auto accepted = attempt(*module, f, proposal.rewrite, claim, place, options);
    if (accepted && !*accepted)
      return module;
    if (accepted) {
      result.functions.push_back(std::move((*accepted)->done));
      return std::move((*accepted)->module);
    }
    auto remark =
        takenBack(*module, function.line, fmt::format("--sgpr-base in '{}'", function.name),
                  accepted.takeError());
    if (!remark)
      return remark.takeError();
    refused = std::move(*remark);
  }
  if (refused)
    result.remarks.push_back(std::move(*refused));
  return module;
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
    const std::string name = function.name; // The module changes.
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
      Proposal proposal =
          propose(options, name, limits, [&](const SgprBaseOptions &given) -> Proposal {
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
      proposal.claim.function = name;
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
