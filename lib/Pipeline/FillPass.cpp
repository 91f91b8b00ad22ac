// Loop after loop: one that fills a tile is written out, so that the tile can be made ahead. Both
// ways of an `if` that fill one become one together with what is made ahead then.

#include "Code/Compose.h"
#include "Code/Derive.h"
#include "Pipeline/LdsRoom.h"
#include "Pipeline/LoopForms.h"
#include "Pipeline/Passes.h"
#include "Transform/FillArms.h"
#include "Transform/FillLoops.h"

#include <fmt/format.h>

namespace rdna {

static std::optional<Proposal> propose(const PassSite &site, const Loop &loop, FillLoop &rewrite,
                                       const WorkgroupShape &shape) {
  Proposal proposal;
  proposal.edits = std::move(rewrite.edits);
  claimRebuffered(site, shape, proposal);
  proposal.claim.loads = Correspondence::Loads::Ahead;
  proposal.what = "writing out " + loop.label;
  proposal.line = site.module.instructions()[site.cfg.blocks[loop.header].first].line;
  StepReport &report = *proposal.report;
  report.name = loop.label;
  report.add("iterations", rewrite.iterations);
  report.add("iterations_of_some_lanes", rewrite.narrowed);
  report.add("instructions_copied", rewrite.instructions);
  report.summary = fmt::format(
      "the tile's {} iterations written out{}, {} instructions copied", rewrite.iterations,
      rewrite.narrowed == 0 ? "" : ", lanes switched off between them", rewrite.instructions);
  return proposal;
}

PassResult writeOutFills(const PassSite &site, PassState &state) {
  for (uint32_t l = 0; l < site.cfg.loops.size(); ++l) {
    const Loop &loop = site.cfg.loops[l];
    if (loop.label.empty() || !isFillLoop(site.module, site.cfg, l) || !site.wants(*loop.parent) ||
        staysAsItIs(site, site.cfg.loops[*loop.parent]) ||
        !state.seen.insert("fill " + loop.label).second)
      continue;
    const auto leave = [&](uint32_t line, const std::string &reason) {
      state.remarks.push_back(site.module.atLine(
          line, fmt::format("{} is not written out: {}", loop.label, reason), Severity::Remark));
    };
    const uint32_t line = site.module.instructions()[site.cfg.blocks[loop.header].first].line;
    const auto shape = shapeOf(site);
    if (!shape) {
      leave(line, std::string(kNoShape));
      continue;
    }
    FillLoopOutcome outcome = writeOutFill(site.module, site.cfg, l, *shape);
    if (outcome.left) {
      leave(outcome.left->line, outcome.left->reason);
      continue;
    }
    FillLoop &rewrite = *outcome.rewrite;
    if (const auto why = whyTooLong(site, rewrite.bytes)) {
      leave(line, *why);
      continue;
    }
    if (!requireShape(site.module, site.function(), *shape, rewrite.edits)) {
      leave(line, std::string(kNoMetadata));
      continue;
    }
    return PassResult{propose(site, loop, rewrite, *shape)};
  }
  return {};
}

/// What is made of the loop behind these edits: by itself such a step gains little, as many stores
/// less as there are moves more, so both are one step, and are refused together.
struct FilledStep {
  std::unique_ptr<Module> filled;
  std::optional<Proposal> next; ///< About `filled`.
  std::string why;              ///< There is none.
};
static FilledStep goOn(const PassSite &site, const Loop &loop, const std::vector<TextEdit> &edits,
                       NextPass next) {
  auto filled = derive(site.module, edits);
  if (!filled)
    return {nullptr, std::nullopt, llvm::toString(filled.takeError())};
  FilledStep step{std::move(*filled), std::nullopt, ""};
  const Cfg cfg = buildCfg(*step.filled, site.cfg.functionIndex);
  PassSite there = {*step.filled, cfg, site.request, site.values, {}, site.pipeline};
  there.judgedBy = site.judgedBy;
  PassState state;
  for (bool isMore = true; isMore && !step.next;) {
    PassResult result = next(there, state);
    isMore = result.proposal.has_value();
    if (isMore && result.proposal->report->name == loop.label)
      step.next = std::move(*result.proposal);
  }
  for (const Diagnostic &remark : llvm::reverse(state.remarks)) // The first, of this loop.
    if (llvm::StringRef(remark.message).starts_with(loop.label + " "))
      step.why = remark.message;
  return step;
}

static Proposal propose(const PassSite &site, const Loop &loop, FillArms &rewrite,
                        const WorkgroupShape &shape, FilledStep step) {
  Proposal proposal = std::move(*step.next);
  proposal.edits = composeEdits(site.module, std::move(rewrite.edits), std::move(proposal.edits));
  proposal.claim = {};
  claimRebuffered(site, shape, proposal);
  proposal.claim.loads = Correspondence::Loads::Ahead;
  proposal.vgprs = std::max(proposal.vgprs, rewrite.vgprs);
  proposal.line = site.module.instructions()[site.cfg.blocks[loop.header].first].line;
  StepReport &report = *proposal.report;
  report.add("ifs", rewrite.ifs);
  report.add("stores_of_all_lanes", rewrite.stores);
  report.add("moves", rewrite.moves);
  report.summary = fmt::format(
      "{} `if`{} that stored the tile on both ways: {} store{} of all lanes, {} v_mov_b32 for what "
      "is not loaded; {}",
      rewrite.ifs, rewrite.ifs == 1 ? "" : "s", rewrite.stores, rewrite.stores == 1 ? "" : "s",
      rewrite.moves, report.summary);
  return proposal;
}

PassResult mergeFills(const PassSite &site, PassState &state, NextPass next) {
  for (uint32_t l = 0; l < site.cfg.loops.size(); ++l) {
    const Loop &loop = site.cfg.loops[l];
    if (loop.label.empty() || !site.wants(l) || staysAsItIs(site, loop) ||
        !hasBarrier(site.module, site.cfg, loop) || !state.seen.insert("arms " + loop.label).second)
      continue;
    FillArmsOutcome outcome = mergeFillArms(site.module, site.cfg, l, firstFreeVgpr(site));
    const auto leave = [&](uint32_t line, const std::string &reason) {
      state.remarks.push_back(site.module.atLine(
          line,
          fmt::format("{}: both ways of an `if` store to LDS as before: {}", loop.label, reason),
          Severity::Remark));
    };
    for (const StagesLeft &left : outcome.left)
      leave(left.line, left.reason);
    if (!outcome.rewrite)
      continue;
    const uint32_t line = site.module.instructions()[site.cfg.blocks[loop.header].first].line;
    const auto shape = shapeOf(site);
    if (!shape) {
      leave(line, std::string(kNoShape));
      continue;
    }
    FilledStep step = goOn(site, loop, outcome.rewrite->edits, next);
    if (step.next)
      return PassResult{propose(site, loop, *outcome.rewrite, *shape, std::move(step))};
    leave(line, fmt::format("nothing would be made ahead behind it{}{}",
                            step.why.empty() ? "" : ": ", step.why));
  }
  return {};
}

} // namespace rdna
