// The loads that are there, then those behind a guard, once its step has code of its own.

#include "Pipeline/Passes.h"
#include "Transform/DuplicateTail.h"
#include "Transform/InterleaveLoads.h"
#include "Verify/Verify.h"

#include <fmt/format.h>

#include <utility>

namespace rdna {
namespace {

/// The step that was given code of its own.
struct Peeled {
  std::string label;
  unsigned tests = 0;  ///< Branches that it does without.
  unsigned copied = 0; ///< Instructions of the copy.
  uint64_t bytes = 0;  ///< Of the loop's code with it; the instruction cache holds 32 KiB.
};

struct InterleaveMemory {
  enum class Stage : uint8_t { Spread, Peel } stage = Stage::Spread;
  Peeled peeled; ///< By the last proposal; without a label if it was none.
};

std::optional<Proposal> spread(const PassSite &site, const Peeled &peeled) {
  SpreadEdits edits = interleaveLoads(site.module, site.cfg, site.wantedLoopBlocks());
  if (edits.loads == 0)
    return std::nullopt;
  Proposal proposal;
  proposal.edits = std::move(edits.edits);
  StepReport &report = *proposal.report;
  report.add("loads", edits.loads);
  report.add("groups", edits.groups);
  report.summary =
      fmt::format("{} global loads spread over {} groups of LDS loads", edits.loads, edits.groups);
  if (peeled.label.empty())
    return proposal;
  report.add("peeled", peeled.label);
  report.add("instructions_copied", peeled.copied);
  report.add("tests_dropped", peeled.tests);
  report.add("code_bytes", peeled.bytes);
  report.summary += fmt::format("; the guarded step of {} by itself, {} instructions, {} bytes in "
                                "all",
                                peeled.label, peeled.copied, peeled.bytes);
  return proposal;
}

Diagnostic notSpread(const Module &module, uint32_t line, const std::string &label,
                     std::string_view reason) {
  return module.atLine(line,
                       fmt::format("the guarded loads of {} are not spread: {}", label, reason),
                       Severity::Remark);
}

/// A step is only copied if its loads can be spread then.
Verdict judgePeeled(const Derived &derived, const PassRequest &request, const PassValues &values,
                    uint32_t line, Peeled &peeled) {
  const Cfg cfg = buildCfg(derived.after, derived.function);
  const PassSite site{derived.after, cfg, request, values, {}};
  if (interleaveLoads(site.module, cfg, site.wantedLoopBlocks()).loads == 0)
    return {.kind = Verdict::Kind::Leave,
            .remark = notSpread(derived.before, line, peeled.label,
                                "none of them could move to a run of LDS loads")};
  const Function &was = derived.before.functions()[derived.function];
  peeled.copied = (site.function().last - site.function().first) - (was.last - was.first);
  peeled.bytes = 0;
  for (const Loop &loop : cfg.loops)
    for (const uint32_t i : loopInstructions(cfg, loop))
      peeled.bytes += loop.label == peeled.label ? site.module.instructions()[i].sizeBytes : 0;
  return {};
}

} // namespace

llvm::Expected<PassResult> spreadGlobalLoads(const PassSite &site, PassState &state) {
  InterleaveMemory &memory = state.memory<InterleaveMemory>();
  const Peeled peeled = std::exchange(memory.peeled, {});
  const bool isPeeled = !peeled.label.empty() && state.last == PassState::Last::Kept;
  if (isPeeled)
    state.seen.clear(); // A loop that was peeled has no guarded loads any more.
  if (std::exchange(memory.stage, InterleaveMemory::Stage::Peel) ==
          InterleaveMemory::Stage::Spread ||
      isPeeled)
    if (std::optional<Proposal> proposal = spread(site, isPeeled ? peeled : Peeled()))
      return PassResult{std::move(proposal)};
  const PeelOptions options{static_cast<uint32_t>(site.values.number("max-code-bytes")),
                            checkStructure};
  for (uint32_t l = 0; l < site.cfg.loops.size(); ++l) {
    const Loop &loop = site.cfg.loops[l];
    if (!site.wants(l) || loop.label.empty() || !state.seen.insert(loop.label).second)
      continue;
    PeelOutcome outcome = duplicateTail(site.module, site.cfg, loop, options);
    if (outcome.obstacle)
      state.remarks.push_back(
          notSpread(site.module, outcome.obstacle->line, loop.label, outcome.obstacle->reason));
    if (!outcome.rewrite)
      continue;
    memory.peeled = {loop.label, outcome.rewrite->tests};
    Proposal proposal;
    proposal.edits = std::move(outcome.rewrite->edits);
    for (const uint32_t join : outcome.rewrite->joins)
      proposal.claim.points[join].arrivals = Point::kNone;
    proposal.cleanup = Cleanup::Copies;
    proposal.report = std::nullopt; // Spreading the loads is what is told.
    const uint32_t line = site.module.instructions()[site.cfg.blocks[loop.header].first].line;
    proposal.judge = [&memory, line, request = &site.request,
                      values = &site.values](const Derived &derived, StepReport &) {
      return judgePeeled(derived, *request, *values, line, memory.peeled);
    };
    return PassResult{std::move(proposal)};
  }
  return PassResult{};
}

} // namespace rdna
