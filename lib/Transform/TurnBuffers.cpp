// Two LDS buffers that take turns by one exclusive or of every address, in code that stays single.

#include "Analysis/Dataflow.h"
#include "Analysis/Liveness.h"
#include "Code/Build.h"
#include "Transform/CodeLines.h"
#include "Transform/CopyCode.h"
#include "Transform/SecondBuffer.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <bit>
#include <set>

namespace rdna {
namespace {

/// Code from the loop on that an access to LDS can still follow: of a block [first, last).
struct Stretch {
  uint32_t block, first, last;
};
std::vector<Stretch> stretchesOf(const Module &module, const Cfg &cfg, const Loop &loop) {
  std::vector<uint32_t> ends(cfg.blocks.size()), accessing; // Behind a block's last access.
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      if (accessesLds(module.instructions()[i])) {
        ends[b] = i + 1;
        if (accessing.empty() || accessing.back() != b)
          accessing.push_back(b);
      }
  std::vector<uint8_t> reaches(cfg.blocks.size());
  walkAlong(cfg.blocks.size(), accessing, [&](uint32_t b) {
    reaches[b] = 1;
    const auto &before = cfg.blocks[b].predecessors;
    return std::vector<uint32_t>(before.begin(), before.end());
  });
  const auto goesOn = [&](uint32_t b) {
    return llvm::any_of(cfg.blocks[b].successors, [&](uint32_t to) { return reaches[to] != 0; });
  };
  std::vector<Stretch> stretches;
  walkAlong(cfg.blocks.size(), loop.header, [&](uint32_t b) {
    const Block &block = cfg.blocks[b];
    if (reaches[b])
      stretches.push_back({b, block.first, goesOn(b) ? block.last : ends[b]});
    return std::vector<uint32_t>(block.successors.begin(), block.successors.end());
  });
  return stretches;
}

/// Registers that are read behind a stretch as it leaves them.
VgprSet readBehind(const Module &module, const Cfg &cfg, const Liveness &liveness,
                   const std::vector<Stretch> &stretches, const Stretch &stretch) {
  const Block &block = cfg.blocks[stretch.block];
  if (stretch.last < block.last) {
    LiveWalk walk(liveness, stretch.block);
    for (uint32_t i = block.last; i-- > stretch.last;)
      walk.stepOver(module.instructions()[i]);
    return walk.live();
  }
  VgprSet live;
  for (const uint32_t to : block.successors)
    if (llvm::none_of(stretches, [&](const Stretch &s) { return s.block == to; }))
      live |= liveness.liveIn[to];
  return live;
}

bool isAddressOf(const Instruction &inst, const RegAccess &access) {
  return accessesLds(inst) && access.operand == ldsAddressOperand(inst);
}

} // namespace

SecondBufferOutcome turnBuffers(const Module &module, const Cfg &cfg, const StagedLoop &staged,
                                uint32_t ldsBytes) {
  const auto left = [](uint32_t line, std::string reason) {
    return SecondBufferOutcome{.rewrite = std::nullopt,
                               .left = StagesLeft{.line = line, .reason = std::move(reason)}};
  };
  const auto &insts = module.instructions();
  SecondBuffer rewrite;
  rewrite.distance = std::bit_ceil(ldsBytes); // No address has this bit.
  std::set<RegUnit> addresses;
  const std::vector<Stretch> stretches = stretchesOf(module, cfg, cfg.loops[staged.loop]);
  const auto forAccesses = [&](auto function) {
    for (const Stretch &stretch : stretches)
      for (uint32_t i = stretch.first; i < stretch.last; ++i)
        for (const RegAccess &access : insts[i].accesses)
          function(insts[i], access);
  };
  forAccesses([&](const Instruction &inst, const RegAccess &access) {
    if (isAddressOf(inst, access))
      addresses.insert(access.reg.first);
  });
  std::optional<StagesLeft> why;
  const auto isElse = [&](uint32_t line, RegUnit unit) {
    why = StagesLeft{
        .line = line,
        .reason = fmt::format("{} is an address in LDS, and something else", toString(unit))};
  };
  forAccesses([&](const Instruction &inst, const RegAccess &access) {
    for (unsigned d = 0; d < access.reg.dwords && !isAddressOf(inst, access); ++d)
      if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
          addresses.contains(unit))
        isElse(inst.line, unit);
  });
  const Liveness liveness = computeLiveness(module, cfg);
  for (const Stretch &stretch : stretches) {
    const VgprSet behind = readBehind(module, cfg, liveness, stretches, stretch);
    for (const RegUnit unit : addresses)
      if (!unit.isVgpr() || behind.test(unit.number()))
        isElse(insts[stretch.first].line, unit);
  }
  if (why)
    return left(why->line, why->reason);
  CodeLines turn(module);
  for (const RegUnit unit : addresses) {
    turn.line(
        build(Op::v_xor_b32, {Arg(unit), imm(static_cast<int64_t>(rewrite.distance)), Arg(unit)}));
    ++rewrite.turns;
  }
  const Code turned = turn.take();
  for (const uint32_t at : staged.turns) {
    if (!takesLineBefore(module, insts[at]))
      return left(insts[at].line, "nothing can be put in front of the first store");
    rewrite.edits.push_back(lineBefore(module, insts[at], turned));
  }
  for (const uint32_t i : barriersWithInvalidations(module, staged))
    rewrite.edits.push_back(removal(module, insts[i]));
  return {.rewrite = std::move(rewrite), .left = std::nullopt};
}

} // namespace rdna
