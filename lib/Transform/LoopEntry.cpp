#include "Transform/LoopEntry.h"

#include "Code/Edit.h"
#include "Transform/Hints.h"

namespace rdna {

/// What is known in front of an instruction of a block.
static void executeTo(const Module &module, const Cfg &cfg, const FunctionFacts &facts,
                      verify::BlockValues &values, uint32_t block, uint32_t end, LoopEntry &entry) {
  entry.state = values.atStart(block);
  entry.waits = facts.waits[block];
  for (uint32_t i = cfg.blocks[block].first; i < end; ++i) {
    const Instruction &inst = module.instructions()[i];
    values.execute(entry.state, inst);
    entry.waits.step(inst);
  }
}

std::optional<LoopEntry> entryOf(const Module &module, const Cfg &cfg, const Loop &loop,
                                 const FunctionFacts &facts, verify::BlockValues &values,
                                 std::optional<uint32_t> end) {
  const auto inst = [&](uint32_t i) -> const Instruction & { return module.instructions()[i]; };
  std::optional<uint32_t> from;
  for (const uint32_t p : cfg.blocks[loop.header].predecessors)
    if (!loop.contains(p)) {
      if (from)
        return std::nullopt;
      from = p;
    }
  if (!from || !cfg.blocks[*from].reachable)
    return std::nullopt;
  const Block &block = cfg.blocks[*from];
  bool isLive = false;
  for (const uint32_t s : block.successors)
    isLive |= facts.liveScalars[s].test(kScc.index);
  LoopEntry entry;
  std::optional<uint32_t> before; // The first instruction behind the place.
  const bool falls = !inst(block.last - 1).isTerminator();
  if (!end && falls && !isLive && takesLineBehind(module, inst(block.last - 1))) {
    entry.instruction = block.last - 1;
    entry.side = LoopEntry::Side::Behind;
    before = block.last;
  }
  for (uint32_t i = block.last; i-- > block.first && !before;) {
    if (inst(i).writesUnit(kScc))
      isLive = false;
    if (inst(i).readsUnit(kScc))
      isLive = true;
    if (!isLive && (!end || i < *end) && takesLineBefore(module, inst(i)) &&
        !isInClause(module, block, i))
      before = entry.instruction = i;
  }
  if (!before)
    return std::nullopt;
  executeTo(module, cfg, facts, values, *from, *before, entry);
  entry.stable.set();
  const auto written = [&](uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; ++i)
      for (const RegAccess &access : inst(i).accesses)
        for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d)
          entry.stable.reset(access.reg.first.index + d);
  };
  written(*before, block.last);
  for (const uint32_t b : loop.blocks)
    written(cfg.blocks[b].first, cfg.blocks[b].last);
  return entry;
}

std::optional<LoopEntry> placeIn(const Module &module, const Cfg &cfg, uint32_t block, uint32_t end,
                                 const FunctionFacts &facts, verify::BlockValues &values) {
  const Block &b = cfg.blocks[block];
  const auto inst = [&](uint32_t i) -> const Instruction & { return module.instructions()[i]; };
  bool isLive = false;
  for (const uint32_t s : b.successors)
    isLive |= facts.liveScalars[s].test(kScc.index);
  std::optional<uint32_t> place;
  for (uint32_t i = b.last; i-- > b.first && !place;) {
    if (inst(i).writesUnit(kScc))
      isLive = false;
    if (inst(i).readsUnit(kScc))
      isLive = true;
    if (!isLive && i <= end && takesLineBefore(module, inst(i)) && !isInClause(module, b, i))
      place = i;
  }
  if (!place)
    return std::nullopt;
  LoopEntry entry;
  entry.instruction = *place;
  executeTo(module, cfg, facts, values, block, *place, entry);
  entry.stable.set();
  for (uint32_t i = *place; i < b.last; ++i)
    for (const RegAccess &access : inst(i).accesses)
      for (unsigned d = 0; d < access.reg.dwords && access.writes(); ++d)
        entry.stable.reset(access.reg.first.index + d);
  return entry;
}

bool isInClause(const Module &module, const Block &block, uint32_t instruction) {
  for (uint32_t i = block.first; i < instruction; ++i)
    if (module.instructions()[i].op == Op::s_clause &&
        instruction <= i + clauseLength(module.instructions()[i]))
      return true;
  return false;
}

} // namespace rdna
