#include "Verify/Drained.h"

#include "Asm/Counters.h"

#include <algorithm>

namespace rdna::verify {

static bool isDrain(const Instruction &inst) {
  const auto wait = waitOf(inst);
  return inst.unit == Unit::End ||
         (wait && wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)] == 0U);
}

/// Nobody can tell from it how many LDS operations are under way.
static bool isIndifferent(const Instruction &inst) {
  if (const auto wait = waitOf(inst))
    return !wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)] &&
           !wait->atMost[static_cast<size_t>(WaitCounter::Vs)];
  switch (inst.unit) {
  case Unit::Valu:
  case Unit::Trans:
  case Unit::Salu:
  case Unit::Smem:
  case Unit::Lds:
  case Unit::Wait:
  case Unit::Control:
    return true;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    return inst.memory != MemoryEffect::None; // else it is about caches
  case Unit::Branch:
    return !inst.isSetPc() && inst.op != Op::s_swappc_b64 && inst.op != Op::s_call_b64;
  default:
    return false;
  }
}

static bool isDrained(const Module &module, const Cfg &cfg, uint32_t block, uint32_t from,
                      unsigned branches) {
  for (uint32_t i = from; i < cfg.blocks[block].last; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (isDrain(inst))
      return true;
    if (!isIndifferent(inst))
      return false;
  }
  const auto &successors = cfg.blocks[block].successors;
  return branches > 0 && !successors.empty() &&
         std::all_of(successors.begin(), successors.end(), [&](uint32_t next) {
           return isDrained(module, cfg, next, cfg.blocks[next].first, branches - 1);
         });
}

bool isLdsDrainedNext(const Module &module, const Cfg &cfg, uint32_t instruction) {
  return cfg.isComplete() && isDrained(module, cfg, cfg.blockOf(instruction), instruction, 8);
}

} // namespace rdna::verify
