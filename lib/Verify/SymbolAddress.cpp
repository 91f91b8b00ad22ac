#include "Verify/SymbolAddress.h"

namespace rdna::verify {

static bool updatesInPlace(const Instruction &inst, RegUnit unit) {
  return inst.operands.size() == 3 && inst.operands[0].isReg() && inst.operands[1].isReg() &&
         inst.operands[0].reg == RegRange{unit, 1, Half::Whole} &&
         inst.operands[1].reg == inst.operands[0].reg &&
         inst.operands[2].kind == Operand::Kind::Expression;
}

static unsigned placeOf(Op op) {
  return op == Op::s_getpc_b64 ? 0 : op == Op::s_add_u32 ? 1 : op == Op::s_addc_u32 ? 2 : 3;
}

std::optional<SymbolAddress> symbolAddressAt(const Module &module, const Instruction &inst) {
  const auto &all = module.instructions();
  const unsigned place = placeOf(inst.op);
  if (place == 3 || inst.index < place || inst.index - place + 2 >= all.size())
    return std::nullopt;
  const Instruction &getPc = all[inst.index - place];
  const Instruction &low = all[getPc.index + 1], &high = all[getPc.index + 2];
  if (getPc.op != Op::s_getpc_b64 || low.op != Op::s_add_u32 || high.op != Op::s_addc_u32)
    return std::nullopt;
  const RegUnit first = getPc.operands[0].reg.first;
  const RegUnit second{static_cast<uint16_t>(first.index + 1)};
  if (!updatesInPlace(low, first) || !updatesInPlace(high, second) || low.sizeBytes != 8)
    return std::nullopt;
  for (const std::string_view kind : {"@rel32", "@gotpcrel32"}) {
    const auto base = [&](const Instruction &sum, std::string_view ending) -> std::string_view {
      const std::string_view text = sum.operands[2].symbol;
      if (!text.ends_with(ending))
        return {};
      const std::string_view symbol = text.substr(0, text.size() - ending.size());
      return symbol.ends_with(kind) ? symbol : std::string_view{};
    };
    const std::string_view symbol = base(low, "@lo+4");
    if (!symbol.empty() && symbol == base(high, "@hi+12"))
      return SymbolAddress{symbol, symbol.substr(0, symbol.size() - kind.size()), place, first};
  }
  return std::nullopt;
}

} // namespace rdna::verify
