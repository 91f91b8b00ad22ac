#include "Verify/LdsPlaces.h"

#include "Asm/LdsOffsets.h"
#include "Isa/OpTraits.h"

#include <fmt/format.h>

#include <bit>

namespace rdna::verify {

const Operand &ldsAddress(const Instruction &inst) {
  return inst.operands[static_cast<size_t>(ldsAddressOperand(inst))];
}

std::optional<Footprint> ldsFootprint(const KnownValues &values, const Instruction &inst,
                                      unsigned field, LanesOn lanes,
                                      llvm::ArrayRef<uint32_t> within) {
  const LdsOffsets offsets = ldsOffsets(inst);
  const Operand &address = ldsAddress(inst);
  if ((!values.knowsExec() && lanes == LanesOn::Known) || !address.isReg() ||
      !address.reg.first.isVgpr())
    return std::nullopt;
  const int64_t offset = offsets.fields == 1
                             ? inst.value(OperandName::Offset)
                             : inst.value(field == 0 ? OperandName::Offset0 : OperandName::Offset1);
  Footprint result{opTraits(inst.op).memory.bytes, {}};
  for (unsigned item = 0; item < values.items(); ++item) {
    if (values.knowsExec() && !values.isActive(item))
      continue;
    const unsigned wave = item / KnownValues::kLanes, lane = item % KnownValues::kLanes;
    if (!within.empty() && ((within[within.size() == 1 ? 0 : wave] >> lane) & 1) == 0)
      continue;
    const auto base = values.at(address.reg.first, item);
    if (!base)
      return std::nullopt;
    result.starts.emplace_back(item, *base + static_cast<uint32_t>(offset) * offsets.unit);
  }
  return result;
}

std::optional<std::string> ldsRangeFault(const Footprint &footprint, const Instruction &inst,
                                         uint32_t declared, const char *text) {
  // Whether LDS accesses may be unaligned is a setting of the machine.
  const unsigned alignment = std::has_single_bit(footprint.bytes) ? footprint.bytes : 4;
  for (const auto &[item, start] : footprint.starts) {
    if (uint64_t(start) + footprint.bytes > declared)
      return fmt::format("line {} of the {} accesses LDS at byte {}, outside of the {} bytes that "
                         "are declared",
                         inst.line, text, start, declared);
    if (start % alignment != 0)
      return fmt::format("line {} of the {} accesses {} bytes of LDS at byte {}, which is not "
                         "aligned",
                         inst.line, text, footprint.bytes, start);
  }
  return std::nullopt;
}

} // namespace rdna::verify
