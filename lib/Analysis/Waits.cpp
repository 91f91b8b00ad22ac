#include "Analysis/Waits.h"

#include "Analysis/Dataflow.h"
#include "Analysis/LoadWait.h"
#include "Asm/Counters.h"

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

std::optional<WaitCounts> loadWait(const Instruction &inst) {
  if (inst.op != Op::s_waitcnt_vmcnt && inst.op != Op::s_waitcnt_lgkmcnt)
    return waitCounts(inst);
  WaitCounts counts;
  if (const auto wait = waitOf(inst)) {
    counts.vm = wait->atMost[static_cast<size_t>(WaitCounter::Vm)];
    counts.lgkm = wait->atMost[static_cast<size_t>(WaitCounter::Lgkm)];
  }
  return counts.any() ? std::optional(counts) : std::nullopt;
}

WaitState WaitState::unknown() {
  WaitState state;
  state.outside_.set();
  for (unsigned i = RegUnit::scalar(108).index; i < kRegUnits; ++i)
    state.outside_.reset(i); // No load writes them.
  for (size_t i = 0; i < kRegUnits; ++i)
    if (state.outside_.test(i))
      state.vm_[i] = state.lgkm_[i] = 0;
  state.lgkm_[kLdsStore] = 0;
  state.smem_ = state.images_ = true;
  return state;
}

void WaitState::touch(const Instruction &inst) {
  if (outside_.none() || counted_)
    return;
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords; ++d)
      if (const size_t i = access.reg.first.index + d; outside_.test(i)) {
        outside_.reset(i);
        vm_[i] = lgkm_[i] = kDone;
      }
}

void WaitState::push(std::array<uint8_t, kSlots> &ages) {
  for (uint8_t &age : ages)
    if (age < kOldest)
      ++age;
}

void WaitState::issue(const Instruction &inst, llvm::ArrayRef<RegRange> written) {
  const auto owe = [&](std::array<uint8_t, kSlots> &ages) {
    push(ages);
    for (const RegRange &range : written)
      for (unsigned d = 0; d < range.dwords; ++d) {
        ages[range.first.index + d] = 0;
        outside_.reset(range.first.index + d);
      }
  };
  switch (inst.unit) {
  case Unit::Lds:
    owe(lgkm_);
    ++lgkmCount_.issued;
    if (inst.memory == MemoryEffect::Store || inst.memory == MemoryEffect::Atomic ||
        inst.memory == MemoryEffect::AtomicReturn)
      lgkm_[kLdsStore] = 0;
    break;
  case Unit::Smem:
  case Unit::Message:
    owe(lgkm_);
    ++lgkmCount_.issued;
    smem_ = true;
    break;
  case Unit::Flat:
    owe(lgkm_);
    ++lgkmCount_.issued;
    [[fallthrough]];
  case Unit::Global:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    // Stores and atomics without result bump vscnt, which owes no register.
    if (inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn) {
      owe(vm_);
      ++vmCount_.issued;
      images_ |= inst.unit == Unit::Image;
    }
    break;
  default:
    break;
  }
}

void WaitState::wait(const WaitCounts &counts) {
  const auto clear = [](std::array<uint8_t, kSlots> &ages, unsigned count) {
    for (uint8_t &age : ages)
      if (age != kDone && age >= count)
        age = kDone;
  };
  // Samples come back in an order of their own.
  if (counts.vm && (*counts.vm == 0 || !images_)) {
    clear(vm_, *counts.vm);
    vmCount_.wait(*counts.vm);
    images_ &= *counts.vm != 0;
  }
  if (counts.lgkm && (*counts.lgkm == 0 || !smem_)) {
    clear(lgkm_, *counts.lgkm);
    lgkmCount_.wait(*counts.lgkm);
    if (*counts.lgkm == 0)
      smem_ = false;
  }
  counted_ |=
      outside_.any() && ((counts.vm && *counts.vm > 0) || (counts.lgkm && *counts.lgkm > 0));
  for (size_t i = 0; outside_.any() && i < kRegUnits; ++i)
    if (vm_[i] == kDone && lgkm_[i] == kDone)
      outside_.reset(i);
}

/// The weaker of a count already asked for and a new one is not enough: keep the smaller.
static void ask(std::optional<unsigned> &count, unsigned value) {
  count = count ? std::min(*count, value) : value;
}

WaitCounts WaitState::needed(llvm::ArrayRef<RegRange> registers) const {
  WaitCounts counts;
  for (const RegRange &range : registers)
    for (unsigned d = 0; d < range.dwords; ++d) {
      const size_t slot = range.first.index + d;
      if (vm_[slot] != kDone)
        ask(counts.vm, images_ ? 0 : std::min<unsigned>(vm_[slot], 62));
      if (lgkm_[slot] != kDone)
        ask(counts.lgkm, smem_ ? 0 : std::min<unsigned>(lgkm_[slot], 62));
    }
  return counts;
}

WaitCounts WaitState::neededToMatch(const WaitState &other,
                                    const std::array<uint16_t, kRegUnits> &renamed) const {
  WaitCounts counts;
  const auto match = [&](const std::array<uint8_t, kSlots> &mine,
                         const std::array<uint8_t, kSlots> &theirs, std::optional<unsigned> &count,
                         bool outOfOrder) {
    for (size_t slot = 0; slot < kSlots; ++slot) {
      const size_t here = slot < kRegUnits ? renamed[slot] : slot;
      if (mine[here] == kDone || (theirs[slot] != kDone && mine[here] >= theirs[slot]))
        continue;
      ask(count, outOfOrder ? 0 : std::min<unsigned>(mine[here], 62));
    }
  };
  match(vm_, other.vm_, counts.vm, images_);
  match(lgkm_, other.lgkm_, counts.lgkm, smem_);
  if (smem_ && !other.smem_)
    counts.lgkm = 0;
  if (vmCount_.inherited > other.vmCount_.inherited)
    ask(counts.vm, std::min(62u, other.vmCount_.inherited + vmCount_.issued));
  if (lgkmCount_.inherited > other.lgkmCount_.inherited)
    ask(counts.lgkm, smem_ ? 0 : std::min(62u, other.lgkmCount_.inherited + lgkmCount_.issued));
  return counts;
}

void WaitState::join(const WaitState &other) {
  smem_ |= other.smem_;
  images_ |= other.images_;
  counted_ |= other.counted_;
  // Pending by a load on one path and from outside on the other: there is a load to wait for.
  const auto isPending = [](const WaitState &state, size_t i) {
    return (state.vm_[i] != kDone || state.lgkm_[i] != kDone) && !state.outside_.test(i);
  };
  if (outside_.any() || other.outside_.any())
    for (size_t i = 0; i < kRegUnits; ++i) {
      const bool outside = (outside_.test(i) || other.outside_.test(i)) && !isPending(*this, i) &&
                           !isPending(other, i);
      outside_.set(i, outside);
    }
  for (size_t slot = 0; slot < kSlots; ++slot) { // kDone is the largest
    vm_[slot] = std::min(vm_[slot], other.vm_[slot]);
    lgkm_[slot] = std::min(lgkm_[slot], other.lgkm_[slot]);
  }
}

void WaitState::step(const Instruction &inst) {
  touch(inst);
  if (const auto counts = loadWait(inst))
    wait(*counts);
  else if (inst.op == Op::s_swappc_b64 || inst.op == Op::s_call_b64)
    *this = unknown();
  else
    issue(inst, lateWrites(inst));
}

namespace {

class Waits {
public:
  using State = WaitState;
  static constexpr Direction direction = Direction::Forward;

  Waits(const Module &module, const Cfg &cfg) : module_(module), cfg_(cfg) {}
  WaitState boundary(uint32_t block) const {
    const Function &function = module_.functions()[cfg_.functionIndex];
    return block == 0 && function.entry == Function::Entry::Unknown ? WaitState::unknown()
                                                                    : WaitState();
  }
  void join(WaitState &into, const WaitState &from, Edge) const { into.join(from); }
  void apply(uint32_t block, WaitState &state) const {
    for (uint32_t i = cfg_.blocks[block].first; i < cfg_.blocks[block].last; ++i)
      state.step(module_.instructions()[i]);
  }

private:
  const Module &module_;
  const Cfg &cfg_;
};

} // namespace

std::vector<WaitState> computeWaits(const Module &module, const Cfg &cfg) {
  Waits problem(module, cfg);
  return solve(cfg, problem).atStart;
}

} // namespace rdna
