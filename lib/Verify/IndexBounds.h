//===- IndexBounds.h - do bounds show that no index wraps? ------------------===//
//
// What Assumption::NoIndexWrap takes for granted is a list of facts: one for each global access of
// the original on each path. Each can be looked at by itself, under ranges of the launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/ScalarRanges.h"

namespace rdna::verify {

/// Of one function, for the values of one pool.
class IndexBounds {
public:
  IndexBounds(const Module &module, const Cfg &cfg);

  /// What the scopes of the pool's unknowns stand for.
  void startAtEntry(unsigned scope) {
    entry_ = scope;
    blocks_.clear();
    noted_.clear();
  }
  void startAtBlock(unsigned scope, uint32_t block) { blocks_[scope] = block; }

  /// Is it a fact, on a path, for all launches with these ranges?
  bool holds(ExprPool &pool, const ExprPool::IndexFact &fact, const PathConditions &path,
             const LaunchRanges &ranges);

  /// PathConditions that were taken for granted, to be looked at later.
  void note(const ExprPool::IndexFact &fact, const PathConditions &path) {
    noted_.push_back({fact, path});
  }
  bool allHold(ExprPool &pool, const LaunchRanges &ranges);
  /// The largest ranges of arguments (and of workgroup numbers that `given` leaves open) for which
  /// all that was noted provably holds, as text; empty if none was found.
  std::vector<std::string> largest(ExprPool &pool, const Given &given);

private:
  class Here;
  struct Noted {
    ExprPool::IndexFact fact;
    PathConditions path;
  };
  bool holds(ExprPool &pool, const ExprPool::IndexFact &fact, const PathConditions &path,
             const LaunchRanges &ranges, unsigned cuts);

  const Function &function_;
  std::optional<LaunchRegisters> registers_;
  ScalarRanges scalars_;
  unsigned entry_ = 0;
  std::map<unsigned, uint32_t> blocks_; ///< By scope.
  std::vector<Noted> noted_;
  std::set<Quantity> used_;
};

/// Do the bounds of a launch show that no global access of the kernel has an index that wraps, or
/// more than 4 GiB of offset? False also for what is not understood.
bool indicesStayWhole(const Module &module, uint32_t function, const LaunchRanges &ranges);

} // namespace rdna::verify
