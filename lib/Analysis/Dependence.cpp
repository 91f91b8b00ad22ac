#include "Analysis/Dependence.h"

namespace rdna {

Footprint &Footprint::add(const Instruction &inst) {
  for (const RegAccess &access : inst.accesses)
    for (unsigned d = 0; d < access.reg.dwords && !access.reg.first.isNull(); ++d) {
      const size_t unit = access.reg.first.index + d;
      if (access.reads())
        reads.set(unit);
      if (access.writes())
        writes.set(unit);
    }
  return *this;
}

bool areOrdered(const Footprint &earlier, const Footprint &later) {
  return (earlier.writes & (later.reads | later.writes)).any() ||
         (earlier.reads & later.writes).any();
}

bool isTimingHint(const Instruction &inst) {
  switch (inst.op) {
  case Op::s_setprio:
  case Op::s_sleep:
  case Op::s_nop:
  case Op::s_set_inst_prefetch_distance:
  case Op::s_clause:
  case Op::s_delay_alu:
    return true;
  default:
    return false;
  }
}

bool isSchedulingBarrier(const Instruction &inst) {
  if (inst.isTerminator() || inst.op == Op::unknown || inst.writesUnit(kExecLo) ||
      inst.writesUnit(kExecHi) || inst.writesUnit(kMode))
    return true;
  switch (inst.unit) {
  case Unit::Message:
  case Unit::Other:
    return true;
  case Unit::Control:
    return !isTimingHint(inst);
  default:
    break;
  }
  switch (inst.op) {
  case Op::s_getpc_b64: // Code addresses count bytes.
  case Op::s_getreg_b32:
  case Op::s_setreg_b32:
  case Op::s_setreg_imm32_b32:
    return true;
  default:
    return false;
  }
}

bool isMemoryFence(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Barrier:
  case Unit::Message:
  case Unit::Other:
    return true;
  case Unit::Wait:
    // Compilers wait for stores where they release them to other waves.
    return inst.op == Op::s_waitcnt_vscnt || inst.op == Op::s_wait_idle;
  default: // Cache operations.
    return (isVmem(inst.unit) || inst.unit == Unit::Smem) && inst.memory == MemoryEffect::None;
  }
}

void DependenceGraph::order(uint32_t earlier, uint32_t later) {
  if (earlier != later)
    before_[later].insert(earlier);
}

void DependenceGraph::order(llvm::ArrayRef<uint32_t> earlier, uint32_t later) {
  for (const uint32_t node : earlier)
    order(node, later);
}

void DependenceGraph::read(uint32_t node, Value value) {
  History &history = values_[value];
  order(history.writers, node);
  history.readers.push_back(node);
}

void DependenceGraph::write(uint32_t node, Value value) {
  History &history = values_[value];
  order(history.readers, node);
  order(history.writers, node);
  history.readers.clear();
  history.writers.assign(1, node);
}

void DependenceGraph::replace(uint32_t node, Value other) {
  const History &history = values_[other];
  order(history.readers, node);
  order(history.writers, node);
}

std::array<bool, DependenceGraph::kSpaces> DependenceGraph::spacesOf(const Instruction &inst) {
  const bool isFlat = inst.unit == Unit::Flat, isLds = inst.unit == Unit::Lds;
  return {isFlat || isLds, isFlat || !isLds, isFlat || inst.unit == Unit::Scratch};
}

void DependenceGraph::access(uint32_t node, const Instruction &inst) {
  if (inst.memory == MemoryEffect::None)
    return;
  const std::array<bool, kSpaces> spaces = spacesOf(inst);
  for (size_t space = 0; space < kSpaces; ++space) {
    if (!spaces[space])
      continue;
    History &history = memory_[space];
    order(history.writers, node);
    if (inst.memory == MemoryEffect::Load) {
      history.readers.push_back(node);
      continue;
    }
    order(history.readers, node);
    history.readers.clear();
    history.writers.assign(1, node);
  }
}

void DependenceGraph::add(uint32_t node) {
  if (barrier_)
    order(*barrier_, node);
  sinceBarrier_.push_back(node);
}

void DependenceGraph::barrier(uint32_t node) {
  order(sinceBarrier_, node);
  sinceBarrier_.assign(1, node);
  barrier_ = node;
}

} // namespace rdna
