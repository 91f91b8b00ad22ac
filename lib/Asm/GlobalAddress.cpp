#include "Asm/GlobalAddress.h"

#include "Isa/OpTraits.h"
#include <algorithm>

namespace rdna {

std::optional<GlobalAddress> globalAddress(const Instruction &inst) {
  if (inst.unit != Unit::Global || inst.memory == MemoryEffect::None ||
      opTraits(inst.op).memory.address == AddressForm::AddThreadId)
    return std::nullopt;
  GlobalAddress address;
  std::optional<unsigned> vector, offset;
  for (unsigned k = 0; k < inst.operands.size(); ++k) {
    const Operand &operand = inst.operands[k];
    if (operand.name == OperandName::Offset)
      offset = k;
    if (operand.cls != Operand::Class::Source || !operand.isReg())
      continue;
    if (!operand.reg.first.isVgpr())
      address.base = k;
    else if (!vector) // It stands before the data.
      vector = k;
  }
  if (!vector || !offset || inst.operands[*vector].reg.dwords != (address.base ? 1 : 2))
    return std::nullopt;
  if (address.base && inst.operands[*address.base].reg.dwords != 2)
    return std::nullopt;
  address.vector = *vector;
  address.offset = *offset;
  return address;
}

std::optional<ScalarAddress> scalarAddress(const Instruction &inst) {
  const Operand *offset = inst.named(OperandName::Offset);
  const MemoryTraits &memory = opTraits(inst.op).memory;
  if (inst.unit != Unit::Smem || memory.kind != MemoryKind::Load ||
      memory.address != AddressForm::Plain || !offset)
    return std::nullopt;
  std::optional<unsigned> base;
  for (unsigned k = 0; k < inst.operands.size(); ++k) {
    const Operand &operand = inst.operands[k];
    if (operand.cls != Operand::Class::Source)
      continue;
    if (base || !operand.isReg() || operand.reg.dwords != 2)
      return std::nullopt; // an offset in a register
    base = k;
  }
  if (!base)
    return std::nullopt;
  return ScalarAddress{*base, static_cast<unsigned>(offset - inst.operands.begin())};
}

} // namespace rdna
