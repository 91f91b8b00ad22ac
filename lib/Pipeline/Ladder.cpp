#include "Pipeline/Ladder.h"

#include "Analysis/Regions.h"
#include "Pipeline/Prove.h"
#include "Pipeline/Tidy.h"
#include "Transform/DelayAlu.h"
#include "Transform/Descriptor.h"
#include "Transform/Hints.h"
#include "Transform/MergeStores.h"
#include "Transform/TightenWaits.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

LoopMetrics measureRange(const Module &module, uint32_t first, uint32_t last) {
  std::vector<uint32_t> instructions;
  for (uint32_t i = first; i < last; ++i)
    instructions.push_back(i);
  return measure(module, instructions);
}

bool isWanted(const Module &module, const Cfg &cfg, uint32_t loop, const RewriteOptions &options) {
  const std::string &function = module.functions()[cfg.functionIndex].name;
  if (!options.kernel.empty() && function != options.kernel)
    return false;
  if (options.region.empty())
    return true;
  for (std::optional<uint32_t> l = loop; l; l = cfg.loops[*l].parent)
    if (cfg.loops[*l].label == options.region)
      return true;
  return false;
}

struct Unrolled {
  std::unique_ptr<Module> module;
  UnrolledLoop loop;
};

/// Reads the rewrite anew, recounts and proves it; nothing if it is longer than the loop was.
llvm::Expected<std::optional<Unrolled>> accept(const Module &before, const Cfg &cfg,
                                               const Loop &loop, UnrollRewrite rewrite,
                                               const LadderOptions &options) {
  raiseSgprCount(before, before.functions()[cfg.functionIndex], rewrite.sgprs, rewrite.edits);
  auto after = Module::parse(applyEdits(before, rewrite.edits), before.file());
  if (!after)
    return after.takeError();
  const Block &body = cfg.blocks[loop.header];
  Unrolled result;
  UnrolledLoop &unrolled = result.loop;
  unrolled.function = before.functions()[cfg.functionIndex].name;
  unrolled.name = loop.label;
  unrolled.trips = rewrite.trips;
  unrolled.extent = rewrite.extent;
  unrolled.scalarsFolded = rewrite.scalarsFolded;
  unrolled.offsetsFolded = rewrite.offsetsFolded;
  unrolled.before = measureRange(before, body.first, body.last);
  Correspondence claim;
  claim.function = unrolled.function;
  // The new text has as many more instructions as the block has grown by.
  const auto end = static_cast<uint32_t>(body.last + (*after)->instructions().size() -
                                         before.instructions().size());
  for (uint32_t i = body.first; i < end; ++i)
    unrolled.bytes += (*after)->instructions()[i].sizeBytes;
  if (rewrite.extent == UnrollRewrite::Extent::Full) {
    claim.unrolled.insert(body.first);
    unrolled.after = measureRange(**after, body.first, end);
  } else {
    claim.guarded[body.first] = static_cast<unsigned>(rewrite.trips);
    unrolled.after = measureRange(**after, body.first, *(*after)->labelTarget(rewrite.rest));
  }
  if (unrolled.after.instructions > rewrite.trips * unrolled.before.instructions ||
      unrolled.after.valu > rewrite.trips * unrolled.before.valu)
    return std::nullopt;
  after = tidyCopies(before, std::move(*after), cfg);
  if (!after)
    return after.takeError();
  auto proven = proveText(before, std::move(*after), claim, options.assumptions);
  if (!proven)
    return proven.takeError();
  unrolled.proof = std::move(proven->proof);
  result.module = std::move(proven->module);
  if (options.rewrite.onStep)
    options.rewrite.onStep({before, *result.module, claim});
  return result;
}

/// Has the loop so many trips at a time already?
bool isWrittenOut(const Module &module, const Cfg &cfg, const Loop &loop) {
  const Function &function = module.functions()[cfg.functionIndex];
  return std::any_of(module.labels().begin(), module.labels().end(), [&](const Label &label) {
    return label.instruction >= function.first && label.instruction < function.last &&
           isRestLabel(label.name) && loop.contains(cfg.blockOf(label.instruction));
  });
}

/// Unrolls one loop that has not been looked at; false if there is none left.
llvm::Expected<bool> unrollNext(std::unique_ptr<Module> &module, const LadderOptions &options,
                                std::set<std::string> &seen, LadderResult &result) {
  for (uint32_t f = 0; f < module->functions().size(); ++f) {
    const Cfg cfg = buildCfg(*module, f);
    if (const auto opaque = verify::findOpaque(*module, cfg)) {
      // Nothing in it can be proven.
      const std::string &name = module->functions()[f].name;
      if (!cfg.loops.empty() &&
          (options.rewrite.kernel.empty() || options.rewrite.kernel == name) &&
          seen.insert(name).second)
        result.remarks.push_back(module->atLine(
            module->instructions()[opaque->instruction].line,
            fmt::format("'{}' is not unrolled: this {}", name, opaque->reason), Severity::Remark));
      continue;
    }
    for (uint32_t l = 0; l < cfg.loops.size(); ++l) {
      const Loop &loop = cfg.loops[l];
      if (!loop.isInnermost() || loop.label.empty() ||
          !isWanted(*module, cfg, l, options.rewrite) || !seen.insert(loop.label).second)
        continue;
      if (isWrittenOut(*module, cfg, loop))
        continue;
      UnrollOutcome outcome = unrollLoop(*module, cfg, loop, options.unroll);
      if (!outcome.rewrite) {
        result.remarks.push_back(module->atLine(
            outcome.line, fmt::format("{} is not unrolled: {}", loop.label, outcome.reason),
            Severity::Remark));
        continue;
      }
      auto unrolled = accept(*module, cfg, loop, std::move(*outcome.rewrite), options);
      if (!unrolled) {
        auto remark = takenBack(*module, outcome.line, fmt::format("unrolling {}", loop.label),
                                unrolled.takeError());
        if (!remark)
          return remark.takeError();
        result.remarks.push_back(std::move(*remark));
        continue;
      }
      if (!*unrolled) {
        result.remarks.push_back(module->atLine(
            outcome.line,
            fmt::format("{} is not unrolled: it would have more instructions", loop.label),
            Severity::Remark));
        continue;
      }
      module = std::move((*unrolled)->module);
      result.steps.push_back(std::move((*unrolled)->loop));
      seen.clear(); // The loop around it may have one block now.
      return true;
    }
  }
  return false;
}

llvm::Expected<std::unique_ptr<Module>> unroll(std::unique_ptr<Module> module,
                                               const LadderOptions &options, LadderResult &result) {
  std::set<std::string> seen;
  for (;;) {
    std::vector<Diagnostic> before = std::move(result.remarks);
    result.remarks.clear();
    auto next = unrollNext(module, options, seen, result);
    if (!next)
      return next.takeError();
    if (!*next) {
      // Only the last round's remarks are about the text that is printed.
      result.remarks.insert(result.remarks.begin(), before.begin(), before.end());
      return module;
    }
    result.remarks = std::move(before);
  }
}

/// The blocks of a function that the options name.
std::vector<uint32_t> wantedBlocks(const Module &module, const Cfg &cfg,
                                   const RewriteOptions &options) {
  std::vector<uint32_t> blocks;
  const std::string &name = module.functions()[cfg.functionIndex].name;
  if (!options.kernel.empty() && name != options.kernel)
    return blocks;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const auto loop = cfg.loopOf(b);
    if (options.region.empty() || (loop && isWanted(module, cfg, *loop, options)))
      blocks.push_back(b);
  }
  return blocks;
}

/// Reads an edited text anew and proves it equal, registers where they were.
llvm::Expected<ProvenText> proveEdits(const Module &before, const std::string &function,
                                      const std::vector<TextEdit> &edits,
                                      const std::set<Assumption> &assumptions) {
  auto after = Module::parse(applyEdits(before, edits), before.file());
  if (!after)
    return after.takeError();
  Correspondence claim;
  claim.function = function;
  return proveText(before, std::move(*after), claim, assumptions);
}

/// What a pass that leaves registers alone does to a function, and how it is told.
struct PassEdits {
  std::vector<TextEdit> edits;
  std::variant<MergedStores, TightenedWaits, AddedHints, SetDelays> step;
  std::vector<uint32_t> delaysLeft; ///< Blocks whose s_delay_alu cannot be set.
};

/// As the option says it.
const char *nameOf(Pass pass) {
  switch (pass) {
  case Pass::MergeStores:
    return "merge-stores";
  case Pass::Waits:
    return "waits";
  case Pass::Clause:
    return "clause";
  case Pass::SetPrio:
    return "setprio";
  case Pass::DelayAlu:
    return "delay-alu";
  default:
    return "";
  }
}

PassEdits editsOf(const Module &module, const Cfg &cfg, Pass pass,
                  const std::vector<uint32_t> &blocks, PlainSync plain) {
  if (pass == Pass::MergeStores) {
    StoreEdits stores = mergeStores(module, cfg, blocks);
    return {std::move(stores.edits),
            MergedStores{{}, stores.before, stores.before - stores.merged, {}},
            {}};
  }
  if (pass == Pass::Waits) {
    WaitEdits waits = tightenWaits(module, cfg, blocks, plain);
    return {std::move(waits.edits),
            TightenedWaits{{}, waits.before, waits.before - waits.deleted, waits.changed, {}},
            {}};
  }
  if (pass == Pass::DelayAlu) {
    DelayEdits delays = setDelays(module, cfg, blocks);
    return {std::move(delays.edits), SetDelays{{}, delays.set, delays.removed, {}},
            std::move(delays.left)};
  }
  HintEdits hints =
      pass == Pass::Clause ? addClauses(module, cfg, blocks) : addPriorities(module, cfg, blocks);
  return {std::move(hints.edits), AddedHints{pass, {}, hints.instructions, {}}, {}};
}

/// Merged stores, waits, clauses, priorities or delays, in every function.
llvm::Expected<std::unique_ptr<Module>> addHints(std::unique_ptr<Module> module, Pass pass,
                                                 const LadderOptions &options,
                                                 LadderResult &result) {
  for (uint32_t f = 0; f < module->functions().size(); ++f) {
    const std::string name = module->functions()[f].name;
    const Cfg cfg = buildCfg(*module, f);
    const std::vector<uint32_t> blocks = wantedBlocks(*module, cfg, options.rewrite);
    if (blocks.empty() || verify::findOpaque(*module, cfg))
      continue;
    const bool isAssumed = options.assumptions.contains(Assumption::NoSyncWithoutBarrier);
    PassEdits edits =
        editsOf(*module, cfg, pass, blocks, isAssumed ? PlainSync::Excluded : PlainSync::Possible);
    for (const uint32_t first : edits.delaysLeft)
      result.remarks.push_back(module->atLine(
          module->instructions()[first].line,
          "the s_delay_alu of this block stay: one would have to change in a macro, in a clause or "
          "beside other text",
          Severity::Remark));
    if (edits.edits.empty())
      continue;
    auto proven = proveEdits(*module, name, edits.edits, options.assumptions);
    if (!proven) {
      auto remark = takenBack(*module, module->functions()[f].line,
                              fmt::format("--{} in '{}'", nameOf(pass), name), proven.takeError());
      if (!remark)
        return remark.takeError();
      result.remarks.push_back(std::move(*remark));
      continue;
    }
    std::visit(
        [&](auto step) {
          step.function = name;
          step.proof = proven->proof;
          result.steps.push_back(std::move(step));
        },
        std::move(edits.step));
    module = std::move(proven->module);
  }
  return module;
}

llvm::Expected<std::unique_ptr<Module>> remap(std::unique_ptr<Module> module,
                                              const RewriteOptions &options, LadderResult &result) {
  const std::string file = module->file();
  auto remapped = rewriteModule(std::move(module), options);
  if (!remapped)
    return remapped.takeError();
  std::move(remapped->regions.begin(), remapped->regions.end(), std::back_inserter(result.steps));
  std::move(remapped->remarks.begin(), remapped->remarks.end(), std::back_inserter(result.remarks));
  return Module::parse(std::move(remapped->text), file);
}

llvm::Expected<std::unique_ptr<Module>> rebase(std::unique_ptr<Module> module,
                                               const LadderOptions &options, LadderResult &result) {
  auto rebased =
      rebaseAccesses(std::move(module),
                     {options.rewrite.kernel, options.assumptions, options.given,
                      options.rewrite.remap.occupancy, options.rewrite.onStep,
                      options.rewrite.region.empty() ? OutsideLoops::Rewrite : OutsideLoops::Leave},
                     [&](const Module &text, const Cfg &cfg, uint32_t loop) {
                       return isWanted(text, cfg, loop, options.rewrite);
                     });
  if (!rebased)
    return rebased.takeError();
  std::move(rebased->functions.begin(), rebased->functions.end(), std::back_inserter(result.steps));
  std::move(rebased->remarks.begin(), rebased->remarks.end(), std::back_inserter(result.remarks));
  return std::move(rebased->module);
}

llvm::Expected<std::unique_ptr<Module>> spread(std::unique_ptr<Module> module,
                                               const LadderOptions &options, LadderResult &result) {
  auto spread = spreadGlobalLoads(
      std::move(module),
      {options.rewrite.kernel, {options.unroll.mostBytes}, options.rewrite.onStep},
      [&](const Module &text, const Cfg &cfg, uint32_t loop) {
        return isWanted(text, cfg, loop, options.rewrite);
      });
  if (!spread)
    return spread.takeError();
  std::move(spread->functions.begin(), spread->functions.end(), std::back_inserter(result.steps));
  std::move(spread->remarks.begin(), spread->remarks.end(), std::back_inserter(result.remarks));
  return std::move(spread->module);
}

} // namespace

llvm::Expected<LadderResult> climb(std::unique_ptr<Module> module, const LadderOptions &options) {
  LadderResult result;
  RewriteOptions rewrite = options.rewrite;
  rewrite.assumptions = options.assumptions;
  for (uint32_t f = 0; f < module->functions().size(); ++f)
    if (const Function &function = module->functions()[f];
        function.isKernel() && (rewrite.kernel.empty() || function.name == rewrite.kernel))
      result.kernels.push_back({function.name, measureKernel(*module, f), {}});
  if (result.kernels.empty())
    return makeError(Failure::BadInput, module->file(),
                     rewrite.kernel.empty()
                         ? std::string("no kernel in the input (no .amdhsa_kernel)")
                         : fmt::format("no kernel '{}' in the input", rewrite.kernel));
  if (!rewrite.region.empty()) {
    std::vector<uint32_t> functions;
    for (uint32_t f = 0; f < module->functions().size(); ++f)
      if (rewrite.kernel.empty() || module->functions()[f].name == rewrite.kernel)
        functions.push_back(f);
    if (auto found = findRegions(*module, functions, rewrite.region); !found)
      return found.takeError();
  }
  // What one pass leaves may be work for another (the last trip of an unrolled loop pairs with the
  // first of the next), so they take turns until a second run of the tool would change nothing.
  constexpr unsigned mostRounds = 8;
  for (unsigned round = 0; round < mostRounds; ++round) {
    const size_t done = result.steps.size();
    result.remarks.clear(); // Only the last round's are about the text that is printed.
    if (options.passes.contains(Pass::VgprRemap)) {
      // A named loop may be gone once it is unrolled; its block was given all that it can get.
      if (round > 0 && !rewrite.region.empty())
        break;
      auto remapped = remap(std::move(module), rewrite, result);
      if (!remapped)
        return remapped.takeError();
      module = std::move(*remapped);
    }
    for (const auto &[pass, run] : {std::pair(Pass::SgprBase, &rebase),
                                    {Pass::Unroll, &unroll},
                                    {Pass::SpreadLoads, &spread}})
      if (options.passes.contains(pass)) {
        auto changed = run(std::move(module), options, result);
        if (!changed)
          return changed.takeError();
        module = std::move(*changed);
      }
    for (const Pass pass :
         {Pass::MergeStores, Pass::Waits, Pass::Clause, Pass::SetPrio, Pass::DelayAlu})
      if (options.passes.contains(pass)) {
        auto hinted = addHints(std::move(module), pass, options, result);
        if (!hinted)
          return hinted.takeError();
        module = std::move(*hinted);
      }
    if (result.steps.size() == done)
      break;
  }
  for (KernelChange &change : result.kernels)
    for (uint32_t f = 0; f < module->functions().size(); ++f)
      if (module->functions()[f].name == change.name)
        change.after = measureKernel(*module, f);
  result.text = std::string(module->text());
  return result;
}

} // namespace rdna
