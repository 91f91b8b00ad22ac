#include "Asm/GlobalAddress.h"

#include "Asm/Print.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

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

/// From LLVM's spelling of it, because there are many others ("[v4,v5]", "offset: 8", comments
/// between operands).
std::optional<std::string> printGlobalAccess(const Module &module, const Instruction &inst,
                                             unsigned vgpr, unsigned pair, int64_t offset) {
  const GlobalAddress address = *globalAddress(inst);
  // Another register than it has, so that it is spelt anew.
  const RegRange was = inst.operands[address.vector].reg;
  const unsigned other = was.first.index == 0 ? 2 : 0;
  const auto text = printRenamed(module, inst, [&](const Operand &operand, int index, Vgpr old) {
    return index == int(address.vector)
               ? Vgpr{static_cast<uint8_t>(other + old.number - operand.reg.first.index)}
               : old;
  });
  if (!text)
    return std::nullopt;
  const std::string vector =
      toString(RegRange{RegUnit::vgpr(other), was.dwords, Half::Whole}) + ", ";
  const std::string base =
      address.base ? toString(inst.operands[*address.base].reg) : std::string("off");
  const bool hasResult = address.vector > 0;
  const size_t at = text->find(vector, hasResult ? text->find(',') : 0);
  const size_t from = at == std::string::npos ? at : text->find(base, at + vector.size());
  if (from == std::string::npos)
    return std::nullopt;
  std::string tail = text->substr(from + base.size());
  if (const size_t old = tail.find(" offset:"); old != std::string::npos)
    tail.erase(old, std::min(tail.find(' ', old + 1), tail.size()) - old);
  return fmt::format("{}v{}, {}s[{}:{}]{}{}", text->substr(0, at), vgpr,
                     text->substr(at + vector.size(), from - at - vector.size()), pair, pair + 1,
                     offset ? fmt::format(" offset:{}", offset) : "", tail);
}

} // namespace rdna
