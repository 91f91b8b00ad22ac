// Two LDS buffers that take turns by one exclusive or of every address, in code that stays single.

#include "Asm/LdsOffsets.h"
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

/// Where the loop is, and whatever can follow it.
std::set<uint32_t> reachedFrom(const Cfg &cfg, const Loop &loop) {
  std::set<uint32_t> seen;
  std::vector<uint32_t> open(loop.blocks.begin(), loop.blocks.end());
  while (!open.empty()) {
    const uint32_t b = open.back();
    open.pop_back();
    if (!seen.insert(b).second)
      continue;
    open.insert(open.end(), cfg.blocks[b].successors.begin(), cfg.blocks[b].successors.end());
  }
  return seen;
}

bool isAddressOf(const Instruction &inst, const RegAccess &access) {
  if (!accessesLds(inst) || access.operand < 0 || access.writes())
    return false;
  const auto first = llvm::find_if(
      inst.operands, [](const Operand &operand) { return operand.cls == Operand::Class::Source; });
  return first - inst.operands.begin() == access.operand;
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
  const std::set<uint32_t> blocks = reachedFrom(cfg, cfg.loops[staged.loop]);
  const auto forAccesses = [&](auto function) {
    for (const uint32_t b : blocks)
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        for (const RegAccess &access : insts[i].accesses)
          function(insts[i], access);
  };
  forAccesses([&](const Instruction &inst, const RegAccess &access) {
    if (isAddressOf(inst, access))
      addresses.insert(access.reg.first);
  });
  std::optional<StagesLeft> why;
  forAccesses([&](const Instruction &inst, const RegAccess &access) {
    for (unsigned d = 0; d < access.reg.dwords && !isAddressOf(inst, access); ++d)
      if (const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
          addresses.contains(unit))
        why = StagesLeft{
            inst.line, fmt::format("{} is an address in LDS, and something else", toString(unit))};
  });
  if (why)
    return left(why->line, why->reason);
  CodeLines turn(module);
  for (const RegUnit unit : addresses) {
    if (!unit.isVgpr())
      return left(insts[staged.turns.front()].line, "an address in LDS is not in a VGPR");
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
  for (const uint32_t barrier : staged.barriers)
    rewrite.edits.push_back(removal(module, insts[barrier]));
  return {.rewrite = std::move(rewrite), .left = std::nullopt};
}

} // namespace rdna
