#include "Analysis/Drains.h"

#include "Analysis/Dataflow.h"
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

namespace {

/// Does some way count before it drains?
struct CountsAhead : DataflowProblem<uint8_t, Direction::Backward> {
  /// Where the text ends without an end of the program nobody knows what comes.
  uint8_t boundary(uint32_t block) const { return cfg.blocks[block].successors.empty(); }
  void join(uint8_t &into, uint8_t from, Edge) const { into |= from; }
  void apply(uint32_t block, uint8_t &counts) const {
    forEach(block, [&](const Instruction &inst) {
      if (const Found found = look(inst); found != Found::Nothing)
        counts = found == Found::Counting;
    });
  }
};

} // namespace

std::vector<uint8_t> ldsDrainedNext(const Module &module, const Cfg &cfg) {
  if (!cfg.isComplete())
    return std::vector<uint8_t>(cfg.blocks.size(), 0);
  CountsAhead problem{{module, cfg}};
  std::vector<uint8_t> result = solve(cfg, problem).atStart;
  for (uint8_t &counts : result)
    counts = !counts;
  return result;
}

} // namespace rdna
