#include "Timing/Predict.h"

#include <algorithm>
#include <cmath>

namespace rdna::timing {
namespace {

/// How many workgroups that run at the same time ask for the same lines.
Sharing sharingOf(const ObservedLaunch &observed, unsigned units, uint64_t together,
                  Sharing::Start start) {
  Sharing sharing;
  sharing.start = start;
  sharing.footprintBytes = observed.footprintBytes;
  const std::array<uint32_t, 3> &grid = observed.launch.grid;
  const auto running = static_cast<double>(together);
  sharing.activeUnits = static_cast<unsigned>(std::min<uint64_t>(units, together));
  sharing.sharedInArray = observed.sharedAlongX;
  // Workgroups are numbered along x first.
  const double alongX = std::min<double>(grid[0], running);
  const double rows = std::max(1.0, std::min<double>(grid[1], running / grid[0]));
  for (size_t op = 0; op < observed.recording.ops.size(); ++op)
    sharing.sharedBy.push_back((observed.sharedAlongX[op] ? alongX : 1) *
                               (observed.sharedAlongY[op] ? rows : 1));
  return sharing;
}

struct LaunchShape {
  unsigned units = 0;
  uint64_t perUnit = 0; ///< Workgroups of the busiest unit.
  uint64_t atOnce = 0;
  double balance = 1; ///< Work of all units by that of as many busiest ones.
};

LaunchShape shapeOf(const ObservedLaunch &observed, const Machine &machine, WhatIf what) {
  LaunchShape shape;
  shape.units = machine.device().cus / (observed.place == Residents::Place::Cu ? 1 : 2);
  const uint64_t all = observed.launch.workgroups();
  shape.perUnit = (all + shape.units - 1) / shape.units;
  const unsigned more = what.without == WhatIf::Part::OneMoreWave ? 1 : 0;
  shape.atOnce = std::min<uint64_t>(observed.groupsPerUnit + more, shape.perUnit);
  shape.balance = static_cast<double>(all) / static_cast<double>(shape.perUnit * shape.units);
  return shape;
}

struct LaunchTime {
  double clocks = 0;
  SimulationResult sample;
};

/// The time of a unit's workgroups, of which each wave makes `steps` steps. Many workgroups are
/// some of them and the time that each further one takes.
LaunchTime timeOfSteps(const ObservedLaunch &observed, const LaunchShape &shape,
                       const Machine &machine, const PredictOptions &options, size_t steps,
                       IssueListener *listener = nullptr) {
  const uint64_t together = std::min(observed.launch.workgroups(), shape.atOnce * shape.units);
  const Sharing sharing = sharingOf(observed, shape.units, together, options.start);
  const auto simulated = [&](uint64_t groups, IssueListener *hears) {
    Residents residents;
    residents.place = observed.place;
    residents.atOnce = static_cast<unsigned>(shape.atOnce);
    residents.steps = steps;
    for (uint64_t n = 0; n < groups; ++n)
      residents.groups.push_back(&observed.recording.groups[n % observed.recording.groups.size()]);
    return simulate(machine, observed.recording, residents, sharing, options.what, hears);
  };
  const uint64_t many = 3 * shape.atOnce + shape.perUnit % shape.atOnce;
  LaunchTime time;
  time.sample = simulated(std::min(many, shape.perUnit), listener);
  time.clocks = static_cast<double>(time.sample.clocks);
  if (shape.perUnit > many) {
    const SimulationResult fewer = simulated(many - shape.atOnce, nullptr);
    const double each =
        (time.clocks - static_cast<double>(fewer.clocks)) / static_cast<double>(shape.atOnce);
    time.clocks += each * static_cast<double>(shape.perUnit - many);
  }
  return time;
}

uint64_t longestWave(const Recording &recording) {
  uint64_t steps = 0;
  for (const GroupStream &group : recording.groups)
    for (const WaveStream &wave : group.waves)
      steps = std::max(steps, wave.executed);
  return steps;
}

/// A loop goes on as it began: of long waves only some steps are simulated, twice as many once
/// more, and the difference stands for all others.
LaunchTime timeOf(const ObservedLaunch &observed, const LaunchShape &shape, const Machine &machine,
                  const PredictOptions &options, size_t steps) {
  const uint64_t all = longestWave(observed.recording);
  steps = std::min(steps, recordedSteps / 3);
  if (all <= 3 * steps)
    return timeOfSteps(observed, shape, machine, options, all, options.listener);
  const double once = timeOfSteps(observed, shape, machine, options, steps).clocks;
  LaunchTime time = timeOfSteps(observed, shape, machine, options, 2 * steps, options.listener);
  time.clocks +=
      (time.clocks - once) / static_cast<double>(steps) * static_cast<double>(all - 2 * steps);
  return time;
}

/// Deviations to both sides, squared and added: the doubts are independent of each other, so they
/// do not all go one way.
struct Spread {
  double below = 0, above = 0;
  void add(double atLow, double atHigh) {
    const double down = std::min({atLow, atHigh, 0.0});
    const double up = std::max({atLow, atHigh, 0.0});
    below += down * down;
    above += up * up;
  }
  double low(double value, double unit) const {
    return std::max(0.0, value - unit * std::sqrt(below));
  }
  double high(double value, double unit) const { return value + unit * std::sqrt(above); }
};

/// One round of workgroups, of which each wave makes some steps. Its own time is nobody's, but how
/// it changes with a constant is about how the whole does.
struct ShortRun {
  double milliseconds = 0;
  StallClocks limiters{}; ///< Milliseconds, too.
};

/// With the low and the high value of one constant that is in doubt.
struct Doubt {
  Constant constant;
  ShortRun low, high;
};

ShortRun shortRun(const ObservedLaunch &observed, const LaunchShape &shape, const Machine &machine,
                  const PredictOptions &options, size_t steps) {
  LaunchShape one = shape;
  one.perUnit = one.atOnce;
  const LaunchTime time = timeOfSteps(observed, one, machine, options, steps);
  ShortRun run;
  run.milliseconds = time.clocks / machine.clockMHz();
  for (unsigned n = 0; n < stallKinds; ++n)
    run.limiters[n] = time.sample.limiters[n] / machine.clockMHz();
  return run;
}

std::vector<Doubt> doubts(const ObservedLaunch &observed, const LaunchShape &shape,
                          const Machine &machine, const PredictOptions &options, size_t steps,
                          const ShortRun &base) {
  std::vector<Doubt> result;
  for (const ConstantRow &row : constantRows()) {
    if (!row.isDoubtful() || row.constant == Constant::LaunchMicroseconds)
      continue;
    const auto at = [&](double value) {
      return machine[row.constant] == value
                 ? base
                 : shortRun(observed, shape, machine.with(row.constant, value), options, steps);
    };
    result.push_back({row.constant, at(row.low), at(row.high)});
  }
  return result;
}

Sensitivity effectOf(const Doubt &doubt, const ShortRun &base) {
  return {doubt.constant, doubt.low.milliseconds / base.milliseconds,
          doubt.high.milliseconds / base.milliseconds};
}

void addInterval(const ObservedLaunch &observed, const LaunchShape &shape, const Machine &machine,
                 const PredictOptions &options, Prediction &prediction) {
  constexpr size_t steps = 3000;
  const ShortRun base = shortRun(observed, shape, machine, options, steps);
  Spread whole;
  std::array<Spread, stallKinds> parts;
  for (const Doubt &doubt : doubts(observed, shape, machine, options, steps, base)) {
    const Sensitivity effect = effectOf(doubt, base);
    whole.add(effect.atLow - 1, effect.atHigh - 1);
    for (unsigned n = 0; n < stallKinds; ++n)
      parts[n].add((doubt.low.limiters[n] - base.limiters[n]) / base.milliseconds,
                   (doubt.high.limiters[n] - base.limiters[n]) / base.milliseconds);
    prediction.sensitivity.push_back(effect);
  }
  const double unit = prediction.milliseconds;
  prediction.low = whole.low(unit, unit);
  prediction.high = whole.high(unit, unit);
  for (unsigned n = 0; n < stallKinds; ++n) {
    prediction.limitersLow[n] = parts[n].low(prediction.limiters[n], unit);
    prediction.limitersHigh[n] = parts[n].high(prediction.limiters[n], unit);
  }
  std::stable_sort(prediction.sensitivity.begin(), prediction.sensitivity.end(),
                   [](const Sensitivity &a, const Sensitivity &b) {
                     return std::abs(a.atHigh - a.atLow) > std::abs(b.atHigh - b.atLow);
                   });
}

} // namespace

Prediction predict(const ObservedLaunch &observed, const Machine &machine,
                   const PredictOptions &options) {
  const LaunchShape shape = shapeOf(observed, machine, options.what);
  LaunchTime time = timeOf(observed, shape, machine, options, options.steps);
  Prediction out;
  out.clockMHz = machine.clockMHz();
  out.clocks = time.clocks;
  const double work = time.clocks * 1e-3 / out.clockMHz;
  const double launch = machine[Constant::LaunchMicroseconds] * 1e-3;
  out.milliseconds = work + launch;
  // What units wait for the busiest ones is taken from all that these do.
  const double scale = work * shape.balance / static_cast<double>(time.sample.clocks);
  for (unsigned n = 0; n < stallKinds; ++n)
    out.limiters[n] = time.sample.limiters[n] * scale;
  out.limiters[static_cast<size_t>(Stall::Tail)] += work * (1 - shape.balance) + launch;
  out.low = out.high = out.milliseconds;
  out.limitersLow = out.limitersHigh = out.limiters;
  out.units = shape.units;
  out.groupsOfUnit = static_cast<unsigned>(shape.perUnit);
  out.groupsAtOnce = static_cast<unsigned>(shape.atOnce);
  out.vectorBusy = time.sample.vectorBusy;
  if (options.interval == PredictOptions::Interval::Yes)
    addInterval(observed, shape, machine, options, out);
  out.sample = std::move(time.sample);
  return out;
}

std::vector<Sensitivity> doubtsOf(const ObservedLaunch &observed, const Machine &machine,
                                  const PredictOptions &options) {
  constexpr size_t steps = 2000;
  const LaunchShape shape = shapeOf(observed, machine, options.what);
  const ShortRun base = shortRun(observed, shape, machine, options, steps);
  std::vector<Sensitivity> result;
  for (const Doubt &doubt : doubts(observed, shape, machine, options, steps, base))
    result.push_back(effectOf(doubt, base));
  return result;
}

} // namespace rdna::timing
