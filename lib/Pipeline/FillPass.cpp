// Loop after loop: one that fills a tile is written out, and both ways of an `if` that fill one
// become one, so that the tile can be made ahead.

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

static PassResult writeOutFills(const PassSite &site, PassState &state) {
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

static Proposal propose(const PassSite &site, const Loop &loop, FillArms &rewrite,
                        const WorkgroupShape &shape) {
  Proposal proposal;
  proposal.edits = std::move(rewrite.edits);
  claimRebuffered(site, shape, proposal);
  proposal.claim.loads = Correspondence::Loads::Ahead;
  proposal.timed = Proposal::Timed::WithNext;
  proposal.vgprs = rewrite.vgprs;
  proposal.what = fmt::format("storing {}'s tile on one way", loop.label);
  proposal.line = site.module.instructions()[site.cfg.blocks[loop.header].first].line;
  StepReport &report = *proposal.report;
  report.name = loop.label;
  report.add("ifs", rewrite.ifs);
  report.add("stores_of_all_lanes", rewrite.stores);
  report.add("moves", rewrite.moves);
  report.summary = fmt::format(
      "{} `if`{} that stored the tile on both ways: {} store{} of all lanes, {} v_mov_b32 for what "
      "is not loaded",
      rewrite.ifs, rewrite.ifs == 1 ? "" : "s", rewrite.stores, rewrite.stores == 1 ? "" : "s",
      rewrite.moves);
  return proposal;
}

/// Is anything made of the loop behind these edits? By itself such a step gains little: as many
/// stores less as there are moves more.
static bool leadsOn(const PassSite &site, const Loop &loop, const std::vector<TextEdit> &edits,
                    NextPass next) {
  auto after = Module::parse(applyEdits(site.module, edits), std::string(site.module.file()));
  if (!after) {
    llvm::consumeError(after.takeError());
    return false;
  }
  const Cfg cfg = buildCfg(**after, site.cfg.functionIndex);
  PassSite there = {**after, cfg, site.request, site.values, {}, site.pipeline};
  there.judgedBy = site.judgedBy;
  PassState state;
  for (unsigned n = 0; n < site.cfg.loops.size() + 1; ++n) {
    const auto result = next(there, state);
    if (!result.proposal)
      return false;
    if (result.proposal->report->name == loop.label)
      return true;
  }
  return false;
}

static PassResult mergeFills(const PassSite &site, PassState &state, NextPass next) {
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
    const uint32_t lds = ldsBytesOf(site.function());
    const unsigned items = (*shape)[0] * (*shape)[1] * (*shape)[2];
    if (const auto why =
            whyTooFewWaves(site, roomWith(site.function(), items, lds, outcome.rewrite->vgprs),
                           fmt::format("{} VGPRs", outcome.rewrite->vgprs))) {
      leave(line, *why);
      continue;
    }
    if (!requireShape(site.module, site.function(), *shape, outcome.rewrite->edits)) {
      leave(line, std::string(kNoMetadata));
      continue;
    }
    // What has a region's name is not known in the text behind the edits.
    if (site.request.region.empty() && !leadsOn(site, loop, outcome.rewrite->edits, next)) {
      leave(line, "nothing would be made ahead behind it");
      continue;
    }
    return PassResult{propose(site, loop, *outcome.rewrite, *shape)};
  }
  return {};
}

PassResult prepareFills(const PassSite &site, PassState &state, NextPass next) {
  if (PassResult result = writeOutFills(site, state); result.proposal)
    return result;
  return mergeFills(site, state, next);
}

} // namespace rdna
