#include "Pipeline/Spread.h"

#include "Code/Derive.h"
#include "Pipeline/Prove.h"
#include "Pipeline/Tidy.h"
#include "Transform/SpreadLoads.h"
#include "Verify/Opaque.h"

#include <fmt/format.h>

namespace rdna {
namespace {

using IsWanted = llvm::function_ref<bool(const Module &, const Cfg &, uint32_t)>;

std::vector<uint32_t> wantedBlocks(const Module &module, const Cfg &cfg, IsWanted isWanted) {
  std::vector<uint32_t> blocks;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (const auto loop = cfg.loopOf(b); loop && isWanted(module, cfg, *loop))
      blocks.push_back(b);
  return blocks;
}

class FunctionSpreader {
public:
  FunctionSpreader(std::unique_ptr<Module> module, uint32_t function, const SpreadOptions &options,
                   IsWanted isWanted, SpreadResult &result)
      : module_(std::move(module)), function_(function), options_(options), isWanted_(isWanted),
        result_(result) {}

  llvm::Expected<std::unique_ptr<Module>> run() {
    if (llvm::Error error = spread(""))
      return error;
    // A loop that was peeled has no guarded loads any more.
    for (bool again = true; again;) {
      again = false;
      const Cfg cfg = buildCfg(*module_, function_);
      for (uint32_t l = 0; l < cfg.loops.size() && !again; ++l) {
        if (!isWanted_(*module_, cfg, l) || cfg.loops[l].label.empty())
          continue;
        auto peeled = peel(cfg, cfg.loops[l]);
        if (!peeled)
          return peeled.takeError();
        again = *peeled;
      }
    }
    return std::move(module_);
  }

private:
  /// What there is to spread in the text as it is.
  SpreadEdits look(const Module &module) const {
    const Cfg cfg = buildCfg(module, function_);
    return spreadLoads(module, cfg, wantedBlocks(module, cfg, isWanted_));
  }

  llvm::Error spread(const std::string &peeled, SpreadGlobalLoads done = {}) {
    const SpreadEdits edits = look(*module_);
    if (edits.loads == 0)
      return llvm::Error::success();
    auto after = derive(*module_, edits.edits);
    if (!after)
      return after.takeError();
    Correspondence claim;
    claim.function = module_->functions()[function_].name;
    auto proof = proveRewrite(*module_, **after, claim);
    if (!proof)
      return takeBack(proof.takeError());
    if (options_.onStep)
      options_.onStep({*module_, **after, claim});
    done.function = claim.function;
    done.peeled = peeled;
    done.loads = edits.loads;
    done.groups = edits.groups;
    done.proof = *proof;
    result_.functions.push_back(std::move(done));
    module_ = std::move(*after);
    return llvm::Error::success();
  }

  llvm::Error takeBack(llvm::Error error) {
    const Function &function = module_->functions()[function_];
    auto remark = takenBack(*module_, function.line,
                            fmt::format("--spread-loads in '{}'", function.name), std::move(error));
    if (!remark)
      return remark.takeError();
    result_.remarks.push_back(std::move(*remark));
    return llvm::Error::success();
  }

  void remark(const Loop &loop, uint32_t line, std::string_view reason) {
    result_.remarks.push_back(module_->atLine(
        line, fmt::format("the guarded loads of {} are not spread: {}", loop.label, reason),
        Severity::Remark));
  }

  llvm::Expected<bool> peel(const Cfg &cfg, const Loop &loop) {
    const PeelOutcome outcome = peelGuard(*module_, cfg, loop, options_.peel);
    if (outcome.obstacle)
      remark(loop, outcome.obstacle->line, outcome.obstacle->reason);
    if (!outcome.rewrite)
      return false;
    auto after = derive(*module_, outcome.rewrite->edits);
    if (!after)
      return after.takeError();
    after = tidyCopies(*module_, std::move(*after), cfg);
    if (!after)
      return after.takeError();
    if (look(**after).loads == 0) {
      remark(loop, module_->instructions()[cfg.blocks[loop.header].first].line,
             "none of them could move to a run of LDS loads");
      return false;
    }
    Correspondence claim;
    claim.function = module_->functions()[function_].name;
    claim.split.insert(outcome.rewrite->joins.begin(), outcome.rewrite->joins.end());
    auto proof = proveRewrite(*module_, **after, claim);
    if (!proof) {
      if (llvm::Error error = takeBack(proof.takeError()))
        return error;
      return false;
    }
    if (options_.onStep)
      options_.onStep({*module_, **after, claim});
    SpreadGlobalLoads done;
    done.copied =
        static_cast<unsigned>((*after)->instructions().size() - module_->instructions().size());
    done.tests = outcome.rewrite->tests;
    const std::string label = loop.label;
    const Cfg newCfg = buildCfg(**after, function_);
    for (const Loop &peeled : newCfg.loops)
      for (const uint32_t i : loopInstructions(newCfg, peeled))
        done.bytes += peeled.label == label ? (*after)->instructions()[i].sizeBytes : 0;
    module_ = std::move(*after);
    if (llvm::Error error = spread(label, std::move(done)))
      return error;
    return true;
  }

  std::unique_ptr<Module> module_;
  const uint32_t function_;
  const SpreadOptions &options_;
  const IsWanted isWanted_;
  SpreadResult &result_;
};

} // namespace

llvm::Expected<SpreadResult> spreadGlobalLoads(std::unique_ptr<Module> module,
                                               const SpreadOptions &options, IsWanted isWanted) {
  SpreadResult result;
  for (uint32_t f = 0; f < module->functions().size(); ++f) {
    const Function &function = module->functions()[f];
    const Cfg cfg = buildCfg(*module, f);
    if ((!options.kernel.empty() && function.name != options.kernel) || !cfg.isComplete() ||
        !cfg.calls.empty() || verify::findOpaque(*module, cfg))
      continue;
    auto spread = FunctionSpreader(std::move(module), f, options, isWanted, result).run();
    if (!spread)
      return spread.takeError();
    module = std::move(*spread);
  }
  result.module = std::move(module);
  return result;
}

} // namespace rdna
