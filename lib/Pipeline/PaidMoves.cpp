#include "Pipeline/PaidMoves.h"

#include "Asm/Lane.h"
#include "Code/Excerpt.h"
#include "Pipeline/ApplyProven.h"
#include "Pipeline/NeverWorse.h"
#include "Pipeline/Registry.h"
#include "Transform/DualIssue.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

static uint64_t valuOf(const Module &module, uint32_t function) {
  const Function &f = module.functions()[function];
  return countRange(module, f.first, f.last).valu;
}

/// One iteration of a loop in a module that came of another.
static CodeCounts iterationOf(const Module &module, uint32_t function, const std::string &loop,
                              const KnownTripCounts &iterations) {
  const NestCounts counts = countNest(module, buildCfg(module, function), iterations);
  const auto iteration = counts.iteration.find(loop);
  return iteration == counts.iteration.end() ? CodeCounts() : iteration->second;
}

/// Parity hazards, then issue slots and conflicts, which weigh the same (ScheduleCost).
static std::pair<uint64_t, uint64_t> priceOf(const Module &module, uint32_t function) {
  const Function &f = module.functions()[function];
  const CodeCounts counts = countRange(module, f.first, f.last);
  return {counts.hazards, 4 * (counts.valu + counts.conflicts) + counts.singleFmas};
}

/// What --dual-issue proposes for a module, and what comes of it before a proof.
struct Paired {
  std::optional<Proposal> proposal;
  std::unique_ptr<Module> changed; ///< None if there is no proposal.
  const Module &moduleOr(const Module &asItIs) const { return changed ? *changed : asItIs; }
};
static llvm::Expected<Paired> pair(const Module &module, const PassSite &site) {
  const Cfg cfg = buildCfg(module, site.cfg.functionIndex);
  auto marked = markedRegions(module);
  if (!marked)
    return marked.takeError();
  PassState state;
  // One against the other; values that are left over would make neither the better one.
  const PassFunction issue = issueDualWith({.recolouring = DualIssueOptions::Recolouring::No});
  auto result = issue({module, cfg, site.request, site.values, *marked, site.pipeline}, state);
  if (!result)
    return result.takeError();
  if (!result->proposal)
    return Paired{};
  auto next = nextOf(module, result->proposal->edits);
  if (!next)
    return next.takeError();
  return Paired{std::move(result->proposal), std::move(next->module)};
}

/// Does --dual-issue without the rewrite come to what `isEnough`? Looked at before the proof, which
/// takes longer than all the rest, and behind it.
static llvm::Expected<Alternative> pairedAlone(const PassSite &site,
                                               llvm::function_ref<bool(const Module &)> isEnough) {
  auto paired = pair(site.module, site);
  if (!paired)
    return paired.takeError();
  if (!paired->proposal || !isEnough(*paired->changed))
    return Alternative::None;
  paired->changed.reset(); // Modules are large.
  std::vector<Proposed> proposals;
  proposals.push_back({site.cfg.functionIndex, std::move(*paired->proposal)});
  auto applied = applyProven(site.module, *findPass("dual-issue"), std::move(proposals),
                             {site.request, nullptr});
  if (!applied)
    return applied.takeError();
  return applied->next.module && isEnough(*applied->next.module) ? Alternative::WithoutMoves
                                                                 : Alternative::None;
}

static uint64_t fmasIn(const Module &module, uint32_t first, uint32_t last) {
  uint64_t fmas = 0;
  for (uint32_t i = first; i < last; ++i) {
    const Instruction &inst = module.instructions()[i];
    fmas += inst.isVopd() ? isVopdFma(inst.op) + isVopdFma(inst.opY) : isFmaFamily(inst);
  }
  return fmas;
}

/// Is the block one of many? What is tried of the whole function would be tried for each of them.
static bool isOneOfMany(const PassSite &site, uint32_t block) {
  constexpr uint64_t kMany = 8;
  const Block &range = site.cfg.blocks[block];
  const Function &f = site.function();
  return kMany * fmasIn(site.module, range.first, range.last) <
         fmasIn(site.module, f.first, f.last);
}

/// What the edits, so many moves among them, come to in comparison; the site has no more text than
/// its function needs.
static llvm::Expected<Alternative> compareWith(std::vector<TextEdit> edits, unsigned moves,
                                               uint32_t block, const PassSite &site) {
  const uint32_t f = site.cfg.functionIndex;
  const auto loop = site.cfg.loopOf(block);
  auto moved = nextOf(site.module, std::move(edits));
  if (!moved)
    return moved.takeError();
  // Modules are large: each goes as soon as it is measured.
  if (!loop) {
    auto behind = pair(*moved->module, site);
    if (!behind)
      return behind.takeError();
    const auto price = priceOf(behind->moduleOr(*moved->module), f);
    behind->changed.reset();
    moved->module.reset();
    return pairedAlone(site, [&](const Module &alone) { return priceOf(alone, f) <= price; });
  }
  const std::string &label = site.cfg.loops[*loop].label;
  const KnownTripCounts iterations = knownTripCounts(site.module, site.cfg);
  const CodeCounts iteration = iterationOf(*moved->module, f, label, iterations);
  const uint64_t valuMoved = valuOf(*moved->module, f);
  if (valuMoved > valuOf(site.module, f)) {
    moved->module.reset();
    return pairedAlone(site, [&](const Module &alone) {
      return !whatIsWorse(iteration, iterationOf(alone, f, label, iterations));
    });
  }
  // One FMA is left over where their number is odd.
  if (iteration.singleFmas < 2 && iteration.conflicts == 0) {
    // Where the moves took the place of instructions that were saved, the loop may do without them.
    if (moves == 0)
      return Alternative::None;
    moved->module.reset();
    return pairedAlone(site, [&](const Module &alone) {
      return valuOf(alone, f) < valuMoved &&
             !whatIsWorse(iteration, iterationOf(alone, f, label, iterations));
    });
  }
  auto behind = pair(*moved->module, site);
  if (!behind)
    return behind.takeError();
  const Module &paired = behind->moduleOr(*moved->module);
  const CodeCounts both = iterationOf(paired, f, label, iterations);
  const uint64_t valu = valuOf(paired, f);
  behind->changed.reset();
  moved->module.reset();
  return pairedAlone(site, [&](const Module &alone) {
    const CodeCounts one = iterationOf(alone, f, label, iterations);
    // A conflict costs an issue slot as an instruction does.
    return one.valu + one.conflicts < both.valu + both.conflicts && !whatIsWorse(both, one) &&
           valuOf(alone, f) <= valu;
  });
}

llvm::Expected<Alternative> alternativeTo(const RegionRewrite &rewrite, uint32_t block,
                                          const PassSite &site) {
  if (!llvm::is_contained(site.pipeline, "dual-issue"))
    return Alternative::None;
  if (!site.cfg.loopOf(block) && isOneOfMany(site, block))
    return Alternative::None;
  const unsigned moves = rewrite.entryMoves + rewrite.exitMoves;
  if (site.module.functions().size() > 1)
    if (const auto excerpt = Excerpt::of(site.module, site.cfg.functionIndex))
      if (auto edits = excerpt->editsHere(rewrite.edits)) {
        const Cfg cfg = buildCfg(excerpt->module(), 0);
        return compareWith(std::move(*edits), moves, block,
                           {excerpt->module(), cfg, site.request, site.values, {}, site.pipeline});
      }
  return compareWith(rewrite.edits, moves, block, site);
}

} // namespace rdna
