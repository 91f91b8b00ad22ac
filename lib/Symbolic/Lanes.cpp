//===- Lanes.cpp - what lane masks say of the lanes that they select ------===//
//
// A mask is looked at one lane at a time: there it is a truth value, made of others by and, or and
// exclusive or. That some masks cannot have a bit in common, or that one lies within others, is
// decided by taking such formulas apart until two parts contradict each other or a small number of
// ways is used up, after which nothing is known. No canonical form of masks is kept: few questions
// need one, and it would have to be that of every value that holds a mask.
//
//===----------------------------------------------------------------------===//
#include "Symbolic/Expr.h"

#include "llvm/ADT/STLExtras.h"

namespace rdna::verify {

namespace {
constexpr unsigned kWays = 64;      ///< That a question is followed on.
constexpr unsigned kConditions = 6; ///< By which the lanes of two values are told apart.
} // namespace

/// The rows of an operation's table that give this result, as far as rows differ; a single one
/// follows from it. None if nothing is known of the operation.
llvm::SmallVector<ExprPool::LaneWay, 2> ExprPool::waysOf(const LaneFact &fact) const {
  const Node &node = nodes_[fact.mask];
  const bool isSet = fact.isSet == Bit::Set;
  if (node.kind == Kind::Compare && isSet)
    return {{{args(node).back(), Bit::Set}}};
  if (node.kind != Kind::Apply)
    return {};
  const auto a = [&](Bit bit) { return LaneFact{args(node)[0], bit}; };
  const auto b = [&](Bit bit) { return LaneFact{args(node)[1], bit}; };
  if (node.head == and_)
    return isSet ? llvm::SmallVector<LaneWay, 2>{{a(Bit::Set), b(Bit::Set)}}
                 : llvm::SmallVector<LaneWay, 2>{{a(Bit::Clear)}, {b(Bit::Clear)}};
  if (node.head == andNot_)
    return isSet ? llvm::SmallVector<LaneWay, 2>{{a(Bit::Set), b(Bit::Clear)}}
                 : llvm::SmallVector<LaneWay, 2>{{a(Bit::Clear)}, {b(Bit::Set)}};
  if (node.head == or_)
    return isSet ? llvm::SmallVector<LaneWay, 2>{{a(Bit::Set)}, {b(Bit::Set)}}
                 : llvm::SmallVector<LaneWay, 2>{{a(Bit::Clear), b(Bit::Clear)}};
  if (node.head == xor_)
    return {{a(Bit::Set), b(isSet ? Bit::Clear : Bit::Set)},
            {a(Bit::Clear), b(isSet ? Bit::Set : Bit::Clear)}};
  return {};
}

/// The lanes that are left by what is known of a constant mask.
std::optional<uint32_t> ExprPool::constantLanes(const LaneFact &fact) const {
  const auto bits = asConstant(fact.mask);
  if (!bits)
    return std::nullopt;
  return fact.isSet == Bit::Set ? *bits : ~*bits;
}

bool ExprPool::isRefuted(const LaneFact &fact, llvm::ArrayRef<LaneFact> known) const {
  if (auto lanes = constantLanes(fact)) {
    for (const LaneFact &other : known)
      *lanes &= constantLanes(other).value_or(~0u);
    return *lanes == 0;
  }
  const LaneFact opposite{fact.mask, fact.isSet == Bit::Set ? Bit::Clear : Bit::Set};
  const Node &node = nodes_[fact.mask];
  const bool isFound = node.kind == Kind::Compare && fact.isSet == Bit::Set;
  return llvm::is_contained(known, opposite) ||
         (isFound && isRefuted({args(node).back(), Bit::Set}, known));
}

bool ExprPool::contradicts(LaneFacts known, size_t next, LaneFacts open, unsigned &ways) const {
  for (;;) {
    // What follows comes first: every way that is left open doubles the work.
    for (; next < known.size(); ++next) {
      const LaneFact fact = known[next];
      const llvm::ArrayRef<LaneFact> before = llvm::ArrayRef(known).take_front(next);
      if (isRefuted(fact, before))
        return true;
      if (llvm::is_contained(before, fact))
        continue;
      const auto either = waysOf(fact);
      if (either.size() == 1)
        known.append(either.front());
      else if (!either.empty())
        open.push_back(fact);
    }
    const auto isOpen = [&](const LaneWay &way) {
      return llvm::none_of(way, [&](const LaneFact &fact) { return isRefuted(fact, known); });
    };
    const auto decided = llvm::find_if(
        open, [&](const LaneFact &fact) { return llvm::count_if(waysOf(fact), isOpen) < 2; });
    if (decided == open.end())
      break;
    const auto either = waysOf(*decided);
    const auto way = llvm::find_if(either, isOpen);
    if (way == either.end())
      return true;
    open.erase(decided);
    known.append(*way);
  }
  if (open.empty())
    return false;
  // The oldest first: what was asked of last is what the others decide.
  const auto either = waysOf(open.front());
  open.erase(open.begin());
  return llvm::all_of(either, [&](const LaneWay &way) {
    if (ways == 0)
      return false;
    --ways;
    LaneFacts more = known;
    more.append(way);
    return contradicts(std::move(more), next, open, ways);
  });
}

bool ExprPool::areNone(const LaneFacts &lanes) const {
  unsigned ways = kWays;
  return contradicts(lanes, 0, {}, ways);
}

static LaneFacts with(const LaneFacts &lanes, Value mask, Bit bit) {
  LaneFacts result = lanes;
  result.push_back({mask, bit});
  return result;
}

Value ExprPool::in(Value value, const LaneFacts &lanes) {
  while (nodes_[value].kind == Kind::Select) {
    const auto parts = args(nodes_[value]);
    const Value mask = parts[0], active = parts[1], inactive = parts[2];
    const LaneFacts others = with(lanes, mask, Bit::Clear);
    if (areNone(others)) {
      value = active;
    } else if (areNone(with(lanes, mask, Bit::Set))) {
      value = inactive;
    } else { // What was written in lanes of `mask` was looked at then.
      const Value rest = in(inactive, others);
      return rest == inactive ? value
             : rest == active ? active
                              : intern(Kind::Select, 0, 0, {mask, active, rest});
    }
  }
  return value;
}

bool ExprPool::areEqual(Value a, Value b, const LaneFacts &lanes, unsigned conditions) {
  a = in(a, lanes);
  b = in(b, lanes);
  if (a == b)
    return true;
  const bool isFirst = nodes_[a].kind == Kind::Select;
  if (conditions == 0 || (!isFirst && nodes_[b].kind != Kind::Select))
    return areNone(lanes);
  const Value mask = args(nodes_[isFirst ? a : b])[0];
  return areEqual(a, b, with(lanes, mask, Bit::Set), conditions - 1) &&
         areEqual(a, b, with(lanes, mask, Bit::Clear), conditions - 1);
}

bool ExprPool::areEqual(Value a, Value b, const LaneFacts &lanes) {
  return a == b || areEqual(a, b, lanes, kConditions);
}

} // namespace rdna::verify
