#include "Analysis/Segments.h"

namespace rdna {

/// The one block behind this one that cannot be entered from elsewhere.
static std::optional<uint32_t> continuation(const Module &module, const Cfg &cfg, uint32_t block) {
  const Block &from = cfg.blocks[block];
  const Instruction &last = module.instructions()[from.last - 1];
  if (from.successors.size() != 1 || (last.isTerminator() && !last.isJump()))
    return std::nullopt;
  const uint32_t to = from.successors[0];
  return to != 0 && cfg.blocks[to].predecessors.size() == 1 ? std::optional(to) : std::nullopt;
}

std::vector<std::vector<uint32_t>> straightSegments(const Module &module, const Cfg &cfg) {
  std::vector<std::optional<uint32_t>> next(cfg.blocks.size());
  std::vector<uint8_t> isInside(cfg.blocks.size(), 0);
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if ((next[b] = continuation(module, cfg, b)))
      isInside[*next[b]] = 1;
  std::vector<std::vector<uint32_t>> segments;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (!cfg.blocks[b].reachable || isInside[b])
      continue;
    std::vector<uint32_t> &segment = segments.emplace_back();
    for (std::optional<uint32_t> at = b; at; at = next[*at])
      segment.push_back(*at);
  }
  return segments;
}

} // namespace rdna
