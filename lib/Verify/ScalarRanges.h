//===- ScalarRanges.h - what scalars hold where paths meet -----------------===//
//
// Loop counters and whatever else differs from path to path: an interval for each scalar register
// at each block where paths meet, such that every path that arrives keeps to it. Found by going
// around, with bounds that jump to the numbers that the code compares with; what is returned was
// checked once more in a round of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/BlockValues.h"
#include "Verify/Bounds.h"

#include <set>

namespace rdna::verify {

class ScalarRanges {
public:
  ScalarRanges(const Module &module, const Cfg &cfg);
  /// At the start of a block that several paths lead to, under ranges of the launch.
  Interval at(uint32_t block, unsigned reg, const LaunchRanges &ranges);
  /// Does the register hold no lanes there but those that the launch switched on?
  bool isLaunchMask(uint32_t block, unsigned reg) const { return masks_.contains({block, reg}); }

  /// What of launches was looked at so far.
  const std::set<Quantity> &used() const { return used_; }

private:
  using Place = std::pair<uint32_t, unsigned>; ///< Block and register.
  struct Arrival {
    uint32_t from;
    Value value;
  };
  struct Unknowns {
    std::vector<Arrival> arrivals;
  };
  using Solution = std::map<Place, Interval>;
  class Here;

  void findPlaces();
  void findMasks();
  const PathConditions &factsAt(uint32_t block);
  PathConditions factsOn(uint32_t from, uint32_t to);
  Interval arriving(const Place &place, const LaunchFacts &launch, const Solution &solution);
  std::set<int64_t> thresholds(const LaunchFacts &launch);
  bool grow(Solution &solution, const LaunchFacts &launch, const std::set<int64_t> &jumps,
            unsigned round);
  void shrink(Solution &solution, const LaunchFacts &launch);
  void check(Solution &solution, const LaunchFacts &launch);
  const Solution &solutionFor(const LaunchRanges &ranges);

  const Module &module_;
  const Cfg &cfg_;
  const Function &function_;
  std::optional<LaunchRegisters> registers_;
  ExprPool pool_;
  BlockValues values_;
  std::map<uint32_t, PathConditions> facts_;
  std::map<std::pair<uint32_t, uint32_t>, PathConditions> onEdge_;
  std::map<Place, Unknowns> places_;
  std::set<Place> masks_;
  std::set<Quantity> used_;
  std::vector<std::pair<LaunchRanges, Solution>> solutions_;
};

} // namespace rdna::verify
