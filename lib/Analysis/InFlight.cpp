#include "Analysis/InFlight.h"

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

static bool join(InFlight &into, const InFlight &from) {
  const InFlight old = into;
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    into.of[cls].most = std::max(into.of[cls].most, from.of[cls].most);
    into.of[cls].mayFlag |= from.of[cls].mayFlag;
    into.of[cls].maySync |= from.of[cls].maySync;
  }
  return !(into == old);
}

std::vector<InFlight> computeInFlight(const Module &module, const Cfg &cfg,
                                      const std::vector<uint8_t> &flags) {
  std::vector<InFlight> in(cfg.blocks.size());
  if (cfg.blocks.empty())
    return in;
  if (module.functions()[cfg.functionIndex].entry == Function::Entry::Unknown)
    in[0] = InFlight::unknown();
  const uint32_t first = cfg.blocks.front().first;
  std::vector<uint8_t> queued(cfg.blocks.size(), 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      if (!queued[b])
        continue;
      queued[b] = 0;
      InFlight state = in[b];
      for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
        step(state, module.instructions()[i], flags[i - first]);
      for (const uint32_t successor : cfg.blocks[b].successors)
        if (join(in[successor], state))
          queued[successor] = changed = true;
    }
  }
  return in;
}

} // namespace rdna
