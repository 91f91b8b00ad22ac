#include "Asm/Counters.h"

#include "Isa/OpTraits.h"
#include "Isa/WaitCounts.h"

#include <algorithm>

namespace rdna {

WaitCounter counterOf(WaitClass cls) {
  switch (cls) {
  case WaitClass::Vector:
  case WaitClass::Sampler:
    return WaitCounter::Vm;
  case WaitClass::Store:
    return WaitCounter::Vs;
  case WaitClass::Lds:
  case WaitClass::Scalar:
    break;
  }
  return WaitCounter::Lgkm;
}

bool CounterEvents::any() const {
  return std::any_of(weight.begin(), weight.end(), [](uint8_t w) { return w != 0; });
}

/// Samplers and ray queries return in an order of their own (ISA guide 8.2).
static bool isSampler(const Instruction &inst) { return opTraits(inst.op).is(OpFlag::Sampler); }

CounterEvents counterEvents(const Instruction &inst) {
  CounterEvents events;
  const auto add = [&](WaitClass cls, unsigned weight) {
    events.weight[static_cast<size_t>(cls)] = static_cast<uint8_t>(weight);
  };
  switch (inst.unit) {
  case Unit::Lds:
    if (inst.op != Op::ds_nop)
      add(WaitClass::Lds, 1);
    break;
  case Unit::Smem: {
    unsigned dwords = 0;
    for (const Operand &operand : inst.operands)
      if (operand.cls == Operand::Class::Def)
        dwords += operand.reg.dwords;
    add(WaitClass::Scalar, dwords >= 2 ? 2 : 1);
    break;
  }
  case Unit::Message:
    add(WaitClass::Scalar, inst.op == Op::s_sendmsg ? 1 : 2);
    break;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
  case Unit::Image:
    if (inst.memory == MemoryEffect::Load || inst.memory == MemoryEffect::AtomicReturn)
      add(isSampler(inst) ? WaitClass::Sampler : WaitClass::Vector, 1);
    else if (inst.memory == MemoryEffect::Store || inst.memory == MemoryEffect::Atomic)
      add(WaitClass::Store, 1);
    if (inst.unit == Unit::Flat)
      add(WaitClass::Lds, 1);
    break;
  default:
    break;
  }
  return events;
}

std::optional<Wait> waitOf(const Instruction &inst) {
  Wait wait;
  const auto set = [&](WaitCounter counter, std::optional<unsigned> count) {
    wait.atMost[static_cast<size_t>(counter)] = count;
  };
  const auto separate = [&](WaitCounter counter) {
    // With a register other than null the count is the register plus the immediate: unknown.
    if (inst.operands.size() == 2 && inst.operands[0].isReg() &&
        inst.operands[0].reg.first.isNull())
      set(counter, static_cast<unsigned>(inst.operands[1].imm) & 63);
  };
  switch (inst.op) {
  case Op::s_waitcnt: {
    if (inst.operands.empty() || inst.operands[0].kind != Operand::Kind::Immediate)
      return wait;
    const WaitCounts counts = decodeWait(static_cast<uint16_t>(inst.operands[0].imm));
    set(WaitCounter::Vm, counts.vm);
    set(WaitCounter::Lgkm, counts.lgkm);
    return wait;
  }
  case Op::s_waitcnt_vmcnt:
    separate(WaitCounter::Vm);
    return wait;
  case Op::s_waitcnt_vscnt:
    separate(WaitCounter::Vs);
    return wait;
  case Op::s_waitcnt_lgkmcnt:
    separate(WaitCounter::Lgkm);
    return wait;
  case Op::s_wait_idle:
    wait.atMost.fill(0);
    return wait;
  default:
    return std::nullopt;
  }
}

} // namespace rdna
