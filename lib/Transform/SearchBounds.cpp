// What a block costs as it stands, and what no order of it can beat.

#include "Transform/Search.h"

#include "llvm/ADT/SmallVector.h"

#include <array>

namespace rdna {

ScheduleCost costOf(const Module &module, const RegionModel &region, unsigned &hazards) {
  ScheduleCost cost;
  hazards = 0;
  for (size_t n = 0; n < region.nodes.size(); ++n) {
    const Node &node = region.nodes[n];
    if (node.kind != Node::Kind::Lane || (n > 0 && region.nodes[n - 1].inst == node.inst))
      continue; // the second half of a pair
    ++cost.issues;
    unsigned fmas = 0;
    for (size_t m = n; m < region.nodes.size() && region.nodes[m].inst == node.inst; ++m)
      fmas += isVopdFma(region.nodes[m].op.lane.op);
    cost.singleFmas += fmas == 1;
    const bool isSingle = n + 1 == region.nodes.size() || region.nodes[n + 1].inst != node.inst;
    const WebId src0 = node.op.src0, src1 = node.op.src1;
    if (isSingle && fmas == 1 && src0 != kNoWeb && src1 != kNoWeb && src0 != src1)
      cost.singleConflicts += bankOf(region.webs[src0].home) == bankOf(region.webs[src1].home);
    if (const auto halves = vopdHalves(module.instructions()[node.inst])) {
      cost.conflicts += sourceBankConflicts(halves->first, halves->second);
      hazards += hasParityHazard(halves->first, halves->second);
    }
  }
  return cost;
}

Search::Bounds Search::boundsOf(const Module &module, const RegionModel &region) {
  // By web: the most lane operations, and FMAs, that its value is behind in a chain.
  std::vector<std::pair<unsigned, unsigned>> behind(region.webs.size());
  unsigned fmas = 0, both = 0, onlyY = 0, longest = 0, longestOfFmas = 0;
  const auto pass = [&](const auto &reads, const auto &writes, unsigned lanes, unsigned ofFmas) {
    unsigned all = 0, chained = 0;
    for (const WebId w : reads)
      if (w != kNoWeb) {
        all = std::max(all, behind[w].first);
        chained = std::max(chained, behind[w].second);
      }
    all += lanes;
    chained += ofFmas;
    for (const WebId w : writes)
      if (w != kNoWeb)
        behind[w] = {all, chained};
    longest = std::max(longest, all);
    longestOfFmas = std::max(longestOfFmas, chained);
  };
  auto operand = region.operandWebs.begin();
  for (const Node &node : region.nodes) {
    if (node.kind == Node::Kind::Lane) {
      const bool isFma = isVopdFma(node.op.lane.op);
      if (isFma)
        ++fmas;
      else
        ++(vopdOpcodeX(node.op.lane.op) >= 0 ? both : onlyY);
      pass(std::array{node.op.src0, node.op.src1, node.op.addend}, std::array{node.op.dst}, 1,
           isFma ? 1 : 0);
      continue;
    }
    operand = std::lower_bound(operand, region.operandWebs.end(), node.inst,
                               [](const OperandWeb &o, uint32_t inst) { return o.inst < inst; });
    llvm::SmallVector<WebId, 8> reads, writes;
    for (auto o = operand; o != region.operandWebs.end() && o->inst == node.inst; ++o) {
      const Operand &op = module.instructions()[o->inst].operands[o->operand];
      (op.cls == Operand::Class::Def ? writes : reads).push_back(o->web);
    }
    pass(reads, writes, 0, 0);
  }
  // FMAs pair among themselves; one that is left over takes another operation along. Of a chain no
  // two share an instruction.
  both += fmas & 1;
  const unsigned issues = fmas / 2 + std::max((both + onlyY + 1) / 2, onlyY);
  const unsigned singles = 2 * longestOfFmas > fmas ? 2 * longestOfFmas - fmas : 0;
  return {std::max(issues, longest), std::max(singles, fmas & 1)};
}

} // namespace rdna
