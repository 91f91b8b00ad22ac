#include "Verify/Outstanding.h"

#include "Asm/Effects.h"

#include <bit>

namespace rdna::verify {

uint8_t OutstandingCounts::Class::most() const { return static_cast<uint8_t>(std::bit_width(any)); }

uint8_t OutstandingCounts::Class::sinceOutside() const {
  return outside == 0 ? 0 : static_cast<uint8_t>(std::countr_zero(outside));
}

OutstandingCounts OutstandingCounts::unknown() {
  OutstandingCounts result;
  for (unsigned cls = 0; cls < kWaitClasses; ++cls)
    // Stores write no registers, so who left them does not matter.
    result.of[cls] = {~0ull, ~0ull, ~0ull,
                      static_cast<WaitClass>(cls) == WaitClass::Store ? 0 : ~0ull};
  return result;
}

static void wait(OutstandingCounts::Class &mine, WaitClass cls, unsigned atMost) {
  const bool inOrder = cls != WaitClass::Scalar && cls != WaitClass::Sampler;
  if (atMost >= OutstandingCounts::kMany || (!inOrder && atMost != 0))
    return; // Any of them may be what is left.
  const uint64_t left = (1ull << atMost) - 1;
  for (uint64_t *bits : {&mine.any, &mine.flag, &mine.sync, &mine.outside})
    *bits &= left;
}

void OutstandingCounts::step(const Instruction &inst, bool isFlag) {
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64) {
    *this = unknown();
    return;
  }
  if (const auto waited = waitOf(inst)) {
    for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
      const auto kind = static_cast<WaitClass>(cls);
      if (const auto atMost = waited->atMost[static_cast<size_t>(counterOf(kind))])
        wait(of[cls], kind, *atMost);
    }
    return;
  }
  const CounterEvents events = counterEvents(inst);
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    if (!events.weight[cls])
      continue;
    Class &mine = of[cls];
    const auto push = [](uint64_t &bits, bool isNew) {
      bits = (bits << 1) | (bits & (1ull << (kMany - 1))) | uint64_t(isNew);
    };
    push(mine.any, true);
    push(mine.flag, isFlag || isSynchronising(inst));
    push(mine.sync, isSynchronising(inst));
    push(mine.outside, false);
  }
}

void OutstandingCounts::join(const OutstandingCounts &other) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    of[cls].any |= other.of[cls].any;
    of[cls].flag |= other.of[cls].flag;
    of[cls].sync |= other.of[cls].sync;
    of[cls].outside |= other.of[cls].outside;
  }
}

std::vector<OutstandingCounts> computeOutstanding(const Module &module, const Cfg &cfg,
                                                  const std::vector<uint8_t> &flags) {
  std::vector<OutstandingCounts> in(cfg.blocks.size());
  if (cfg.blocks.empty())
    return in;
  if (module.functions()[cfg.functionIndex].entry != Function::Entry::Launch)
    in[0] = OutstandingCounts::unknown();
  const uint32_t first = cfg.blocks.front().first;
  std::vector<uint8_t> isQueued(cfg.blocks.size(), 1);
  std::vector<uint32_t> work;
  for (uint32_t b = static_cast<uint32_t>(cfg.blocks.size()); b-- > 0;)
    work.push_back(b); // Taken from the back, so the entry comes first.
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    isQueued[b] = 0;
    OutstandingCounts state = in[b];
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      state.step(module.instructions()[i], flags[i - first]);
    for (const uint32_t successor : cfg.blocks[b].successors) {
      OutstandingCounts met = in[successor];
      met.join(state);
      if (met == in[successor])
        continue;
      in[successor] = met;
      if (!isQueued[successor]) {
        isQueued[successor] = 1;
        work.push_back(successor);
      }
    }
  }
  return in;
}

} // namespace rdna::verify
