#include "Analysis/InFlight.h"

#include "Analysis/Dataflow.h"
#include "Asm/Effects.h"

#include <algorithm>

namespace rdna {

InFlight InFlight::unknown() {
  InFlight result;
  result.of.fill({kMany, true, true});
  return result;
}

static void applyWait(InFlight &state, const Wait &wait) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    const auto atMost = wait.atMost[static_cast<size_t>(counterOf(static_cast<WaitClass>(cls)))];
    if (!atMost)
      continue;
    InFlight::Class &mine = state.of[cls];
    mine.most = static_cast<uint8_t>(std::min<unsigned>(mine.most, *atMost));
    mine.mayFlag &= mine.most > 0;
    mine.maySync &= mine.most > 0;
  }
}

static void issue(InFlight &state, const Instruction &inst, bool mayFlag) {
  const CounterEvents events = counterEvents(inst);
  const auto more = [](uint8_t count) {
    return static_cast<uint8_t>(std::min<unsigned>(count + 1u, InFlight::kMany));
  };
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    if (!events.weight[cls])
      continue;
    InFlight::Class &mine = state.of[cls];
    mine.most = more(mine.most);
    mine.mayFlag |= mayFlag || isSynchronising(inst);
    mine.maySync |= isSynchronising(inst);
  }
}

static void step(InFlight &state, const Instruction &inst, bool mayFlag) {
  if (const auto wait = waitOf(inst))
    applyWait(state, *wait);
  else if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64)
    state = InFlight::unknown();
  else
    issue(state, inst, mayFlag);
}

namespace {

struct Operations : DataflowProblem<InFlight, Direction::Forward> {
  const std::vector<uint8_t> &flags;

  /// Nothing is in flight when a kernel starts.
  InFlight boundary(uint32_t block) const {
    const Function &function = module.functions()[cfg.functionIndex];
    return block == 0 && function.entry == Function::Entry::Unknown ? InFlight::unknown()
                                                                    : InFlight();
  }
  void join(InFlight &into, const InFlight &from, Edge) const {
    for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
      into.of[cls].most = std::max(into.of[cls].most, from.of[cls].most);
      into.of[cls].mayFlag |= from.of[cls].mayFlag;
      into.of[cls].maySync |= from.of[cls].maySync;
    }
  }
  void apply(uint32_t block, InFlight &state) const {
    forEach(block, [&](const Instruction &inst) {
      step(state, inst, flags[inst.index - cfg.blocks.front().first]);
    });
  }
};

} // namespace

std::vector<InFlight> computeInFlight(const Module &module, const Cfg &cfg,
                                      const std::vector<uint8_t> &flags) {
  Operations problem{{module, cfg}, flags};
  return solve(cfg, problem).atStart;
}

} // namespace rdna
