// Scalar operations on constants: what counts a loop's iterations. Passes have an evaluation of
// their own (Analysis/ScalarFlow.h), so that a trip count is found twice. Comparisons fold where
// they are made (Conditions.cpp).

#include "Symbolic/Machine.h"

#include <algorithm>

namespace rdna::verify {
namespace {

struct Folded {
  uint32_t value = 0;
  std::optional<bool> scc; ///< Nothing: SCC stays as it is.
};

/// The exact result of an unsigned sum or difference, which wraps where it is no 32-bit number.
Folded wrapped(int64_t exact) {
  return {static_cast<uint32_t>(exact), exact < 0 || exact > int64_t(~0u)};
}
/// Of a signed one.
Folded overflowed(int64_t exact) {
  return {static_cast<uint32_t>(exact), exact != static_cast<int32_t>(exact)};
}
Folded bits(uint32_t value) { return {value, value != 0}; }

/// Of operations with one source `b` is 0.
std::optional<Folded> fold(Op op, uint32_t a, uint32_t b, std::optional<uint32_t> scc) {
  const int64_t wideA = a, wideB = b;
  const auto signedA = static_cast<int32_t>(a), signedB = static_cast<int32_t>(b);
  switch (op) {
  case Op::s_mov_b32:
  case Op::s_movk_i32:
    return Folded{a, std::nullopt};
  case Op::s_add_u32:
    return wrapped(wideA + wideB);
  case Op::s_sub_u32:
    return wrapped(wideA - wideB);
  case Op::s_addc_u32:
    return scc ? std::optional(wrapped(wideA + wideB + *scc)) : std::nullopt;
  case Op::s_subb_u32:
    return scc ? std::optional(wrapped(wideA - wideB - *scc)) : std::nullopt;
  case Op::s_add_i32:
  case Op::s_addk_i32:
    return overflowed(int64_t(signedA) + signedB);
  case Op::s_sub_i32:
    return overflowed(int64_t(signedA) - signedB);
  case Op::s_mul_i32:
  case Op::s_mulk_i32:
    return Folded{a * b, std::nullopt};
  case Op::s_not_b32:
    return bits(~a);
  case Op::s_and_b32:
    return bits(a & b);
  case Op::s_or_b32:
    return bits(a | b);
  case Op::s_xor_b32:
    return bits(a ^ b);
  case Op::s_lshl_b32:
    return bits(a << (b & 31));
  case Op::s_lshr_b32:
    return bits(a >> (b & 31));
  case Op::s_ashr_i32:
    return bits(static_cast<uint32_t>(signedA >> (b & 31)));
  case Op::s_min_u32:
    return Folded{std::min(a, b), a < b};
  case Op::s_max_u32:
    return Folded{std::max(a, b), a >= b};
  case Op::s_cselect_b32:
    return scc ? std::optional(Folded{*scc ? a : b, std::nullopt}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

bool Machine::executeConstants(const Instruction &inst) {
  if (inst.operands.empty() || inst.operands[0].cls != Operand::Class::Def ||
      inst.operands[0].reg.dwords != 1)
    return false;
  const RegUnit target = inst.operands[0].reg.first;
  if (target == kExecLo || target == kExecHi)
    return false; // What lanes are active keeps its form (isSubset).
  llvm::SmallVector<uint32_t, 2> sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    if (operand.kind == Operand::Kind::Immediate) {
      sources.push_back(scalarImmediate(inst.op, operand.imm));
      continue;
    }
    if (!operand.isReg() || operand.reg.dwords != 1 || operand.reg.first.isVgpr())
      return false;
    const auto known = operand.reg.first.isNull() ? std::optional<uint32_t>(0)
                                                  : pool_.asConstant(readScalarOperand(operand));
    if (!known)
      return false;
    sources.push_back(*known);
  }
  if (sources.empty() || sources.size() > 2)
    return false;
  const auto folded = fold(inst.op, sources[0], sources.size() == 2 ? sources[1] : 0,
                           pool_.asConstant(state_[kScc]));
  if (!folded)
    return false;
  if (!target.isNull())
    write(target, pool_.constant(folded->value), inst);
  if (folded->scc)
    write(kScc, pool_.constant(*folded->scc), inst);
  return true;
}

} // namespace rdna::verify
