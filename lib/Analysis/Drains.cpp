#include "Analysis/Drains.h"

#include "Asm/Counters.h"

namespace rdna {

namespace {
enum class Found : uint8_t { Drain, Counting, Nothing };
} // namespace

static Found look(const Instruction &inst) {
  if (const auto wait = waitOf(inst)) {
    if (const auto count = wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)])
      return *count == 0 ? Found::Drain : Found::Counting;
    const bool releases = wait->atMost[static_cast<size_t>(WaitCounter::Vs)].has_value();
    return releases ? Found::Counting : Found::Nothing;
  }
  switch (inst.unit) {
  case Unit::End:
    return Found::Drain;
  case Unit::Barrier:
  case Unit::Message:
  case Unit::Other:
    return Found::Counting;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
    return inst.memory == MemoryEffect::None ? Found::Counting : Found::Nothing; // cache operations
  case Unit::Branch:
    switch (inst.op) {
    case Op::s_setpc_b64:
      return inst.isJump() ? Found::Nothing : Found::Counting;
    case Op::s_swappc_b64:
    case Op::s_call_b64:
      return Found::Counting;
    default:
      return Found::Nothing;
    }
  default:
    return Found::Nothing;
  }
}

bool drainsLdsNext(const Module &module, const Cfg &cfg, uint32_t instruction) {
  if (!cfg.isComplete())
    return false;
  std::vector<uint8_t> seen(cfg.blocks.size(), 0);
  std::vector<uint32_t> work;
  const auto walk = [&](uint32_t block, uint32_t from) {
    for (uint32_t i = from; i < cfg.blocks[block].last; ++i)
      if (const Found found = look(module.instructions()[i]); found != Found::Nothing)
        return found == Found::Drain;
    for (const uint32_t successor : cfg.blocks[block].successors)
      if (!seen[successor]) {
        seen[successor] = 1;
        work.push_back(successor);
      }
    return !cfg.blocks[block].successors.empty();
  };
  if (!walk(cfg.blockOf(instruction), instruction))
    return false;
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    if (!walk(block, cfg.blocks[block].first))
      return false;
  }
  return true;
}

} // namespace rdna
