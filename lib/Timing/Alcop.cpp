#include "Timing/Alcop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace rdna::timing {

using enum Constant;

static double clocksOf(const TimedOp &op, const Machine &machine) {
  double clocks = 1;
  if (op.rate == VectorRate::Half)
    clocks = machine[HalfRate];
  if (op.rate == VectorRate::Quarter)
    clocks = machine[QuarterRate];
  if (op.rate == VectorRate::Double)
    clocks = machine[DoubleRate];
  if (op.rate == VectorRate::Matrix)
    clocks = machine[MatrixRate];
  return clocks + (op.sharedSources > 1 ? (op.sharedSources - 1) * machine[BankPenalty] : 0);
}

namespace {

/// Sums over a wave's instructions.
enum Sum : uint8_t {
  VectorClocks,
  CodeClocks,
  LdsPasses,
  Lines,
  Barriers,
  Waits,
  Hidden,    ///< VALU instructions between loads of a tile and the wait for it,
  HiddenLds, ///< between loads of a fragment and the wait for it.
  sums
};
using Counts = std::array<double, sums>;

/// Follows the instructions of a wave.
class Counter {
public:
  Counter(const WaveStream &wave, const Machine &machine) : wave_(wave), machine_(machine) {}
  void count(const TimedOp &op);
  const Counts &counts() const { return counts_; }
  size_t differentBarriers() const { return barriers_.size(); }

private:
  void countMemory(const TimedOp &op);

  const WaveStream &wave_;
  const Machine &machine_;
  Counts counts_{};
  std::set<uint32_t> barriers_;
  double sinceLoad_ = 0, sinceLdsLoad_ = 0;
  size_t memory_ = 0;
  bool ldsLoads_ = false, loads_ = false;
};

void Counter::count(const TimedOp &op) {
  counts_[CodeClocks] += op.bytes / machine_[FetchBytes];
  if (op.issue == IssueClass::Vector) {
    counts_[VectorClocks] += clocksOf(op, machine_);
    sinceLoad_ += 1, sinceLdsLoad_ += 1;
  } else if (op.issue == IssueClass::Barrier) {
    barriers_.insert(op.number);
    counts_[Barriers] += 1;
  } else if (op.issue == IssueClass::Wait) {
    if (ldsLoads_ && op.wait.lgkm != emu::WaitLimit::none) {
      counts_[Waits] += 1;
      counts_[HiddenLds] += sinceLdsLoad_;
      ldsLoads_ = false;
    }
    if (loads_ && op.wait.vm != emu::WaitLimit::none)
      counts_[Hidden] += sinceLoad_, loads_ = false;
  } else if (op.isMemory()) {
    countMemory(op);
  }
}

void Counter::countMemory(const TimedOp &op) {
  const MemoryStep &step = wave_.memory[memory_++];
  counts_[LdsPasses] += step.passes * (op.accessBytes > 8 ? machine_[LdsWidePass] : 1);
  counts_[Lines] += step.lines;
  if (op.issue == IssueClass::Lds && op.resultDwords != 0 && !ldsLoads_)
    sinceLdsLoad_ = 0, ldsLoads_ = true;
  if (op.issue == IssueClass::VectorMemory && !loads_)
    sinceLoad_ = 0, loads_ = true; // The first of those that the next wait is for.
}

} // namespace

/// Of a wave that was not recorded to its end, the second half of the record goes on.
LoopNest countNest(const Recording &recording, const Machine &machine) {
  const WaveStream &wave = recording.groups[0].waves[0];
  Counter counter(wave, machine);
  const size_t half = wave.steps.size() / 2;
  for (size_t n = 0; n < half; ++n)
    counter.count(recording.ops[wave.steps[n]]);
  const Counts first = counter.counts();
  for (size_t n = half; n < wave.steps.size(); ++n)
    counter.count(recording.ops[wave.steps[n]]);
  Counts all = counter.counts();
  const auto known = static_cast<double>(wave.steps.size());
  const double times = (static_cast<double>(wave.executed) - known) /
                       std::max(1.0, known - static_cast<double>(half));
  for (size_t n = 0; n < sums; ++n)
    all[n] += (all[n] - first[n]) * times;
  const auto barriers = static_cast<double>(std::max<size_t>(1, counter.differentBarriers()));
  LoopNest nest;
  nest.vectorClocks = all[VectorClocks];
  nest.codeClocks = all[CodeClocks];
  nest.ldsPasses = all[LdsPasses];
  nest.lines = all[Lines];
  nest.outerSteps = std::max(1.0, all[Barriers] / barriers);
  nest.innerSteps = std::max(1.0, all[Waits] / nest.outerSteps);
  nest.stages = all[Hidden] > nest.vectorClocks / 4 ? 2 : 1;
  nest.fragmentStages = all[HiddenLds] > nest.vectorClocks / 4 ? 2 : 1;
  return nest;
}

double pipelinedLoop(const PipelinedStep &step, double steps) {
  return std::max({step.use, step.together, (step.load + step.use) / step.stages}) * steps;
}

double analyticalEstimate(const ObservedLaunch &observed, const LoopNest &nest,
                          const Machine &machine) {
  const bool isCu = observed.place == Residents::Place::Cu;
  const double simds = isCu ? 2 : 4;
  const double units = machine.device().cus / (isCu ? 1.0 : 2.0);
  const double groups = std::ceil(static_cast<double>(observed.launch.workgroups()) / units);
  const double together = std::min<double>(observed.groupsPerUnit, groups);
  const double batches = std::ceil(groups / together);
  const auto waves = static_cast<double>(observed.recording.groups[0].waves.size());
  const double halves = isCu ? 1 : 2; // Of LDS, each with its own port.
  // A step of the inner loop, of one wave, and of all that live on its SIMD.
  const double inner = nest.outerSteps * nest.innerSteps;
  const double compute = std::max(nest.vectorClocks, nest.codeClocks) / inner;
  const double passes = nest.ldsPasses / inner * waves / halves;
  const double fragment = machine[LdsLatency] + passes;
  const auto innerLoop = [&](double workgroups) {
    const double onSimd = std::ceil(waves * workgroups / simds);
    return pipelinedLoop({.load = fragment,
                          .use = compute,
                          .together = std::max(compute * onSimd, passes * workgroups),
                          .stages = nest.fragmentStages},
                         nest.innerSteps);
  };
  const double lineClocks = lineBytes * units / machine[L2BytesPerClock];
  const double tileLoad =
      machine[L2Latency] + nest.lines / nest.outerSteps * waves * together * lineClocks;
  // Workgroups hide each other's loads, but share what they use.
  const double main = pipelinedLoop({.load = tileLoad,
                                     .use = innerLoop(1),
                                     .together = innerLoop(together),
                                     .stages = nest.stages},
                                    nest.outerSteps);
  const double block = machine[CacheLatency] + fragment + main + machine[StoreLatency];
  return block * batches * 1e-3 / machine.clockMHz() + machine[LaunchMicroseconds] * 1e-3;
}

} // namespace rdna::timing
