#include "Analysis/Callees.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace rdna {

namespace {

/// Follows an address in SGPRs back to what makes it.
class Origin {
public:
  Origin(const Module &module, const Cfg &cfg) : module_(module), cfg_(cfg) {}

  /// The name behind the register as it is in front of instruction `before`.
  std::string nameOf(RegUnit reg, uint32_t before) const {
    for (unsigned steps = 0; steps < 8; ++steps) { // Copies and a load; longer chains are pointers.
      const std::optional<uint32_t> made = definition(reg, before);
      if (!made)
        return {};
      const Instruction &inst = module_.instructions()[*made];
      for (const Operand &operand : inst.operands)
        if (operand.kind == Operand::Kind::Expression)
          return llvm::StringRef(operand.symbol).split('@').first.str();
      const std::optional<RegUnit> from = copied(inst, reg);
      if (!from)
        return {};
      reg = *from;
      before = *made;
    }
    return {};
  }

private:
  /// The last write in the block, or else the only one of the function if it dominates.
  std::optional<uint32_t> definition(RegUnit reg, uint32_t before) const {
    const uint32_t block = cfg_.blockOf(before);
    for (uint32_t index = before; index > cfg_.blocks[block].first; --index)
      if (module_.instructions()[index - 1].writesUnit(reg))
        return index - 1;
    std::optional<uint32_t> only;
    const Function &function = module_.functions()[cfg_.functionIndex];
    for (uint32_t index = function.first; index < function.last; ++index) {
      if (!module_.instructions()[index].writesUnit(reg))
        continue;
      if (only)
        return std::nullopt;
      only = index;
    }
    if (only && cfg_.blockOf(*only) != block && cfg_.dominates(cfg_.blockOf(*only), block))
      return only;
    return std::nullopt;
  }

  /// What `reg` is a copy of, or the pointer that it is loaded through (an entry of the GOT).
  static std::optional<RegUnit> copied(const Instruction &inst, RegUnit reg) {
    const bool isMove = inst.op == Op::s_mov_b32 || inst.op == Op::s_mov_b64;
    if (!isMove && inst.op != Op::s_load_b64)
      return std::nullopt;
    RegUnit defined;
    for (const Operand &operand : inst.operands) {
      if (!operand.isReg())
        continue;
      if (operand.cls == Operand::Class::Def)
        defined = operand.reg.first;
      else
        return RegUnit{static_cast<uint16_t>(operand.reg.first.index +
                                             (isMove ? reg.index - defined.index : 0))};
    }
    return std::nullopt;
  }

  const Module &module_;
  const Cfg &cfg_;
};

} // namespace

std::vector<std::string> calleesOf(const Module &module, const Cfg &cfg) {
  const Origin origin(module, cfg);
  std::vector<std::string> names;
  for (const uint32_t call : cfg.calls) {
    std::string name;
    for (const Operand &operand : module.instructions()[call].operands)
      if (operand.kind == Operand::Kind::Expression)
        name = operand.symbol;
      else if (operand.isReg() && operand.cls == Operand::Class::Source)
        name = origin.nameOf(operand.reg.first, call);
    names.push_back(std::move(name));
  }
  return names;
}

} // namespace rdna
