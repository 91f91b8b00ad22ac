#include "Analysis/NoLane.h"

namespace rdna {

/// Does a block begin behind a branch that asked for a lane?
static bool beginsWithLane(const Module &module, const Cfg &cfg, uint32_t block) {
  const auto &predecessors = cfg.blocks[block].predecessors;
  if (predecessors.size() != 1)
    return false;
  const Block &before = cfg.blocks[predecessors[0]];
  const bool isNext = before.last == cfg.blocks[block].first;
  switch (module.instructions()[before.last - 1].op) {
  case Op::s_cbranch_execz:
    return isNext;
  case Op::s_cbranch_execnz:
    return !isNext;
  default:
    return false;
  }
}

std::vector<uint8_t> mayHaveNoLane(const Module &module, const Cfg &cfg, const Liveness &liveness) {
  std::vector<uint8_t> result;
  if (cfg.blocks.empty())
    return result;
  const uint32_t first = cfg.blocks.front().first;
  const bool isLaunched = module.functions()[cfg.functionIndex].entry == Function::Entry::Launch;
  std::vector<uint32_t> asked; // Blocks that begin with a lane.
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (b == 0 ? isLaunched : beginsWithLane(module, cfg, b))
      asked.push_back(b);
  result.assign(cfg.blocks.back().last - first, 1);
  if (!cfg.calls.empty())
    return result; // A callee may come back with none.
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const uint32_t from : asked)
      if (cfg.blocks[b].reachable && cfg.dominates(from, b))
        for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
          if (liveness.epochOf(i) == liveness.epochOf(cfg.blocks[from].first))
            result[i - first] = 0;
  return result;
}

} // namespace rdna
