#include "Transform/Remap.h"

#include "Analysis/Regions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace rdna {

//===----------------------------------------------------------------------===//
// Which blocks
//===----------------------------------------------------------------------===//

static unsigned fmasOf(const Instruction &inst) {
  unsigned count = 0;
  for (const LaneOp &lane : laneOps(inst))
    count += isVopdFma(lane.op);
  return count;
}

static bool hasHazard(const Module &module, const Block &block) {
  for (uint32_t i = block.first; i < block.last; ++i)
    if (const auto halves = vopdHalves(module.instructions()[i]))
      if (hasParityHazard(halves->first, halves->second))
        return true;
  return false;
}

/// The region that a block is part of, if it is marked by comments.
static const Region *markOf(llvm::ArrayRef<Region> marked, uint32_t function, const Block &block) {
  const Region *found = nullptr;
  for (const Region &mark : marked)
    if (mark.functionIndex == function && llvm::any_of(mark.instructions, [&](uint32_t i) {
          return i >= block.first && i < block.last;
        }))
      found = &mark;
  return found;
}

/// Is it worth looking at, if everything may be?
static bool isWorthALook(const Cfg &cfg, const RegionCandidate &candidate, const Region *mark) {
  const auto loop = cfg.loopOf(candidate.block);
  const bool isInnermost = loop && cfg.loops[*loop].isInnermost();
  return candidate.fmas > (mark || isInnermost ? 0 : 1);
}

std::vector<RegionCandidate> findCandidates(const Module &module, const Cfg &cfg,
                                            llvm::ArrayRef<Region> marked,
                                            const std::string &region, Hazards hazards) {
  std::vector<RegionCandidate> blocks;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const Instruction &first = module.instructions()[cfg.blocks[b].first];
    RegionCandidate candidate{cfg.functionIndex, b, {}, first.line, first.begin, 0, 0};
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      candidate.fmas += fmasOf(module.instructions()[i]);
    const auto loop = cfg.loopOf(b);
    if (loop) {
      candidate.depth = cfg.loops[*loop].depth;
      candidate.name = cfg.loops[*loop].label;
    }
    const Region *mark = markOf(marked, cfg.functionIndex, cfg.blocks[b]);
    if (mark)
      candidate.name = mark->name;
    if (!region.empty()) {
      bool asked = mark && mark->name == region;
      for (auto at = loop; at; at = cfg.loops[*at].parent)
        asked |= cfg.loops[*at].label == region;
      if (asked) {
        candidate.name = region;
        blocks.push_back(std::move(candidate));
      }
    } else if (hazards != Hazards::Leave && hasHazard(module, cfg.blocks[b])) {
      candidate.depth += 1; // must be looked at, whatever else is found
      blocks.push_back(std::move(candidate));
    } else if (isWorthALook(cfg, candidate, mark)) {
      blocks.push_back(std::move(candidate));
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const RegionCandidate &a, const RegionCandidate &b) {
                     return a.depth > b.depth; // outer code profits from what inner loops left free
                   });
  return blocks;
}

} // namespace rdna
