// What the parts of a step with a tile are, and which registers they read and write.

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

UseUnits unitsOfUse(const Module &module, const Cfg &cfg, const TileLoop &tile) {
  UseUnits found;
  NeededUnits needed;
  for (const uint32_t i : tile.use(cfg)) {
    Units reads, writes;
    addUse(module, tile, i, &reads, &writes);
    if (tile.advancingHalf.contains(i))
      needed.add(reads, writes);
    else
      needed.add(module.instructions()[i], [](RegUnit) { return true; });
    found.written |= writes;
  }
  found.needed = needed.units();
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
