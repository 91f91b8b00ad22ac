// Integer arithmetic, 32 and 64 bits wide, so that an address is the same value however a compiler
// or a pass puts it together.

#include "Symbolic/Machine.h"

#include <algorithm>

namespace rdna::verify {
namespace {

/// The sources, unless a modifier or a control (clamp) changes what the operation is.
std::optional<llvm::SmallVector<const Operand *, 4>> plainSources(const Instruction &inst) {
  llvm::SmallVector<const Operand *, 4> sources;
  for (const Operand &operand : inst.operands)
    switch (operand.cls) {
    case Operand::Class::Def:
      break;
    case Operand::Class::Source:
      sources.push_back(&operand);
      break;
    case Operand::Class::Modifier:
    case Operand::Class::Control:
      if (operand.imm != 0 || operand.isReg())
        return std::nullopt;
      break;
    }
  return sources;
}

} // namespace

/// A 64-bit source: a pair of registers or an inline constant.
std::optional<Value> Machine::readWide(const Operand &operand) {
  if (operand.kind == Operand::Kind::Immediate)
    return operand.imm >= -16 && operand.imm <= 64
               ? std::optional(pool_.wideConstant(static_cast<uint64_t>(operand.imm)))
               : std::nullopt;
  llvm::SmallVector<Value, 2> halves;
  readOperand(operand, halves);
  if (halves.size() != 2)
    return std::nullopt;
  return pool_.wideOf(halves[0], halves[1]);
}

void Machine::writeWide(const Instruction &inst, Value value) {
  const Value low = pool_.lowOf(value), high = pool_.highOf(value);
  writePair(inst.operands[0].reg.first, low, high, inst);
}

/// What a VALU instruction writes besides its result: a carry.
void Machine::writeCarry(const Instruction &inst, Value value) {
  for (const RegAccess &access : inst.accesses)
    if (access.writes() && access.operand != 0 && !access.reg.first.isVgpr())
      write(access.reg.first, value, inst);
}

bool Machine::executeArithmetic(const Instruction &inst) {
  if (inst.op == Op::s_addk_i32) {
    const RegUnit unit = inst.operands[0].reg.first;
    const Value a = readFull(unit),
                b = pool_.constant(scalarImmediate(inst.op, inst.operands.back().imm));
    write(unit, pool_.sum(a, b), inst);
    write(kScc, pool_.apply("overflow", {std::min(a, b), std::max(a, b)}), inst);
    return true;
  }
  if (inst.isVopd() || inst.operands.empty() || !inst.operands[0].isReg() || inst.isDpp())
    return false;
  const auto sources = plainSources(inst);
  if (!sources)
    return false;
  const bool handled = inst.isValu() ? executeLaneArithmetic(inst, *sources)
                                     : executeScalarArithmetic(inst, *sources);
  return handled;
}

bool Machine::executeLaneArithmetic(const Instruction &inst,
                                    llvm::ArrayRef<const Operand *> sources) {
  const auto value = [&](unsigned n) { return readScalarOperand(*sources[n]); };
  const auto result = [&](Value v) {
    write(inst.operands[0].reg.first, v, inst);
    return true;
  };
  switch (inst.op) {
  case Op::v_add_nc_u32:
    return result(pool_.sum(value(0), value(1)));
  case Op::v_sub_nc_u32:
    return result(pool_.sum(value(0), pool_.negated(value(1))));
  case Op::v_subrev_nc_u32:
    return result(pool_.sum(value(1), pool_.negated(value(0))));
  case Op::v_add3_u32:
    return result(pool_.sum(pool_.sum(value(0), value(1)), value(2)));
  case Op::v_mul_lo_u32:
    return result(pool_.product(value(0), value(1)));
  case Op::v_mad_u32_u24: {
    const Value a = value(0), b = value(1);
    return result(
        pool_.sum(pool_.applyCommutative(pool_.signature("v_mul_u32_u24"), a, b, {}), value(2)));
  }
  case Op::v_mul_u32_u24:
    return result(pool_.applyCommutative(pool_.signature("v_mul_u32_u24"), value(0), value(1), {}));
  case Op::v_or_b32:
    return result(pool_.applyCommutative(pool_.signature("v_or_b32"), value(0), value(1), {}));
  case Op::v_lshlrev_b32:
    if (const auto amount = pool_.asConstant(value(0)))
      return result(pool_.shifted(value(1), *amount));
    return false;
  case Op::v_lshrrev_b32:
    if (pool_.asConstant(value(0)))
      return result(pool_.apply("v_lshrrev_b32", {value(0), value(1)}));
    return false;
  case Op::v_lshl_add_u32:
    if (const auto amount = pool_.asConstant(value(1)))
      return result(pool_.sum(pool_.shifted(value(0), *amount), value(2)));
    return false;
  case Op::v_add_lshl_u32:
    if (const auto amount = pool_.asConstant(value(2)))
      return result(pool_.shifted(pool_.sum(value(0), value(1)), *amount));
    return false;
  case Op::v_ashrrev_i32:
    if (pool_.asConstant(value(0)) == 31)
      return result(pool_.signOf(value(1)));
    return false;
  case Op::v_mul_hi_u32:
    return result(pool_.highOf(
        pool_.wideProduct(pool_.zeroExtended(value(0)), pool_.zeroExtended(value(1)))));
  default:
    return executeLaneCarries(inst, sources);
  }
}

/// Numbers of 64 bits, and additions that carry.
bool Machine::executeLaneCarries(const Instruction &inst, llvm::ArrayRef<const Operand *> sources) {
  const auto value = [&](unsigned n) { return readScalarOperand(*sources[n]); };
  const auto result = [&](Value v) { write(inst.operands[0].reg.first, v, inst); };
  switch (inst.op) {
  case Op::v_lshlrev_b64:
    if (const auto amount = pool_.asConstant(value(0)))
      if (const auto wide = readWide(*sources[1])) {
        writeWide(inst, pool_.wideProduct(*wide, pool_.wideConstant(1ull << (*amount & 63))));
        return true;
      }
    return false;
  case Op::v_mad_u64_u32:
  case Op::v_mad_i64_i32: {
    const auto addend = readWide(*sources[2]);
    if (!addend)
      return false;
    const Value a = value(0), b = value(1);
    const bool isSigned = inst.op == Op::v_mad_i64_i32;
    const Value product = isSigned
                              ? pool_.wideProduct(pool_.signExtended(a), pool_.signExtended(b))
                              : pool_.wideProduct(pool_.zeroExtended(a), pool_.zeroExtended(b));
    const Value carry =
        pool_.apply(isSigned ? "carry-i64" : "carry-u64", {product, *addend, exec()});
    writeWide(inst, pool_.wideSum(product, *addend));
    writeCarry(inst, carry);
    return true;
  }
  case Op::v_add_co_u32: {
    const Value a = value(0), b = value(1), carry = pool_.carry(a, b, exec());
    result(pool_.sum(a, b));
    writeCarry(inst, carry);
    return true;
  }
  case Op::v_add_co_ci_u32: {
    const Value a = value(0), b = value(1);
    const Value carry = sources.size() > 2 ? value(2) : state_[kVccLo];
    const auto high = pool_.highOfSum(a, b, carry, exec());
    if (!high)
      return false;
    const Value carryOut = pool_.apply("carry-in", {std::min(a, b), std::max(a, b), carry, exec()});
    result(*high);
    writeCarry(inst, carryOut);
    return true;
  }
  default:
    return false;
  }
}

bool Machine::executeScalarArithmetic(const Instruction &inst,
                                      llvm::ArrayRef<const Operand *> sources) {
  const auto value = [&](unsigned n) { return readScalarOperand(*sources[n]); };
  const auto result = [&](Value v) { write(inst.operands[0].reg.first, v, inst); };
  switch (inst.op) {
  case Op::s_add_u32: {
    const Value a = value(0), b = value(1);
    result(pool_.sum(a, b));
    write(kScc, pool_.scalarCarry(a, b), inst);
    return true;
  }
  case Op::s_addc_u32: {
    const Value a = value(0), b = value(1), carry = state_[kScc];
    // Any other SCC is 0 or 1 as well.
    result(pool_.highOfScalarSum(a, b, carry).value_or(pool_.sum(pool_.sum(a, b), carry)));
    write(kScc, pool_.apply("scalar-carry-in", {std::min(a, b), std::max(a, b), carry}), inst);
    return true;
  }
  case Op::s_add_i32: {
    const Value a = value(0), b = value(1);
    result(pool_.sum(a, b));
    write(kScc, pool_.apply("overflow", {std::min(a, b), std::max(a, b)}), inst);
    return true;
  }
  case Op::s_sub_u32:
  case Op::s_sub_i32: {
    const Value a = value(0), b = value(1);
    result(pool_.sum(a, pool_.negated(b)));
    write(kScc,
          inst.op == Op::s_sub_u32 ? pool_.less(a, b, ExprPool::Order::Unsigned)
                                   : pool_.apply("overflow of difference", {a, b}),
          inst);
    return true;
  }
  case Op::s_mul_i32:
    result(pool_.product(value(0), value(1)));
    return true;
  case Op::s_mul_hi_u32:
    result(pool_.highOf(
        pool_.wideProduct(pool_.zeroExtended(value(0)), pool_.zeroExtended(value(1)))));
    return true;
  default:
    return executeScalarShifts(inst, sources);
  }
}

bool Machine::executeScalarShifts(const Instruction &inst,
                                  llvm::ArrayRef<const Operand *> sources) {
  const auto value = [&](unsigned n) { return readScalarOperand(*sources[n]); };
  const auto result = [&](Value v) { write(inst.operands[0].reg.first, v, inst); };
  const auto shiftedSum = [&](unsigned amount) {
    const Value a = value(0), b = value(1);
    const Value scc = pool_.apply("scalar-carry-shifted", {pool_.constant(amount), a, b});
    result(pool_.sum(pool_.shifted(a, amount), b));
    write(kScc, scc, inst);
    return true;
  };
  switch (inst.op) {
  case Op::s_lshl_b32:
    if (const auto amount = pool_.asConstant(value(1))) {
      const Value shifted = pool_.shifted(value(0), *amount);
      result(shifted);
      write(kScc, pool_.nonzero(shifted), inst);
      return true;
    }
    return false;
  case Op::s_ashr_i32:
    if (pool_.asConstant(value(1)) == 31) {
      const Value sign = pool_.signOf(value(0));
      result(sign);
      write(kScc, pool_.nonzero(sign), inst);
      return true;
    }
    return false;
  case Op::s_lshl_b64:
    if (const auto amount = pool_.asConstant(value(1)))
      if (const auto wide = readWide(*sources[0])) {
        const Value shifted = pool_.wideProduct(*wide, pool_.wideConstant(1ull << (*amount & 63)));
        writeWide(inst, shifted);
        write(kScc, pool_.apply("nonzero64", {shifted}), inst);
        return true;
      }
    return false;
  case Op::s_lshl1_add_u32:
    return shiftedSum(1);
  case Op::s_lshl2_add_u32:
    return shiftedSum(2);
  case Op::s_lshl3_add_u32:
    return shiftedSum(3);
  case Op::s_lshl4_add_u32:
    return shiftedSum(4);
  default:
    return false;
  }
}

} // namespace rdna::verify
