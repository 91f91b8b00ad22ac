// What a block costs, as it is and with other registers.
#include "Analysis/Dependence.h"
#include "Analysis/NestCounts.h"
#include "Transform/Pairing.h"
#include "Transform/RenamedBlock.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>

namespace rdna {

static void count(const Instruction &inst, Pairing &result) {
  const auto halves = vopdHalves(inst);
  if (halves) {
    result.conflicts += sourceBankConflicts(halves->first, halves->second);
    result.hazards += hasParityHazard(halves->first, halves->second);
  }
  if (!inst.isValu())
    return;
  ++result.issues;
  if (!inst.isVopd()) {
    result.singleFmas += isFmaFamily(inst);
    result.conflicts += factorsConflict(inst);
  } else if (isVopdFma(inst.op) != isVopdFma(inst.opY))
    ++result.singleFmas;
}

void countBlock(const Module &module, const Block &block, Pairing &result) {
  for (uint32_t i = block.first; i < block.last; ++i)
    count(module.instructions()[i], result);
}

void countRenamed(const Instruction &inst, const RenamedBlock &renamed, Pairing &result) {
  count(inst, result);
  if (!renamed.differs(inst))
    return;
  std::vector<LaneOp> lanes = renamed.lanesOf(inst);
  if (!inst.isVopd()) {
    if (const auto negated = asNegatedFmac(inst))
      lanes = {renamed.rename(inst, negated->lane)};
    if (isFmaFamily(inst)) {
      result.conflicts -= factorsConflict(inst);
      result.conflicts += llvm::any_of(lanes, [](const LaneOp &l) { return factorsConflict(l); });
    }
    return;
  }
  const auto x = lanes.size() == 2 ? asVopdHalf(lanes[0]) : std::nullopt;
  const auto y = lanes.size() == 2 ? asVopdHalf(lanes[1]) : std::nullopt;
  const auto was = vopdHalves(inst);
  const bool hadHazard = was && hasParityHazard(was->first, was->second);
  result.illegal += !x || !y || whyNotDual(*x, *y) || (!hadHazard && hasParityHazard(*x, *y));
  if (!was || !x || !y)
    return;
  result.conflicts += sourceBankConflicts(*x, *y);
  result.conflicts -= sourceBankConflicts(was->first, was->second);
  result.hazards += hasParityHazard(*x, *y);
  result.hazards -= hadHazard;
}

bool isPairingFence(const Instruction &inst) {
  return isSchedulingBarrier(inst) || touchesUnnamedRegisters(inst.op);
}

unsigned leastCost(const Module &module, const Block &block, const RenamedBlock &renamed) {
  Pairing least;
  std::array<unsigned, 2> lanes{}, fmas{}; // by parity of the destination, from fence to fence
  const auto settle = [&] {
    least.issues += std::max(lanes[0], lanes[1]);
    least.singleFmas += std::max(fmas[0], fmas[1]) - std::min(fmas[0], fmas[1]);
    lanes = fmas = {};
  };
  for (uint32_t i = block.first; i < block.last; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (isPairingFence(inst))
      settle();
    if (renamed.at(inst).lanes.empty())
      countRenamed(inst, renamed, least);
    for (const LaneOp &lane : renamed.at(inst).lanes) {
      ++lanes[lane.dst.number & 1];
      fmas[lane.dst.number & 1] += isVopdFma(lane.op);
    }
  }
  settle();
  return least.cost();
}

} // namespace rdna
