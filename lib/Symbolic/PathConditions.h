//===- PathConditions.h - what the branches of a path say ---------------------------===//
//
// On the way that a branch takes, its condition holds. A later branch whose outcome follows from
// that goes one way only: the guard of an unrolled loop says that the next iterations are all
// taken, and a condition that is tested twice comes out the same twice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Expr.h"

namespace rdna::verify {

class PathConditions {
public:
  /// From now on `value` is known to be zero, or not to be.
  void learn(ExprPool &pool, Value value, bool isNonzero);
  /// Does it follow whether `value` is zero?
  std::optional<bool> isNonzero(ExprPool &pool, Value value) const;
  struct Fact {
    Value value;
    bool isNonzero;
    bool operator==(const Fact &other) const = default;
  };
  llvm::ArrayRef<Fact> all() const { return facts_; }

private:
  std::optional<uint32_t> bitsOf(ExprPool &pool, Value value, unsigned depth) const;
  std::optional<bool> truthOf(ExprPool &pool, Value value, unsigned depth) const;
  std::optional<bool> lessOf(ExprPool &pool, Value a, Value b, ExprPool::Order order,
                             unsigned depth) const;
  bool isKnownNonzero(ExprPool &pool, Value value) const;
  bool isExact(ExprPool &pool, Value from, uint32_t subtracted, ExprPool::Order order,
               unsigned depth) const;

  llvm::SmallVector<Fact, 4> facts_;
};

} // namespace rdna::verify
