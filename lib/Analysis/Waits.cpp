#include "Analysis/Waits.h"

#include "Analysis/Dataflow.h"

#include <algorithm>

namespace rdna {

llvm::SmallVector<RegRange, 2> lateWrites(const Instruction &inst) {
  llvm::SmallVector<RegRange, 2> result;
  const bool late = isVmem(inst.unit) || inst.unit == Unit::Lds || inst.unit == Unit::Smem ||
                    inst.unit == Unit::Message;
  if (!late)
    return result;
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && access.operand >= 0)
      result.push_back(access.reg);
  return result;
}

std::optional<WaitCounts> waitCounts(const Instruction &inst) {
  if (inst.op != Op::s_waitcnt || inst.operands.empty() ||
      inst.operands[0].kind != Operand::Kind::Immediate)
    return std::nullopt;
  return decodeWait(static_cast<uint16_t>(inst.operands[0].imm));
}

/// What any wait, s_wait_idle as well, says of loads.
static WaitCounts loadCounts(const Instruction &inst) {
  WaitCounts counts;
  if (const auto wait = waitOf(inst)) {
    counts.vm = wait->atMost[static_cast<size_t>(WaitCounter::Vm)];
    counts.lgkm = wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)];
  }
  return counts;
}

std::optional<WaitCounts> loadWait(const Instruction &inst) {
  if (inst.op != Op::s_waitcnt_vmcnt && inst.op != Op::s_waitcnt_lgkmcnt)
    return waitCounts(inst);
  const WaitCounts counts = loadCounts(inst);
  return counts.any() ? std::optional(counts) : std::nullopt;
}

WaitCounts plannedCounts(const WaitPlan &plan, const Instruction &inst) {
  if (inst.op != Op::s_waitcnt)
    return loadCounts(inst);
  const auto it = plan.find(inst.index);
  return it == plan.end() ? WaitCounts() : it->second;
}

bool isInOrder(WaitClass cls) { return cls != WaitClass::Scalar && cls != WaitClass::Sampler; }

std::optional<unsigned> &countOf(WaitCounts &counts, WaitClass cls) {
  return counterOf(cls) == WaitCounter::Vm ? counts.vm : counts.lgkm;
}

bool isLdsOperation(const Instruction &inst) { return counterEvents(inst)[WaitClass::Lds] != 0; }

bool isCall(const Instruction &inst) {
  return inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64;
}

WaitState::WaitState() {
  for (Ages &ages : younger_.of)
    ages.fill(kDone);
}

WaitState WaitState::unknown() {
  WaitState state;
  for (unsigned unit = 0; unit < RegUnit::scalar(108).index; ++unit) { // No load writes the others.
    state.outside_.set(unit);
    for (const WaitClass cls : kLoadClasses)
      state.younger_[cls][unit] = 0;
  }
  state.younger_[WaitClass::Lds][kLdsStore] = 0;
  state.smem_ = state.samples_ = true;
  return state;
}

bool WaitState::isPending(unsigned unit) const {
  return std::any_of(younger_.of.begin(), younger_.of.end(),
                     [unit](const Ages &ages) { return ages[unit] != kDone; });
}

std::bitset<256> WaitState::pendingVgprs() const {
  std::array<uint8_t, 256> pending{}; // Asked behind every instruction: all registers at once.
  for (const Ages &ages : younger_.of)
    for (size_t unit = 0; unit < pending.size(); ++unit)
      pending[unit] |= ages[unit] ^ kDone;
  std::bitset<256> vgprs;
  for (size_t unit = 0; unit < vgprs.size(); ++unit)
    if (pending[unit] != 0 && !outside_.test(unit))
      vgprs.set(unit);
  return vgprs;
}

void WaitState::touch(const Instruction &inst) {
  if (!isOpen())
    return;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (const size_t unit = access.reg.first.index + d; outside_.test(unit)) {
        outside_.reset(unit);
        for (Ages &ages : younger_.of)
          ages[unit] = kDone;
      }
}

void WaitState::step(const Instruction &inst) { step(inst, loadCounts(inst)); }

void WaitState::step(const Instruction &inst, const WaitCounts &counts) {
  if (isCall(inst)) {
    *this = unknown();
    return;
  }
  touch(inst);
  wait(counts);
  issue(inst, lateWrites(inst));
}

void WaitState::issue(const Instruction &inst, llvm::ArrayRef<RegRange> written) {
  const CounterEvents events = counterEvents(inst);
  for (const WaitClass cls : kLoadClasses) {
    if (!events[cls])
      continue;
    for (uint8_t &age : younger_[cls])
      if (age < kOldest)
        ++age;
    for (const RegRange &range : written)
      for (unsigned d = 0; d < range.dwords; ++d) {
        const unsigned unit = range.first.index + d;
        younger_[cls][unit] = 0;
        outside_.reset(unit);
        flat_.set(unit, inst.unit == Unit::Flat);
      }
    ++(counterOf(cls) == WaitCounter::Vm ? vmCount_ : lgkmCount_).issued;
  }
  smem_ |= events[WaitClass::Scalar] != 0;
  samples_ |= events[WaitClass::Sampler] != 0;
  if (inst.unit == Unit::Lds && events[WaitClass::Lds] && inst.memory != MemoryEffect::Load &&
      inst.memory != MemoryEffect::None)
    younger_[WaitClass::Lds][kLdsStore] = 0;
}

void WaitState::wait(WaitCounts counts) {
  for (const WaitClass cls : kLoadClasses)
    if (const auto count = countOf(counts, cls); count && (isInOrder(cls) || *count == 0))
      for (uint8_t &age : younger_[cls])
        if (age != kDone && age >= *count)
          age = kDone;
  if (counts.vm && (*counts.vm == 0 || !samples_)) {
    vmCount_.wait(*counts.vm);
    samples_ &= *counts.vm != 0;
  }
  if (counts.lgkm && (*counts.lgkm == 0 || !smem_)) {
    lgkmCount_.wait(*counts.lgkm);
    smem_ &= *counts.lgkm != 0;
  }
  counted_ |=
      outside_.any() && ((counts.vm && *counts.vm > 0) || (counts.lgkm && *counts.lgkm > 0));
  for (unsigned unit = 0; outside_.any() && unit < kRegUnits; ++unit)
    if (!isPending(unit))
      outside_.reset(unit);
}

/// The weaker of a count already asked for and a new one is not enough: keep the smaller.
static void ask(std::optional<unsigned> &count, unsigned value) {
  count = count ? std::min(*count, value) : value;
}

WaitCounts WaitState::needed(llvm::ArrayRef<RegRange> registers) const {
  WaitCounts counts;
  for (const RegRange &range : registers)
    for (unsigned d = 0; d < range.dwords; ++d)
      for (const WaitClass cls : kLoadClasses)
        if (const uint8_t age = younger_[cls][range.first.index + d]; age != kDone)
          ask(countOf(counts, cls), isMixed(cls) ? 0 : std::min<unsigned>(age, kHighestCount));
  return counts;
}

WaitCounts WaitState::neededToMatch(const WaitState &other,
                                    const std::array<uint16_t, kRegUnits> &renamed) const {
  WaitCounts counts;
  for (const WaitClass cls : kLoadClasses)
    for (size_t slot = 0; slot < kSlots; ++slot) {
      const uint8_t mine = younger_[cls][slot < kRegUnits ? renamed[slot] : slot];
      const uint8_t theirs = other.younger_[cls][slot];
      if (mine == kDone || (theirs != kDone && mine >= theirs))
        continue;
      ask(countOf(counts, cls), isMixed(cls) ? 0 : std::min<unsigned>(mine, kHighestCount));
    }
  if (smem_ && !other.smem_)
    counts.lgkm = 0;
  if (vmCount_.inherited > other.vmCount_.inherited)
    ask(counts.vm, std::min(kHighestCount, other.vmCount_.inherited + vmCount_.issued));
  if (lgkmCount_.inherited > other.lgkmCount_.inherited)
    ask(counts.lgkm,
        smem_ ? 0 : std::min(kHighestCount, other.lgkmCount_.inherited + lgkmCount_.issued));
  return counts;
}

void WaitState::join(const WaitState &other) {
  smem_ |= other.smem_;
  samples_ |= other.samples_;
  counted_ |= other.counted_;
  flat_ |= other.flat_;
  // Pending by a load on one path and from outside on the other: there is a load to wait for.
  const auto isLoaded = [](const WaitState &state, unsigned unit) {
    return !state.outside_.test(unit) && state.isPending(unit);
  };
  if (outside_.any() || other.outside_.any())
    for (unsigned unit = 0; unit < kRegUnits; ++unit)
      outside_.set(unit, (outside_.test(unit) || other.outside_.test(unit)) &&
                             !isLoaded(*this, unit) && !isLoaded(other, unit));
  for (const WaitClass cls : kLoadClasses)
    for (size_t slot = 0; slot < kSlots; ++slot) // kDone is the largest
      younger_[cls][slot] = std::min(younger_[cls][slot], other.younger_[cls][slot]);
}

namespace {

struct Waits : DataflowProblem<WaitState, Direction::Forward> {
  const WaitPlan *plan; ///< What waits in the place of the text's s_waitcnt, if that is known.

  WaitState boundary(uint32_t block) const {
    const Function &function = module.functions()[cfg.functionIndex];
    return block == 0 && function.entry == Function::Entry::Unknown ? WaitState::unknown()
                                                                    : WaitState();
  }
  void join(WaitState &into, const WaitState &from, Edge) const { into.join(from); }
  void apply(uint32_t block, WaitState &state) const {
    forEach(block, [&](const Instruction &inst) {
      plan ? state.step(inst, plannedCounts(*plan, inst)) : state.step(inst);
    });
  }
};

} // namespace

std::vector<WaitState> computeWaits(const Module &module, const Cfg &cfg) {
  Waits problem{{module, cfg}, nullptr};
  return solve(cfg, problem).atStart;
}

std::vector<WaitState> computeWaits(const Module &module, const Cfg &cfg, const WaitPlan &plan) {
  Waits problem{{module, cfg}, &plan};
  return solve(cfg, problem).atStart;
}

} // namespace rdna
