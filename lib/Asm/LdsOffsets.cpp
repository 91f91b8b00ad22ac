#include "Asm/LdsOffsets.h"

#include "Isa/OpTraits.h"

namespace rdna {

LdsOffsets ldsOffsets(const Instruction &inst) {
  const MemoryTraits &memory = opTraits(inst.op).memory;
  const bool moves = memory.kind == MemoryKind::Load || memory.kind == MemoryKind::Store;
  if (inst.unit != Unit::Lds || !moves)
    return {};
  switch (memory.address) {
  case AddressForm::Plain:
    return {1, 1, 0xffff};
  case AddressForm::Pair:
    return {2, memory.bytes, 0xff};
  case AddressForm::PairStride64:
    return {2, 64U * memory.bytes, 0xff};
  default:
    return {};
  }
}

int ldsAddressOperand(const Instruction &access) {
  size_t n = 0;
  while (n < access.operands.size() && access.operands[n].cls != Operand::Class::Source)
    ++n;
  return static_cast<int>(n);
}

} // namespace rdna
