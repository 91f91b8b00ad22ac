// What instructions do besides computing: the order that they keep for other waves, what they touch
// while the caller's loads may be in flight, and rules that they break. Compared where both sides
// meet.

#include "Verify/Drained.h"
#include "Verify/Exec.h"
#include "Verify/FlagLoads.h"
#include "Verify/FunctionProof.h"
#include "Verify/Segment.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::verify {

static Observed observe(const Module &module, const Cfg &cfg) {
  Observed observed;
  observed.flags = flagLoads(module, cfg);
  observed.mayBeEmpty = execMayBeEmpty(module, cfg);
  observed.first = cfg.blocks.empty() ? 0 : cfg.blocks.front().first;
  for (const Block &block : cfg.blocks)
    for (uint32_t i = block.first; i < block.last; ++i)
      if (readsExceptions(module.instructions()[i]))
        observed.exceptions = Observed::Exceptions::Read;
  return observed;
}

FunctionProof::FunctionProof(const Module &before, const Module &after, uint32_t function,
                             const Correspondence *claim, Proof &proof)
    : before_(before), after_(after), oldFunction_(before.functions()[function]),
      newFunction_(after.functions()[function]), cfg_(buildCfg(before, function)),
      newCfg_(buildCfg(after, function)), oldNeeds_(computeNeeds(before, cfg_)), claim_(claim),
      proof_(proof), oldObserved_(observe(before, cfg_)), newObserved_(observe(after, newCfg_)),
      outstanding_(computeOutstanding(before, cfg_, oldObserved_.flags)),
      hasChoices_(std::any_of(before.instructions().begin() + oldFunction_.first,
                              before.instructions().begin() + oldFunction_.last, isRelative)) {
  if (hasChoices_) {
    oldEarly_ = std::make_unique<EarlyTransResults>(before_, cfg_);
    newEarly_ = std::make_unique<EarlyTransResults>(after_, newCfg_);
  }
  oldObserved_.text = "the original";
  newObserved_.text = "the rewritten code";
  if (oldObserved_.exceptions == Observed::Exceptions::Read)
    newObserved_.exceptions = Observed::Exceptions::Read;
}

void OutsideLoads::touch(RegUnit unit) {
  if (!unit.isVgpr() && !unit.isSgpr() && unit != kVccLo && unit != kVccHi)
    return; // No load writes it.
  Left &left = touched[unit.index];
  // Scalar loads write SGPRs, all others VGPRs.
  for (unsigned cls = 0; cls < kWaitClasses; ++cls)
    if ((static_cast<WaitClass>(cls) == WaitClass::Scalar) != unit.isVgpr())
      left[cls] = std::max(left[cls], of[cls].left);
}

void OutsideLoads::observe(const Instruction &inst) {
  if (std::all_of(of.begin(), of.end(), [](const Class &c) { return c.left == 0; }))
    return;
  if (const auto wait = waitOf(inst)) {
    for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
      const auto atMost = wait->atMost[static_cast<size_t>(counterOf(static_cast<WaitClass>(cls)))];
      const bool inOrder = cls != static_cast<unsigned>(WaitClass::Scalar) &&
                           cls != static_cast<unsigned>(WaitClass::Sampler);
      if (!atMost || (!inOrder && *atMost != 0))
        continue;
      const unsigned left = *atMost > of[cls].since ? *atMost - of[cls].since : 0;
      of[cls].left = static_cast<uint8_t>(std::min<unsigned>(of[cls].left, left));
    }
    return;
  }
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      touch(RegUnit{static_cast<uint16_t>(access.reg.first.index + d)});
  const CounterEvents events = counterEvents(inst);
  for (unsigned cls = 0; cls < kWaitClasses; ++cls)
    if (events.weight[cls] && of[cls].since < OutstandingCounts::kMany)
      ++of[cls].since;
}

std::optional<RegUnit> OutsideLoads::earlierThan(const OutsideLoads &original) const {
  for (const auto &[unit, left] : touched) {
    const auto known = original.touched.find(unit);
    for (unsigned cls = 0; cls < kWaitClasses; ++cls)
      if (left[cls] > (known == original.touched.end() ? 0 : known->second[cls]))
        return RegUnit{unit};
  }
  return std::nullopt;
}

/// What may be in flight in the original in front of an instruction.
OutstandingCounts FunctionProof::outstandingAt(uint32_t instruction) const {
  const uint32_t block = cfg_.blockOf(instruction);
  OutstandingCounts state = outstanding_[block];
  for (uint32_t i = cfg_.blocks[block].first; i < instruction; ++i)
    state.step(before_.instructions()[i], oldObserved_.flags[i - oldObserved_.first]);
  return state;
}

/// A path goes on from a block's start, or from behind a call or a choice of registers.
void FunctionProof::startSegment(Path &path) const {
  const uint32_t at = path.before.at;
  const bool isBehindCall = at != cfg_.blocks[cfg_.blockOf(at)].first &&
                            before_.instructions()[at - 1].op == Op::s_swappc_b64;
  path.atStart = outstandingAt(at);
  for (unsigned cls = 0; cls < kWaitClasses; ++cls)
    if (const uint8_t most = path.atStart.of[cls].most(); most < OutstandingCounts::kMany)
      path.before.trace.pending[cls].inherited = path.after.trace.pending[cls].inherited = most;
  const bool isFirst = path.from != ~0u || path.before.at == oldFunction_.first;
  if (!isFirst && !isBehindCall)
    return; // What was known on the path still is.
  path.before.outside = path.after.outside = {};
  for (unsigned cls = 0; cls < kWaitClasses; ++cls) {
    const OutstandingCounts::Class &start = path.atStart.of[cls];
    // Both have issued the same since: while any of those from outside may be in flight, the lists
    // at a segment's end are the same.
    path.before.outside.of[cls] = path.after.outside.of[cls] = {
        start.outside ? OutstandingCounts::kMany : uint8_t(0), start.sinceOutside()};
  }
}

void FunctionProof::noteFaults(Side &side, const Instruction &inst,
                               const FaultsByInstruction *faults) {
  if (!faults)
    return;
  const auto [begin, end] = faults->equal_range(inst.index);
  if (begin == end)
    return;
  FaultEvent event{{}, {}, inst.index};
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; access.writes() && d < access.reg.dwords; ++d) {
      const RegUnit unit{static_cast<uint16_t>(access.reg.first.index + d)};
      event.results.push_back(unit.isVgpr() ? pool_.within(side.state[unit], side.state[kExecLo])
                                            : side.state[unit]);
    }
  if (event.results.empty() && inst.memory != MemoryEffect::None && !side.trace.sequence.empty())
    event.results.push_back(side.trace.sequence.back().first);
  if (event.results.empty()) {
    const Module &module = faults == oldFaults_ ? before_ : after_;
    event.results.push_back(pool_.symbol(module.instructionText(inst)));
  }
  std::sort(event.results.begin(), event.results.end());
  for (auto it = begin; it != end; ++it) {
    event.rule = it->second;
    side.trace.faults.push_back(event);
  }
}

void FunctionProof::execute(Machine &machine, Side &side, const Instruction &inst,
                            const FaultsByInstruction *faults) {
  side.outside.observe(inst);
  machine.execute(inst);
  noteFaults(side, inst, faults);
}

void FunctionProof::leave(Side &side, const Instruction &inst, const FaultsByInstruction *faults) {
  side.outside.observe(inst);
  noteFaults(side, inst, faults);
}

std::optional<Fault> FunctionProof::compareEvents(const Path &path) {
  const Trace &was = path.before.trace, &now = path.after.trace;
  const auto drainsLds = [&] { return isLdsDrainedNext(after_, newCfg_, path.after.at); };
  if (auto fault = compareSegments(pool_, was, now, path.after.last, drainsLds))
    return Fault{fault->instruction, fault->message};
  const bool isAssumed = claim_ && claim_->assumptions.contains(Assumption::NoSyncWithoutBarrier);
  if (auto fault = compareOrder(pool_, was, now, path.atStart,
                                isAssumed ? Ordering::SyncOnly : Ordering::Full))
    return Fault{fault->instruction, fault->message};
  if (const auto unit = path.after.outside.earlierThan(path.before.outside))
    return Fault{path.after.last,
                 fmt::format("{} is touched before a wait for what may be in flight where the "
                             "function is entered or a call returns",
                             toString(*unit))};
  std::vector<FaultEvent> known = was.faults;
  for (const FaultEvent &event : now.faults) {
    const auto it = std::find(known.begin(), known.end(), event);
    if (it == known.end()) {
      unexcused_.insert({event.instruction, event.rule});
      continue;
    }
    known.erase(it);
    excused_.insert({event.instruction, event.rule});
  }
  return std::nullopt;
}

} // namespace rdna::verify
