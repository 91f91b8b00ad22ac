#include "Symbolic/Preserved.h"

#include "Asm/Effects.h"

namespace rdna::verify {
namespace {

/// Blocks on the paths from the end of `from` to the start of `to` that do not pass `from` again.
std::vector<uint32_t> between(const Cfg &cfg, uint32_t from, uint32_t to) {
  enum : uint8_t { Ahead = 1, Behind = 2 };
  std::vector<uint8_t> seen(cfg.blocks.size(), 0);
  std::vector<uint32_t> work;
  const auto flood = [&](uint32_t start, uint8_t mark, auto edges) {
    const auto push = [&](const auto &blocks) {
      for (const uint32_t b : blocks)
        if (b != from && !(seen[b] & mark)) {
          seen[b] |= mark;
          work.push_back(b);
        }
    };
    push(cfg.blocks[start].*edges);
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      push(cfg.blocks[b].*edges);
    }
  };
  flood(from, Ahead, &Block::successors);
  flood(to, Behind, &Block::predecessors);
  std::vector<uint32_t> result;
  for (uint32_t b = 0; b < seen.size(); ++b)
    if (seen[b] == (Ahead | Behind))
      result.push_back(b);
  return result;
}

} // namespace

std::bitset<kRegUnits> keptBetween(const Module &module, const Cfg &cfg, uint32_t from,
                                   uint32_t to) {
  std::bitset<kRegUnits> result;
  result.set();
  for (const uint32_t b : between(cfg, from, to))
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i) {
      const Instruction &inst = module.instructions()[i];
      if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64 || isRelative(inst))
        return {}; // The callee, or M0, may write anything.
      for (const RegAccess &access : inst.accesses)
        for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d)
          result.reset(access.reg.first.index + d);
    }
  return result;
}

} // namespace rdna::verify
