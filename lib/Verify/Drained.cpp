#include "Verify/Drained.h"

#include "Asm/Counters.h"

#include <vector>

namespace rdna::verify {

static bool isDrain(const Instruction &inst) {
  const auto wait = waitOf(inst);
  return inst.unit == Unit::End ||
         (wait && wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)] == 0U);
}

/// Nobody can tell from it how many LDS operations are in flight.
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

namespace {
enum class Way { Drains, Counts, GoesOn };
} // namespace

static Way wayThrough(const Module &module, uint32_t from, uint32_t end) {
  for (uint32_t i = from; i < end; ++i) {
    const Instruction &inst = module.instructions()[i];
    if (isDrain(inst))
      return Way::Drains;
    if (!isIndifferent(inst))
      return Way::Counts;
  }
  return Way::GoesOn;
}

bool isLdsDrainedNext(const Module &module, const Cfg &cfg, uint32_t instruction) {
  if (!cfg.isComplete())
    return false;
  struct Piece {
    uint32_t block, from;
  };
  std::vector<Piece> open{{cfg.blockOf(instruction), instruction}};
  std::vector<uint8_t> isQueued(cfg.blocks.size(), 0);
  // A way that goes around forever counts nothing.
  while (!open.empty()) {
    const Piece piece = open.back();
    open.pop_back();
    const Block &block = cfg.blocks[piece.block];
    const Way way = wayThrough(module, piece.from, block.last);
    if (way == Way::Counts || (way == Way::GoesOn && block.successors.empty()))
      return false;
    if (way == Way::Drains)
      continue;
    for (const uint32_t next : block.successors)
      if (!isQueued[next]) {
        isQueued[next] = 1;
        open.push_back({next, cfg.blocks[next].first});
      }
  }
  return true;
}

} // namespace rdna::verify
