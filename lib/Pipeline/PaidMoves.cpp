#include "Pipeline/PaidMoves.h"

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

/// One trip of a loop in a module that came of another.
static CodeCounts tripOf(const Module &module, uint32_t function, const std::string &loop,
                         const KnownTrips &trips) {
  const NestCounts counts = countNest(module, buildCfg(module, function), trips);
  const auto trip = counts.trip.find(loop);
  return trip == counts.trip.end() ? CodeCounts() : trip->second;
}

llvm::Expected<Alternative> alternativeTo(const RegionRewrite &rewrite, uint32_t block,
                                          const PassSite &site) {
  const uint32_t f = site.cfg.functionIndex;
  const auto loop = site.cfg.loopOf(block);
  if (!loop || !llvm::is_contained(site.pipeline, "dual-issue"))
    return Alternative::None;
  auto moved = nextOf(site.module, rewrite.edits);
  if (!moved)
    return moved.takeError();
  if (valuOf(*moved->module, f) <= valuOf(site.module, f))
    return Alternative::None;
  PassState state;
  auto paired = issueDual(site, state);
  if (!paired)
    return paired.takeError();
  if (!paired->proposal)
    return Alternative::None;
  const std::string &label = site.cfg.loops[*loop].label;
  const KnownTrips trips = knownTrips(site.module, site.cfg);
  const CodeCounts trip = tripOf(*moved->module, f, label, trips);
  // Before the proof, which takes longer than all the rest.
  auto tried = nextOf(site.module, paired->proposal->edits);
  if (!tried)
    return tried.takeError();
  if (whatIsWorse(trip, tripOf(*tried->module, f, label, trips)))
    return Alternative::None;
  std::vector<Proposed> proposals;
  proposals.push_back({f, std::move(*paired->proposal)});
  auto applied = applyProven(site.module, *findPass("dual-issue"), std::move(proposals),
                             {site.request, nullptr});
  if (!applied)
    return applied.takeError();
  if (!applied->next.module || whatIsWorse(trip, tripOf(*applied->next.module, f, label, trips)))
    return Alternative::None;
  return Alternative::WithoutMoves;
}

} // namespace rdna
