// Loop after loop: one that loads its tiles a step ahead loads them further ahead.

#include "Pipeline/LdsRoom.h"
#include "Pipeline/LoopForms.h"
#include "Pipeline/Passes.h"
#include "Transform/DeeperPrefetch.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace rdna {
namespace {

class PrefetchPass {
public:
  PrefetchPass(const PassSite &site, PassState &state) : site_(site), state_(state) {}

  PassResult run() {
    for (uint32_t l = 0; l < site_.cfg.loops.size(); ++l) {
      const Loop &loop = site_.cfg.loops[l];
      if (!site_.wants(l) || loop.label.empty() || isBufferLabel(loop.label) ||
          isAheadLabel(loop.label) || isBehindAhead(site_.module, loop) ||
          !state_.seen.insert("ahead " + loop.label).second)
        continue;
      const auto form = tileFormOf(site_, loop);
      if (!form || form->vgpr < 2)
        continue;
      sets_ = form->vgpr;
      order_ = form->order;
      const StageOutcome found = findStages(site_.module, site_.cfg, l);
      if (!found.staged && !found.left)
        continue; // No loop with LDS and barriers.
      if (found.left && found.left->rule != 3) {
        leave(found.left->line, loop, found.left->reason);
        continue;
      }
      const PrefetchLoopOutcome prefetch = findPrefetchLoop(site_.module, site_.cfg, l);
      if (prefetch.left)
        leave(prefetch.left->line, loop, prefetch.left->reason);
      if (!prefetch.prefetch)
        continue;
      if (auto proposal = propose(loop, *prefetch.prefetch))
        return PassResult{std::move(*proposal)};
    }
    return {};
  }

private:
  void leave(uint32_t line, const Loop &loop, const std::string &reason) {
    state_.remarks.push_back(site_.module.atLine(
        line, fmt::format("{} does not load {} tiles ahead: {}", loop.label, sets_, reason),
        Severity::Remark));
  }

  std::optional<Proposal> propose(const Loop &loop, const PrefetchLoop &prefetch) {
    const Function &function = site_.function();
    const uint32_t line = site_.module.instructions()[*prefetch.steps.front().loads.begin()].line;
    const auto refuse = [&](uint32_t at, const std::string &reason) {
      leave(at, loop, reason);
      return std::optional<Proposal>();
    };
    const auto shape = shapeOf(site_);
    if (!shape)
      return refuse(line, std::string(kNoShape));
    if (order_ != StepOrder::LoadUseStore)
      return refuse(line, std::string(kOrderStays));
    DeeperPrefetchOutcome outcome =
        prefetchDeeper(site_.module, site_.cfg, prefetch, sets_, firstFreeVgpr(site_));
    if (outcome.left)
      return refuse(outcome.left->line, outcome.left->reason);
    DeeperPrefetch &rewrite = *outcome.rewrite;
    const unsigned items = (*shape)[0] * (*shape)[1] * (*shape)[2];
    const Room room = roomWith(function, items, ldsBytesOf(function), rewrite.vgprs);
    if (const auto why = whyTooFewWaves(site_, room, fmt::format("{} VGPRs", rewrite.vgprs)))
      return refuse(line, *why);
    if (const auto why = whyTooLong(site_, rewrite.bytes))
      return refuse(line, *why);
    if (!requireShape(site_.module, function, *shape, rewrite.edits))
      return refuse(line, std::string(kNoMetadata));
    return proposalOf(loop, prefetch, rewrite, *shape, room);
  }

  Proposal proposalOf(const Loop &loop, const PrefetchLoop &prefetch, DeeperPrefetch &rewrite,
                      const WorkgroupShape &shape, const Room &room) const {
    Proposal proposal;
    proposal.edits = std::move(rewrite.edits);
    claimRebuffered(site_, shape, proposal);
    proposal.claim.loads = Correspondence::Loads::Ahead;
    proposal.vgprs = rewrite.vgprs;
    proposal.what = fmt::format("loading {} tiles ahead in {}", sets_, loop.label);
    proposal.line = site_.module.instructions()[*prefetch.steps.front().loads.begin()].line;
    StepReport &report = *proposal.report;
    report.name = loop.label;
    report.add("tiles_in_registers", uint64_t(sets_));
    report.add("waves_per_simd_before", room.before);
    report.add("waves_per_simd_after", room.after);
    report.add("vgprs_of_a_tile", uint64_t(rewrite.registers));
    report.add("instructions_copied", rewrite.instructions);
    const unsigned further = sets_ - 1;
    report.summary = fmt::format(
        "tiles loaded {} further ahead, in {} sets of {} VGPRs, waves per SIMD {} -> {}, {} "
        "instructions copied",
        further == 1 ? "a step" : fmt::format("{} steps", further), sets_, rewrite.registers,
        room.before, room.after, rewrite.instructions);
    return proposal;
  }

  const PassSite &site_;
  PassState &state_;
  // Of the loop that is looked at:
  unsigned sets_ = 0;
  StepOrder order_ = {};
};

} // namespace

PassResult prefetchTiles(const PassSite &site, PassState &state) {
  return PrefetchPass(site, state).run();
}

} // namespace rdna
