//===- Search.h - the best order and registers for a block ----------------===//
#pragma once

#include "Support/Random.h"
#include "Transform/Allocate.h"
#include "Transform/LoneWave.h"
#include "Transform/Remap.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace rdna {

/// A plan, the order that follows from it, and registers if they were found.
struct Solution {
  BankPlan plan;
  Schedule schedule;
  std::vector<Vgpr> registers;
  unsigned extraLoads = 0;
  auto key() const {
    return std::tuple(schedule.cost.primary() + extraLoads,
                      schedule.cost.missedReuse + schedule.cost.missedRotation);
  }
};

/// The old block in the terms of ScheduleCost: what its lane operations cost as they stand.
ScheduleCost costOf(const Module &module, const RegionModel &region, unsigned &hazards);

/// Tries bank plans and weightings, then small random steps from the best ones. Everything is
/// bounded by counts, so the result is the same on every machine.
class Search {
public:
  /// May the order that is found make waves wait longer, by an eighth of the block's time?
  enum class Waiting : uint8_t { NoLonger, Longer };
  Search(const FunctionContext &context, const RegionModel &region, const RegisterSpace &space,
         const FixedRegisters &fixed, const RemapOptions &options, const ScheduleCost &old,
         Waiting waiting = Waiting::NoLonger)
      : context_(context), region_(region), space_(space), fixed_(fixed), options_(options),
        old_(old), waiting_(waiting), bounds_(boundsOf(context.module, region)), pairs_(region),
        lone_(context.module, region),
        oldClocks_(clocksOf(lone_.asWritten(), old.conflicts + old.singleConflicts)) {}
  std::optional<Solution> run();

private:
  Solution attempt(const BankPlan &plan, const ScheduleStyle &style) const;
  std::vector<Solution> tryPlans(std::array<unsigned, 4> room) const;
  std::vector<Solution> tryPlansOfLarge(std::array<unsigned, 4> room) const;
  std::array<unsigned, 4> freeRegisters() const;
  Solution attemptWithin(BankPlan plan, unsigned conflictLimit,
                         const std::array<unsigned, 4> &free) const;
  std::array<unsigned, 4> roomBeside(const BankPlan &plan, std::array<unsigned, 4> room) const;
  bool allocateFor(Solution &solution) const;
  void improve(std::vector<Solution> &pool) const;
  void allocateAsWritten(std::vector<Solution> &pool) const;
  Solution climb(Solution best, unsigned tries, Random &random) const;
  /// A gain in one count does not pay for a loss in another, and loads are made narrower only for
  /// what they gain.
  bool isAdmissible(const Solution &solution) const {
    const ScheduleCost &cost = solution.schedule.cost;
    if (options_.hazards == Hazards::RepairAtAnyCost)
      return true;
    if (cost.issues > old_.issues || cost.singleFmas > old_.singleFmas ||
        cost.conflicts > old_.conflicts ||
        cost.conflicts + cost.singleConflicts > old_.conflicts + old_.singleConflicts)
      return false;
    const unsigned gain = (old_.issues - cost.issues) + (old_.conflicts + old_.singleConflicts -
                                                         cost.conflicts - cost.singleConflicts);
    if (options_.splitLoads != SplitLoads::Always && solution.extraLoads > gain)
      return false;
    // A little is what the latencies are off by.
    const uint64_t clocks = clocksOf(lone_.of(solution.schedule.slots),
                                     cost.conflicts + cost.singleConflicts + solution.extraLoads);
    return clocks <= oldClocks_ + 2 + oldClocks_ / (waiting_ == Waiting::NoLonger ? 50 : 8);
  }
  /// What a block takes of a SIMD that two waves share: what both issue, or one of them waits.
  static uint64_t clocksOf(const LoneWave::Clocks &wave, unsigned conflicts) {
    constexpr uint64_t kWaves = 2;
    return std::max(wave.all + conflicts, kWaves * (wave.issued + conflicts));
  }
  bool isUsable(const Solution &solution) const {
    return !solution.registers.empty() && isAdmissible(solution);
  }
  /// Could so many loads more ever be worth it?
  bool mayPayFor(unsigned extraLoads) const {
    return options_.splitLoads == SplitLoads::Always ||
           options_.hazards == Hazards::RepairAtAnyCost ||
           extraLoads <= old_.issues - std::min(old_.issues, bounds_.issues) + old_.conflicts +
                             old_.singleConflicts;
  }
  /// Fewest VALU instructions that the lane operations can take, and FMAs without a partner,
  /// whatever the registers.
  struct Bounds {
    unsigned issues = 0, singleFmas = 0;
  };
  static Bounds boundsOf(const Module &module, const RegionModel &region);
  /// Where there are loops, what is executed once is not worth as much of the user's time: many
  /// such blocks share what a few get.
  unsigned shareOf(unsigned tries) const;
  bool isLarge() const { return laneOps() > kSmallBlock; }
  unsigned laneOps() const {
    return static_cast<unsigned>(
        std::count_if(region_.nodes.begin(), region_.nodes.end(),
                      [](const Node &node) { return node.kind == Node::Kind::Lane; }));
  }
  bool isIdeal(const Solution &solution) const {
    const ScheduleCost &cost = solution.schedule.cost;
    return cost.issues <= bounds_.issues && cost.conflicts == 0 &&
           cost.singleFmas <= bounds_.singleFmas &&
           cost.missedReuse + cost.missedRotation <= 1 + cost.issues / 32;
  }
  /// Large blocks: what is left is the order, on which less depends than on these.
  bool isIdealButForOrder(const Solution &solution) const {
    const ScheduleCost &cost = solution.schedule.cost;
    return cost.issues <= bounds_.issues && cost.conflicts == 0 &&
           cost.singleFmas <= bounds_.singleFmas;
  }

  const FunctionContext &context_;
  const RegionModel &region_;
  const RegisterSpace &space_;
  const FixedRegisters &fixed_;
  /// Whether the order is made for the banks of fixed registers, or as if there were none: where
  /// all of them are what a search found once, it finds that order again.
  enum class FixedBanks : uint8_t { Planned, Found } fixedBanks_ = FixedBanks::Planned;
  const RemapOptions &options_;
  const ScheduleCost old_;
  const Waiting waiting_;
  const Bounds bounds_;
  const ScalarPairs pairs_;
  const LoneWave lone_;
  const uint64_t oldClocks_; ///< clocksOf() the block as it is.
};

} // namespace rdna
