//===- Bounds.h - between which numbers a value lies -----------------------===//
//
// Interval arithmetic over symbolic values, with what is known of the launch, of scalars where
// paths meet and of the path (PathConditions). A 32-bit value is looked at as an unsigned number,
// lane by lane.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Given.h"
#include "Symbolic/PathConditions.h"

#include <map>
#include <set>
#include <unordered_map>

namespace rdna::verify {

/// What the unknowns of a pool stand for: registers at the launch or at a place in the code.
class Leaves {
public:
  virtual ~Leaves() = default;
  /// Is it what a register holds when the kernel starts?
  virtual bool isEntry(unsigned scope) const = 0;
  /// The range of a scalar register at the place that the scope stands for.
  virtual Interval rangeOf(unsigned reg, unsigned scope) const = 0;
  /// Does it hold, as a lane mask, no lanes but those that the launch switched on?
  virtual bool isLaunchMask(unsigned reg, unsigned scope) const = 0;
};

/// Of a kernel and its launches; stays the same for many values.
struct LaunchFacts {
  const Function &function;
  LaunchRegisters registers;
  const LaunchRanges &ranges;
};

/// A value that a launch gives directly, if it is one.
std::optional<Quantity> quantityOf(ExprPool &pool, const Leaves &leaves,
                                   const LaunchRegisters &registers, Value value);

/// Has a lane mask no lanes but those that the launch switched on? Others never ran, so that nobody
/// knows what is in their registers.
bool isLaunchMask(const ExprPool &pool, const Leaves &leaves, Value mask);

/// Where a range would have to be cut in two for a sum not to wrap in either.
using Cuts = std::set<std::pair<Quantity, int64_t>>;

class Bounds {
public:
  enum class Lanes : uint8_t { Launched, Any };
  Bounds(ExprPool &pool, const Leaves &leaves, const LaunchFacts &launch,
         const PathConditions &path, Lanes lanes)
      : pool_(pool), leaves_(leaves), launch_(launch), path_(path), lanes_(lanes) {}

  /// Of a 32-bit value; none if the path cannot be taken.
  Interval of(Value value) { return range(value, kDeepest); }
  /// Of a sum of products over the integers: factors signed, atoms as they are extended. Nothing if
  /// it may be anything.
  std::optional<Interval> ofInteger(const ExprPool::Polynomial &terms);
  const Cuts &cuts() const { return cuts_; }
  /// What of the launch was looked at.
  const std::set<Quantity> &used() const { return used_; }

private:
  static constexpr unsigned kDeepest = 40;
  Interval range(Value value, unsigned depth);
  Interval made(Value value, unsigned depth);
  Interval ofOperation(std::string_view head, llvm::ArrayRef<Value> args, unsigned depth);
  Interval ofShaped(std::string_view head, llvm::ArrayRef<Value> args, unsigned depth);
  Interval ofLeaf(Value value);
  Interval ofSum(Value value, unsigned depth);
  Interval masked(Value a, Value b, unsigned depth);
  std::optional<Interval> workitemField(Value value, unsigned shift, unsigned bits) const;
  Interval refined(Value value, Interval range, unsigned depth);
  Interval narrowed(Value value, Interval range, const PathConditions::Fact &fact, unsigned depth);
  Interval compared(Interval range, Value x, Value y, bool isLeft, bool isLess,
                    ExprPool::Order order, int64_t apart, unsigned depth);
  std::optional<int64_t> apart(Value value, Value from, const Interval &range);
  void noteCut(const ExprPool::Polynomial &terms, const Interval &whole);

  ExprPool &pool_;
  const Leaves &leaves_;
  const LaunchFacts &launch_;
  const PathConditions &path_;
  const Lanes lanes_;
  bool isPlain_ = false; ///< The path is left out: what it compares with is looked at.
  std::unordered_map<Value, Interval> known_, plain_;
  Cuts cuts_;
  std::set<Quantity> used_;
};

} // namespace rdna::verify
