#include "Analysis/Pressure.h"

#include "Analysis/Liveness.h"

namespace rdna {

std::vector<uint16_t> vgprPressure(const Module &module, const Cfg &cfg) {
  const Function &function = module.functions()[cfg.functionIndex];
  std::vector<uint16_t> inUse(function.last - function.first, 0);
  const Liveness liveness = computeLiveness(module, cfg);
  for (uint32_t block = 0; block < cfg.blocks.size(); ++block) {
    const Block &code = cfg.blocks[block];
    if (!code.reachable)
      continue;
    LiveWalk walk(liveness, block);
    for (uint32_t index = code.last; index-- > code.first;) {
      const Instruction &inst = module.instructions()[index];
      const VgprSet written = vgprWrites(inst);
      walk.stepOver(inst);
      inUse[index - function.first] = static_cast<uint16_t>((walk.live() | written).count());
    }
  }
  return inUse;
}

} // namespace rdna
