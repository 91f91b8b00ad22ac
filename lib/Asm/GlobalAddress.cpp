#include "Asm/GlobalAddress.h"

namespace rdna {

std::optional<GlobalAddress> globalAddress(const Instruction &inst) {
  if (inst.unit != Unit::Global || inst.memory == MemoryEffect::None ||
      opName(inst.op).find("addtid") != std::string_view::npos)
    return std::nullopt;
  GlobalAddress address;
  std::optional<unsigned> vector, offset;
  for (unsigned k = 0; k < inst.operands.size(); ++k) {
    const Operand &operand = inst.operands[k];
    if (operand.cls == Operand::Class::Control && !offset &&
        operand.kind == Operand::Kind::Immediate)
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

} // namespace rdna
