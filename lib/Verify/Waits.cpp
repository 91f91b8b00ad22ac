// Forward data flow over the registers that loads still owe. Source of the counters' order: ISA
// guide 5.6 and LLVM's SIInsertWaitcnts (FLAT keeps the order of LDS and of vector loads on gfx10
// and later; scalar loads and image samples come back in any order).

#include "Verify/Waits.h"

#include "Asm/Counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rdna::verify {

namespace {

constexpr uint8_t kNothing = 255;

/// Who owes a register, by class.
struct Pending {
  /// Least number of later operations of the same class on any path; kNothing if nothing is
  /// pending.
  std::array<uint8_t, kRegUnits> newer;
  std::array<uint32_t, kRegUnits> load; ///< The load that owes it, for messages.
  bool any = false;
  Pending() {
    newer.fill(kNothing);
    load.fill(0);
  }
};

struct PendingLoads {
  std::array<Pending, kWaitClasses> of;
  Pending &operator[](WaitClass cls) { return of[static_cast<size_t>(cls)]; }
};

bool isOrdered(unsigned cls) {
  const auto c = static_cast<WaitClass>(cls);
  return c != WaitClass::Scalar && c != WaitClass::Sampler;
}

/// Takes over what `from` owes; true if that is more than before.
bool merge(PendingLoads &into, const PendingLoads &from) {
  bool grown = false;
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    if (!from.of[cls].any)
      continue;
    into.of[cls].any = true;
    for (unsigned i = 0; i < kRegUnits; ++i)
      if (from.of[cls].newer[i] < into.of[cls].newer[i]) {
        into.of[cls].newer[i] = from.of[cls].newer[i];
        into.of[cls].load[i] = from.of[cls].load[i];
        grown = true;
      }
  }
  return grown;
}

void applyWait(PendingLoads &loads, const Wait &wait) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    Pending &pending = loads.of[cls];
    const auto atMost = wait.atMost[static_cast<size_t>(counterOf(static_cast<WaitClass>(cls)))];
    if (!pending.any || !atMost || (!isOrdered(cls) && *atMost != 0))
      continue;
    pending.any = false;
    for (uint8_t &newer : pending.newer) {
      if (newer == kNothing)
        continue;
      // An operation in flight counts together with all newer ones of its class.
      if (newer >= *atMost)
        newer = kNothing;
      else
        pending.any = true;
    }
  }
}

void issue(PendingLoads &loads, const Instruction &inst, const CounterEvents &events) {
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    if (!events.weight[cls])
      continue;
    Pending &pending = loads.of[cls];
    if (pending.any && isOrdered(cls))
      for (uint8_t &newer : pending.newer)
        if (newer < 64)
          ++newer;
    if (static_cast<WaitClass>(cls) == WaitClass::Store)
      continue;
    for (const RegAccess &access : inst.accesses)
      for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
        pending.any = true;
        pending.newer[access.reg.first.index + d] = 0;
        pending.load[access.reg.first.index + d] = inst.index;
      }
  }
}

void step(PendingLoads &loads, const Instruction &inst) {
  if (const auto wait = waitOf(inst)) {
    applyWait(loads, *wait);
    return;
  }
  // Whether the callee waits is not known here.
  if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64) {
    loads = {};
    return;
  }
  const CounterEvents events = counterEvents(inst);
  if (events.any())
    issue(loads, inst, events);
}

/// The first register that the instruction must not touch yet.
struct Violation {
  RegUnit unit;
  uint32_t load;
  WaitClass cls;
  bool isRead;
};

std::optional<Violation> violationOf(const Module &module, const PendingLoads &loads,
                                     const Instruction &inst) {
  const CounterEvents events = counterEvents(inst);
  // FLAT may come by way of LDS, in an order of its own against other vector loads.
  const auto isFlat = [&](uint32_t load) {
    return inst.unit == Unit::Flat || module.instructions()[load].unit == Unit::Flat;
  };
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    const Pending &pending = loads.of[cls];
    if (!pending.any)
      continue;
    for (const RegAccess &access : inst.accesses) {
      // Two loads of one class into one register arrive in order, and the second half of a D16 pair
      // keeps what the first one brings.
      const bool mayFollow = events.weight[cls] && isOrdered(cls) && access.writes();
      const bool keepsOld = events.weight[cls] && isOrdered(cls) && access.operand >= 0 &&
                            inst.operands[static_cast<size_t>(access.operand)].tiedTo >= 0;
      for (unsigned d = 0; d < access.reg.dwords; ++d) {
        const unsigned i = access.reg.first.index + d;
        if ((mayFollow || keepsOld) && !isFlat(pending.load[i]))
          continue;
        if (pending.newer[i] != kNothing)
          return Violation{RegUnit{static_cast<uint16_t>(i)}, pending.load[i],
                           static_cast<WaitClass>(cls), access.reads()};
      }
    }
  }
  return std::nullopt;
}

} // namespace

void checkWaits(const Module &module, const Cfg &cfg, std::vector<RuleFault> &findings) {
  const auto &insts = module.instructions();
  std::vector<std::unique_ptr<PendingLoads>> in(cfg.blocks.size());
  std::vector<uint8_t> queued(cfg.blocks.size(), 0);
  std::vector<uint32_t> work;
  for (uint32_t b = static_cast<uint32_t>(cfg.blocks.size()); b-- > 0;)
    if (cfg.blocks[b].predecessors.empty() || b == 0) {
      in[b] = std::make_unique<PendingLoads>();
      work.push_back(b);
      queued[b] = 1;
    }
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    queued[b] = 0;
    PendingLoads out = *in[b];
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i)
      step(out, insts[i]);
    for (const uint32_t successor : cfg.blocks[b].successors) {
      const bool isFirst = !in[successor];
      if (isFirst)
        in[successor] = std::make_unique<PendingLoads>();
      if ((merge(*in[successor], out) || isFirst) && !queued[successor]) {
        queued[successor] = 1;
        work.push_back(successor);
      }
    }
  }
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    if (!in[b])
      continue; // only reached from itself
    PendingLoads loads = *in[b];
    for (uint32_t i = cfg.blocks[b].first; i < cfg.blocks[b].last; ++i) {
      if (const auto violation = violationOf(module, loads, insts[i])) {
        static constexpr const char *kCounters[] = {"vmcnt", "vscnt", "lgkmcnt"};
        findings.push_back(
            {module.at(
                 insts[i],
                 fmt::format("{} is {} before a wait for the load of line {} that writes it ({})",
                             toString(violation->unit), violation->isRead ? "read" : "overwritten",
                             insts[violation->load].line,
                             kCounters[static_cast<size_t>(counterOf(violation->cls))])),
             "waits", i, cfg.functionIndex});
      }
      step(loads, insts[i]);
    }
  }
}

} // namespace rdna::verify
