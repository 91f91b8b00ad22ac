#include "Symbolic/PathConditions.h"

#include <algorithm>
#include <limits>

namespace rdna::verify {

using Order = ExprPool::Order;

static const char *lessName(Order order) {
  return order == Order::Unsigned ? "less-u32" : "less-i32";
}
static uint32_t leastOf(Order order) { return order == Order::Unsigned ? 0 : 0x80000000; }
static int64_t asInteger(uint32_t bits, Order order) {
  return order == Order::Unsigned ? int64_t(bits) : int64_t(static_cast<int32_t>(bits));
}

/// a - b, if it is one constant from 0 to 2^31 - 1 whatever the registers hold.
static std::optional<uint32_t> stepsBetween(ExprPool &pool, Value a, Value b) {
  const auto bits = pool.asConstant(pool.sum(a, pool.negated(b)));
  return bits && *bits <= uint32_t(std::numeric_limits<int32_t>::max()) ? bits : std::nullopt;
}

void PathConditions::learn(ExprPool &pool, Value value, bool isNonzero) {
  while (true) {
    if (const auto inner = pool.madeBy(pool.signature("not"), value)) {
      value = inner->front();
      isNonzero = !isNonzero;
    } else if (const auto made = pool.madeBy(pool.signature("nonzero"), value)) {
      value = made->front();
    } else {
      break;
    }
  }
  // A choice between choices says the same of the inner ones twice, and so on.
  if (std::any_of(facts_.begin(), facts_.end(), [&](const Fact &fact) {
        return fact.value == value && fact.isNonzero == isNonzero;
      }))
    return;
  facts_.push_back({value, isNonzero});
  // a - b as it is if it does not leave the order's range, else the least number, below which
  // nothing lies: it did not leave it.
  for (const Order order : {Order::Unsigned, Order::Signed})
    if (const auto sides = pool.madeBy(pool.signature(lessName(order)), value); sides && isNonzero)
      if (const auto chosen = pool.madeBy(pool.signature("choose"), (*sides)[1])) {
        const Value left = (*sides)[0];
        for (const unsigned way : {1U, 2U})
          if (pool.asConstant((*chosen)[way]) == leastOf(order)) {
            learn(pool, (*chosen)[0], way == 2);
            learn(pool, pool.less(left, (*chosen)[3 - way], order), true);
          }
      }
  // a - c leaves the range of signed numbers for c > 0 exactly if a < least + c.
  if (const auto parts = pool.madeBy(pool.signature("overflow of difference"), value))
    if (const auto bits = pool.asConstant((*parts)[1]); bits && static_cast<int32_t>(*bits) > 0)
      learn(pool, pool.less((*parts)[0], pool.constant(0x80000000 + *bits), Order::Signed),
            isNonzero);
}

/// a - c is what it is over the integers.
bool PathConditions::isExact(ExprPool &pool, Value from, uint32_t subtracted, Order order,
                             unsigned depth) const {
  if (subtracted == 0)
    return true;
  if (const auto bits = pool.asConstant(from))
    return asInteger(*bits, order) - int64_t(subtracted) >= asInteger(leastOf(order), order);
  const Value tooSmall = pool.less(from, pool.constant(leastOf(order) + subtracted), order);
  return truthOf(pool, tooSmall, depth) == false;
}

/// x and y of facts x < y, or x >= y. Of x = 0, which is x < 1, and so is -x.
static llvm::SmallVector<std::pair<Value, Value>, 2> comparedIn(ExprPool &pool, Value fact,
                                                                Order order) {
  if (const auto sides = pool.madeBy(pool.signature(lessName(order)), fact))
    return {{(*sides)[0], (*sides)[1]}};
  const auto zero = pool.madeBy(pool.signature("is-zero"), fact);
  if (!zero || order == Order::Signed)
    return {};
  const Value x = zero->front(), one = pool.constant(1);
  return {{x, one}, {pool.negated(x), one}};
}

std::optional<bool> PathConditions::lessOf(ExprPool &pool, Value a, Value b, Order order,
                                           unsigned depth) const {
  for (const Fact &fact : facts_)
    for (const auto &[x, y] : comparedIn(pool, fact.value, order)) {
      if (fact.isNonzero) {
        // x < y = b - c and a = x + j with j <= c: a <= x + c < y + c = b.
        const auto j = stepsBetween(pool, a, x), c = stepsBetween(pool, b, y);
        if (j && c && *j <= *c && isExact(pool, b, *c, order, depth))
          return true;
        continue;
      }
      // x >= m and a = x - j with m - j >= b: a >= b.
      const auto m = pool.asConstant(y), least = pool.asConstant(b);
      const auto j = stepsBetween(pool, x, a);
      if (m && least && j && asInteger(*m, order) - int64_t(*j) >= asInteger(*least, order))
        return false;
    }
  return std::nullopt;
}

/// x >= m says that x - j is not zero for j < m.
bool PathConditions::isKnownNonzero(ExprPool &pool, Value value) const {
  for (const Fact &fact : facts_) {
    const auto sides = pool.madeBy(pool.signature(lessName(Order::Unsigned)), fact.value);
    if (!sides || fact.isNonzero)
      continue;
    const auto m = pool.asConstant((*sides)[1]);
    for (const Value same : {value, pool.negated(value)})
      if (const auto j = stepsBetween(pool, (*sides)[0], same); m && j && *j < *m)
        return true;
  }
  return false;
}

std::optional<bool> PathConditions::truthOf(ExprPool &pool, Value value, unsigned depth) const {
  if (const auto bits = pool.asConstant(value))
    return *bits != 0;
  for (const Fact &fact : facts_)
    if (fact.value == value)
      return fact.isNonzero;
  if (depth == 0)
    return std::nullopt;
  if (const auto inner = pool.madeBy(pool.signature("not"), value)) {
    const auto truth = truthOf(pool, inner->front(), depth - 1);
    return truth ? std::optional(!*truth) : std::nullopt;
  }
  if (const auto made = pool.madeBy(pool.signature("nonzero"), value))
    return truthOf(pool, made->front(), depth - 1);
  for (const Order order : {Order::Unsigned, Order::Signed})
    if (const auto sides = pool.madeBy(pool.signature(lessName(order)), value))
      return lessOf(pool, (*sides)[0], (*sides)[1], order, depth - 1);
  if (const auto zero = pool.madeBy(pool.signature("is-zero"), value))
    return isKnownNonzero(pool, zero->front()) ? std::optional(false) : std::nullopt;
  const auto bits = bitsOf(pool, value, depth);
  return bits ? std::optional(*bits != 0) : std::nullopt;
}

/// The constant that a mask or a choice comes down to.
std::optional<uint32_t> PathConditions::bitsOf(ExprPool &pool, Value value, unsigned depth) const {
  if (const auto bits = pool.asConstant(value))
    return bits;
  if (depth == 0)
    return std::nullopt;
  if (const auto chosen = pool.madeBy(pool.signature("choose"), value)) {
    const auto truth = truthOf(pool, (*chosen)[0], depth - 1);
    return truth ? bitsOf(pool, (*chosen)[*truth ? 1 : 2], depth - 1) : std::nullopt;
  }
  const auto isAnd = pool.madeBy(pool.signature("and"), value);
  const auto isAndNot = pool.madeBy(pool.signature("and-not"), value);
  if (const auto &sides = isAnd ? isAnd : isAndNot) {
    const auto a = bitsOf(pool, (*sides)[0], depth - 1);
    auto b = bitsOf(pool, (*sides)[1], depth - 1);
    if (b && isAndNot)
      b = ~*b;
    if (a == 0U || b == 0U)
      return 0;
    return a && b ? std::optional(*a & *b) : std::nullopt;
  }
  for (const Fact &fact : facts_)
    if (fact.value == value && !fact.isNonzero)
      return 0;
  return std::nullopt;
}

std::optional<bool> PathConditions::isNonzero(ExprPool &pool, Value value) const {
  return truthOf(pool, value, 8);
}

} // namespace rdna::verify
