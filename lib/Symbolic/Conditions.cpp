// Comparisons of scalars in one form: "less" of the two orders and "is zero" of a difference, each
// perhaps inverted.

#include "Symbolic/Machine.h"

#include "Isa/OpTraits.h"

#include <limits>

namespace rdna::verify {
namespace {

struct Range {
  uint32_t least, greatest;
};
Range rangeOf(ExprPool::Order order) {
  return order == ExprPool::Order::Unsigned ? Range{0, ~0u} : Range{0x80000000, 0x7fffffff};
}

} // namespace

std::optional<llvm::SmallVector<Value, 3>> ExprPool::madeBy(Signature head, Value value) const {
  if (!isApply(value, head))
    return std::nullopt;
  const auto values = args(nodes_[value]);
  return llvm::SmallVector<Value, 3>(values.begin(), values.end());
}

Value ExprPool::inverse(Value truth) {
  if (const auto bits = asConstant(truth))
    return constant(*bits == 0);
  const Signature head = signature("not");
  if (const auto inner = madeBy(head, truth))
    return inner->front();
  return apply(head, {truth});
}

Value ExprPool::isZero(Value value) {
  if (const auto bits = asConstant(value))
    return constant(*bits == 0);
  // x - y is zero exactly if y - x is.
  return apply("is-zero", {std::min(value, negated(value))});
}

Value ExprPool::less(Value a, Value b, Order order) {
  const Range range = rangeOf(order);
  const auto left = asConstant(a), right = asConstant(b);
  if (a == b || left == range.greatest || right == range.least)
    return constant(0);
  if (left && right)
    return constant(order == Order::Unsigned
                        ? *left < *right
                        : static_cast<int32_t>(*left) < static_cast<int32_t>(*right));
  if (left) // A constant stands on the right.
    return inverse(less(b, constant(*left + 1), order));
  if (order == Order::Unsigned && right == 1U)
    return isZero(a);
  return apply(order == Order::Unsigned ? "less-u32" : "less-i32", {a, b});
}

Value ExprPool::choose(Value truth, Value ifTrue, Value ifFalse) {
  if (ifTrue == ifFalse)
    return ifTrue;
  if (const auto bits = asConstant(truth))
    return *bits ? ifTrue : ifFalse;
  if (const auto inner = madeBy(signature("not"), truth))
    return choose(inner->front(), ifFalse, ifTrue);
  return apply("choose", {truth, ifTrue, ifFalse});
}

/// s_cmp_*_i32/u32, their K forms and s_cselect_b32.
bool Machine::executeCondition(const Instruction &inst) {
  llvm::SmallVector<Value, 2> sources;
  for (const Operand &operand : inst.operands) {
    if (operand.cls == Operand::Class::Def)
      continue;
    if (operand.isReg() && operand.reg.dwords != 1)
      return false;
    sources.push_back(operand.kind == Operand::Kind::Immediate
                          ? pool_.constant(scalarImmediate(inst.op, operand.imm))
                          : readScalarOperand(operand));
  }
  if (inst.op == Op::s_cselect_b32 && sources.size() == 2) {
    write(inst.operands[0].reg.first, pool_.choose(state_[kScc], sources[0], sources[1]), inst);
    return true;
  }
  const OpTraits &traits = opTraits(inst.op);
  if (!isScalarCompare(inst.op) || sources.size() != 2 || traits.source.bits != 32)
    return false;
  const bool isSigned = traits.source.kind == ElementType::Kind::Signed;
  const auto order = isSigned ? ExprPool::Order::Signed : ExprPool::Order::Unsigned;
  const Value a = sources[0], b = sources[1];
  Value truth = 0;
  bool isInverse = false;
  switch (traits.comparison.relation) {
  case Relation::Unequal:
    isInverse = true;
    [[fallthrough]];
  case Relation::Equal:
    truth = pool_.isZero(pool_.sum(a, pool_.negated(b)));
    break;
  case Relation::GreaterEqual:
    isInverse = true;
    [[fallthrough]];
  case Relation::Less:
    truth = pool_.less(a, b, order);
    break;
  case Relation::LessEqual:
    isInverse = true;
    [[fallthrough]];
  case Relation::Greater:
    truth = pool_.less(b, a, order);
    break;
  default:
    return false;
  }
  write(kScc, isInverse ? pool_.inverse(truth) : truth, inst);
  return true;
}

} // namespace rdna::verify
