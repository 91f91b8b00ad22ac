#include "Analysis/NestCounts.h"

#include "Analysis/TripCount.h"
#include "Asm/Lane.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {

void CodeCounts::add(const CodeCounts &more, uint64_t times) {
  valu += times * more.valu;
  singleFmas += times * more.singleFmas;
  conflicts += times * more.conflicts;
  repeatedConflicts += times * (times > 1 ? more.conflicts : more.repeatedConflicts);
  hazards += times * more.hazards;
  ldsAccesses += times * more.ldsAccesses;
}

bool factorsConflict(const LaneOp &lane) {
  return lane.src0.isVgpr() && lane.src1.isVgpr() && lane.src0 != lane.src1 &&
         bankOf(Vgpr{static_cast<uint8_t>(lane.src0.value)}) ==
             bankOf(Vgpr{static_cast<uint8_t>(lane.src1.value)});
}

bool factorsConflict(const Instruction &inst) {
  if (!isFmaFamily(inst))
    return false;
  if (const auto negated = asNegatedFmac(inst))
    return factorsConflict(negated->lane);
  return llvm::any_of(laneOps(inst), [](const LaneOp &lane) { return factorsConflict(lane); });
}

CodeCounts countInstruction(const Instruction &inst) {
  CodeCounts counts;
  counts.valu = inst.isValu();
  counts.ldsAccesses = inst.unit == Unit::Lds && inst.memory != MemoryEffect::None;
  if (!inst.isVopd()) {
    counts.singleFmas = isFmaFamily(inst);
    counts.conflicts = factorsConflict(inst);
    return counts;
  }
  counts.singleFmas = isVopdFma(inst.op) != isVopdFma(inst.opY);
  if (const auto halves = vopdHalves(inst)) {
    counts.conflicts = sourceBankConflicts(halves->first, halves->second);
    counts.hazards = hasParityHazard(halves->first, halves->second);
  }
  return counts;
}

CodeCounts countRange(const Module &module, uint32_t first, uint32_t last) {
  CodeCounts counts;
  for (uint32_t i = first; i < last; ++i)
    counts.add(countInstruction(module.instructions()[i]), 1);
  return counts;
}

KnownTripCounts knownTripCounts(const Module &module, const Cfg &cfg) {
  KnownTripCounts iterations;
  for (const Loop &loop : cfg.loops)
    if (const auto count = tripCount(module, cfg, loop); count && !loop.label.empty())
      iterations[loop.label] = *count;
  return iterations;
}

NestCounts countNest(const Module &module, const Cfg &cfg, const KnownTripCounts &iterations) {
  // Sums must not overflow; fewer iterations than there are only make outer code count more.
  constexpr uint64_t kMostIterations = 4096;
  NestCounts nest;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const CodeCounts here = countRange(module, cfg.blocks[b].first, cfg.blocks[b].last);
    uint64_t times = 1;
    const auto innermost = cfg.loopOf(b);
    nest.own[innermost ? cfg.loops[*innermost].label : std::string()].add(here, 1);
    for (auto at = innermost; at; at = cfg.loops[*at].parent) {
      const std::string &label = cfg.loops[*at].label;
      if (!label.empty())
        nest.iteration[label].add(here, times);
      if (const auto known = iterations.find(label);
          known != iterations.end() && times < kMostIterations)
        times *= std::min(known->second, kMostIterations);
    }
    nest.function.add(here, times);
  }
  return nest;
}

} // namespace rdna
