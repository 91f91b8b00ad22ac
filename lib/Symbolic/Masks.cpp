// Lane masks and registers of which different lanes were written by different code: one form for
// each, however it came about. The rules, each for a reason that holds in every lane by itself:
//
//  1. and, or, xor and and-not of masks are these boolean functions of them (the pseudo-code of
//     S_AND_B32 and its kin is bitwise). Of masks that are one function the first that was made
//     stands for all.
//  2. The constants 0 and ~0 are no lane and all lanes; of any other value nothing is known but
//     that it is itself.
//  3. A vector comparison has no lane outside of the EXEC that it was made under (V_CMP writes 0
//     for inactive lanes): it is itself and EXEC.
//  4. A choice by a truth value chooses the same way in all lanes (SCC is one bit): by a mask that
//     is all lanes or none, and of which nothing else is known.
//  5. A register is parts: disjoint masks that cover all lanes, each with the value that is there.
//     A write under EXEC takes EXEC's lanes away from the others. Parts of the same value are one.
//     A read under EXEC sees what its parts have of EXEC; what it makes of it elsewhere nobody
//     looks at. What stands innermost, without a mask of its own, is for a register the part of
//     lanes that no mask has, and for what was read the oldest value.
//
// Whatever becomes too large is a mask of which only its name is known, or a register in the order
// in which it was written: less is shown equal then, and nothing more.

#include "Symbolic/Expr.h"

#include <algorithm>

namespace rdna::verify {

using Function = LaneFunctions::Function;
using Result = LaneFunctions::Result;

/// A register of more parts stays as it was written.
static constexpr size_t kMostParts = 12;
/// A mask is written out from its function if it asks at most so many variables.
static constexpr size_t kMostVariables = 12;

Function ExprPool::functionOf(Value value) const {
  if (const auto it = functionOf_.find(value); it != functionOf_.end())
    return it->second;
  const Node &node = nodes_[value];
  if (node.kind == Kind::Constant && (node.head == 0 || node.head == ~0u))
    return node.head == 0 ? LaneFunctions::kNone : LaneFunctions::kAll;
  Function function = lanes_.atom(value);
  if (node.kind == Kind::Compare)
    if (const Result inside = lanes_.both(function, functionOf(args(node).back())))
      function = *inside;
  nameFunction(function, value);
  return function;
}

void ExprPool::nameFunction(Function function, Value value) const {
  functionOf_.try_emplace(value, function);
  maskOf_.try_emplace(function, value);
}

/// The mask of a function, if there is one already.
std::optional<Value> ExprPool::knownMask(Function function) {
  if (function == LaneFunctions::kNone || function == LaneFunctions::kAll)
    return constant(function == LaneFunctions::kNone ? 0 : ~0u);
  const auto it = maskOf_.find(function);
  return it == maskOf_.end() ? std::nullopt : std::optional(it->second);
}

/// `made` is how it is written; a mask that was made before and is the same function comes first.
Value ExprPool::named(Result function, llvm::function_ref<Value()> made) {
  if (function)
    if (const auto known = knownMask(*function))
      return *known;
  const Value value = made();
  if (function)
    nameFunction(*function, value);
  return value;
}

Value ExprPool::maskAnd(Value a, Value b) {
  return named(lanes_.both(functionOf(a), functionOf(b)),
               [&] { return applyCommutative(and_, a, b, {}); });
}
Value ExprPool::maskOr(Value a, Value b) {
  return named(lanes_.either(functionOf(a), functionOf(b)),
               [&] { return applyCommutative(or_, a, b, {}); });
}
Value ExprPool::maskXor(Value a, Value b) {
  return named(lanes_.differing(functionOf(a), functionOf(b)),
               [&] { return applyCommutative(xor_, a, b, {}); });
}
Value ExprPool::maskAndNot(Value a, Value b) {
  return named(lanes_.butNot(functionOf(a), functionOf(b)), [&] { return apply(andNot_, {a, b}); });
}
Value ExprPool::maskNot(Value a) { return maskXor(a, constant(~0u)); }

/// s_cselect_b32 of masks.
Value ExprPool::chooseMask(Value truth, Value ifTrue, Value ifFalse) {
  const Value value = choose(truth, ifTrue, ifFalse);
  const auto made = madeBy(signature("choose"), value);
  if (!made || functionOf_.count(value))
    return value;
  const Value which = choose((*made)[0], constant(~0u), constant(0));
  if (which == value)
    return value;
  if (const Result function =
          lanes_.choose(functionOf(which), functionOf((*made)[1]), functionOf((*made)[2])))
    nameFunction(*function, value);
  return value;
}

/// Writes a function out; nothing if it is too large.
std::optional<Value> ExprPool::maskFrom(Function function) {
  if (const auto known = knownMask(function))
    return known;
  if (lanes_.variablesOf(function).size() > kMostVariables)
    return std::nullopt;
  const auto [variable, ifSet, ifClear] = lanes_.decision(function);
  const auto set = maskFrom(ifSet), clear = maskFrom(ifClear);
  if (!set || !clear)
    return std::nullopt;
  const Value result = maskOr(maskAnd(variable, *set), maskAndNot(*clear, variable));
  // Of a comparison the function knows more than its variable says.
  maskOf_.try_emplace(function, result);
  return result;
}

bool ExprPool::isSubset(Value a, Value b) const {
  return a == b || lanes_.isWithin(functionOf(a), functionOf(b));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Adds what `value` has in the lanes `where`. Is that all?
bool ExprPool::addParts(Parts &parts, Value value, Function where) const {
  while (where != LaneFunctions::kNone && nodes_[value].kind == Kind::Select) {
    const auto arguments = args(nodes_[value]);
    const Function mask = functionOf(arguments[0]);
    const Result here = lanes_.both(where, mask), left = lanes_.butNot(where, mask);
    if (!here || !left || (*here != LaneFunctions::kNone && !addParts(parts, arguments[1], *here)))
      return false;
    where = *left;
    value = args(nodes_[value])[2];
  }
  if (where == LaneFunctions::kNone)
    return true;
  for (Part &part : parts)
    if (part.value == value) {
      const Result both = lanes_.either(part.lanes, where);
      part.lanes = both.value_or(part.lanes);
      return both.has_value();
    }
  parts.push_back({where, value});
  return parts.size() <= kMostParts;
}

/// One register of parts; `innermost` has no mask. Nothing if a mask is too large.
std::optional<Value> ExprPool::fromParts(Parts parts, const Part &innermost) {
  Value result = innermost.value;
  std::sort(parts.begin(), parts.end(),
            [](const Part &a, const Part &b) { return a.value < b.value; });
  for (const Part &part : parts) {
    if (part.value == innermost.value)
      continue;
    const auto mask = maskFrom(part.lanes);
    if (!mask)
      return std::nullopt;
    result = intern(Kind::Select, 0, 0, {*mask, part.value, result});
  }
  return result;
}

Value ExprPool::within(Value value, Value exec) {
  return nodes_[value].kind == Kind::Select ? inLanes(value, functionOf(exec)) : value;
}

Value ExprPool::outside(Value value, Value exec) {
  if (nodes_[value].kind != Kind::Select)
    return value;
  const Result others = lanes_.complement(functionOf(exec));
  return others ? inLanes(value, *others) : value;
}

Value ExprPool::inLanes(Value value, Function lanes) {
  while (nodes_[value].kind == Kind::Select) {
    const auto arguments = args(nodes_[value]);
    const Function mask = functionOf(arguments[0]);
    if (lanes_.isWithin(lanes, mask))
      value = arguments[1];
    else if (lanes_.isDisjoint(lanes, mask))
      value = arguments[2];
    else
      break;
  }
  if (nodes_[value].kind != Kind::Select)
    return value;
  Parts parts;
  if (!addParts(parts, value, lanes) || parts.empty())
    return value;
  const Part oldest = *std::min_element(
      parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.value < b.value; });
  return fromParts(parts, oldest).value_or(value);
}

Value ExprPool::select(Value exec, Value active, Value inactive) {
  active = within(active, exec);
  if (active == inactive || within(inactive, exec) == active) // A write of what is there.
    return inactive;
  const Function lanes = functionOf(exec);
  const Result others = lanes_.complement(lanes);
  Parts parts;
  if (others && addParts(parts, active, lanes) && addParts(parts, inactive, *others))
    for (const Part &part : parts)
      if (lanes_.holdsOfNone(part.lanes))
        if (const auto value = fromParts(parts, part))
          return *value;
  return intern(Kind::Select, 0, 0, {exec, active, outside(inactive, exec)});
}

} // namespace rdna::verify
