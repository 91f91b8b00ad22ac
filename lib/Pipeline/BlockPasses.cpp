// Passes that edit all blocks of a function at once and leave every value in its register.

#include "Pipeline/Passes.h"
#include "Transform/DelayAlu.h"
#include "Transform/Hints.h"
#include "Transform/MergeStores.h"
#include "Transform/TightenWaits.h"

#include <fmt/format.h>

namespace rdna {

/// One change of the function and no second look: what is left is for the next round.
static PassResult once(std::vector<TextEdit> edits, StepReport report) {
  if (edits.empty())
    return {};
  Proposal proposal;
  proposal.edits = std::move(edits);
  proposal.report = std::move(report);
  return {std::move(proposal), PassResult::Next::Done};
}

llvm::Expected<PassResult> mergeLdsStores(const PassSite &site, PassState &) {
  StoreEdits stores = mergeStores(site.module, site.cfg, site.wantedBlocks());
  const unsigned after = stores.before - stores.merged;
  StepReport report;
  report.add("lds_stores_before", stores.before);
  report.add("lds_stores_after", after);
  report.summary = fmt::format("{} LDS stores -> {}", stores.before, after);
  return once(std::move(stores.edits), std::move(report));
}

llvm::Expected<PassResult> waitForWhatIsNeeded(const PassSite &site, PassState &) {
  WaitEdits waits = tightenWaits(
      site.module, site.cfg, site.wantedBlocks(),
      site.assumes(Assumption::NoSyncWithoutBarrier) ? PlainSync::Excluded : PlainSync::Possible);
  const unsigned after = waits.before - waits.deleted;
  StepReport report;
  report.add("waits_before", waits.before);
  report.add("waits_after", after);
  report.add("waits_changed", waits.changed);
  report.summary =
      fmt::format("{} waits -> {}, {} of them changed", waits.before, after, waits.changed);
  return once(std::move(waits.edits), std::move(report));
}

static PassResult addHints(HintEdits hints, std::string_view mnemonic) {
  StepReport report;
  report.add("instructions_added", hints.instructions);
  report.summary = fmt::format("{} {} added", hints.instructions, mnemonic);
  return once(std::move(hints.edits), std::move(report));
}

llvm::Expected<PassResult> insertClauses(const PassSite &site, PassState &) {
  return addHints(addClauses(site.module, site.cfg, site.wantedBlocks()), "s_clause");
}

llvm::Expected<PassResult> insertPriorities(const PassSite &site, PassState &) {
  return addHints(addPriorities(site.module, site.cfg, site.wantedBlocks()), "s_setprio");
}

static PassResult delaysOf(DelayEdits delays) {
  StepReport report;
  report.add("delays_set", delays.set);
  report.add("delays_removed", delays.removed);
  report.summary = fmt::format("{} s_delay_alu set, {} removed", delays.set, delays.removed);
  return once(std::move(delays.edits), std::move(report));
}

llvm::Expected<PassResult> renewDelays(const PassSite &site, PassState &) {
  if (site.delays == PassSite::Delays::AsWritten)
    return PassResult();
  return delaysOf(setDelays(site.module, site.cfg, site.wantedBlocks()));
}

llvm::Expected<PassResult> insertDelays(const PassSite &site, PassState &state) {
  DelayEdits delays = setDelays(site.module, site.cfg, site.wantedBlocks());
  for (const uint32_t place : delays.left)
    state.remarks.push_back(site.module.atLine(
        site.module.instructions()[place].line,
        "no s_delay_alu is set here: the place is in a macro, in a clause, in a long branch or "
        "beside other text",
        Severity::Remark));
  return delaysOf(std::move(delays));
}

} // namespace rdna
