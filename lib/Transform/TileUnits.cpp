// What the parts of a step with a tile are, and which registers they read and write.

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"
#include "Asm/Lane.h"
#include "Transform/TileCounters.h"
#include "Transform/TileLoop.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna {

std::vector<uint32_t> TileLoop::use(const Cfg &cfg) const {
  std::vector<uint32_t> found;
  const auto add = [&](uint32_t b) {
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      if (isInUse(cfg, i))
        found.push_back(i);
  };
  for (const uint32_t b : useBlocks)
    if (b != latch)
      add(b);
  add(latch);
  return found;
}

bool TileLoop::isInUse(const Cfg &cfg, uint32_t instruction) const {
  const uint32_t block = cfg.blockOf(instruction);
  if ((path.blocks.contains(block) || llvm::is_contained(path.allWays, block)) &&
      (block != cfg.blockOf(filled) || instruction <= filled))
    return false;
  return instruction != branch &&
         (!advance.contains(instruction) || advancingHalf.contains(instruction));
}

void addUse(const Module &module, const TileLoop &tile, uint32_t instruction, Units *reads,
            Units *writes) {
  const Instruction &inst = module.instructions()[instruction];
  const auto half = tile.advancingHalf.find(instruction);
  if (half == tile.advancingHalf.end())
    addUnits(inst, reads, writes);
  else
    addUnits(laneOps(inst)[1 - half->second], reads, writes);
}

void addAdvance(const Module &module, const TileLoop &tile, uint32_t instruction, Units *reads,
                Units *writes) {
  const Instruction &inst = module.instructions()[instruction];
  const auto half = tile.advancingHalf.find(instruction);
  if (half == tile.advancingHalf.end())
    addUnits(inst, reads, writes);
  else
    addUnits(laneOps(inst)[half->second], reads, writes);
}

namespace {
/// What every way from behind the stores' barrier has written; nothing for blocks elsewhere.
struct WrittenInUse : DataflowProblem<std::optional<NeededUnits::Written>, Direction::Forward> {
  const TileLoop &tile;

  bool isIn(uint32_t block) const { return llvm::is_contained(tile.useBlocks, block); }
  uint32_t first() const { return cfg.blockOf(tile.filled); }
  State boundary(uint32_t block) const {
    return block == first() ? State(NeededUnits::Written()) : std::nullopt;
  }
  void join(State &into, const State &from, Edge edge) const {
    if (!from || edge.to == first() || !isIn(edge.to))
      return;
    if (!into)
      into = from;
    for (size_t half = 0; half < into->size(); ++half)
      (*into)[half] &= (*from)[half];
  }
  void apply(uint32_t block, State &state) const {
    if (state)
      state = through(block, *state, nullptr).written();
  }
  /// Adds what it writes to `writes`, if that is wanted.
  NeededUnits through(uint32_t block, const NeededUnits::Written &before, Units *writes) const {
    NeededUnits units(before);
    forEach(block, [&](const Instruction &inst) {
      if (!tile.isInUse(cfg, inst.index))
        return;
      Units reads, written;
      addUse(module, tile, inst.index, &reads, &written);
      if (tile.advancingHalf.contains(inst.index))
        units.add(reads, written);
      else
        units.add(inst, [](RegUnit) { return true; });
      if (writes)
        *writes |= written;
    });
    return units;
  }
};
} // namespace

UseUnits unitsOfUse(const Module &module, const Cfg &cfg, const TileLoop &tile) {
  WrittenInUse problem{{module, cfg}, tile};
  const auto states = solve(cfg, problem);
  UseUnits found;
  for (const uint32_t block : tile.useBlocks)
    if (const auto &before = states.atStart[block])
      found.needed |= problem.through(block, *before, &found.written).units();
  return found;
}

Units neededByPath(const Module &module, const TilePath &path) {
  NeededUnits found;
  for (const uint32_t i : path.instructions) {
    const Instruction &inst = module.instructions()[i];
    found.add(inst, [&](RegUnit unit) { return !isHighOfAddend(inst, unit); });
  }
  Units needed = found.units();
  needed.reset(kExecLo.index);
  return needed;
}

} // namespace rdna
