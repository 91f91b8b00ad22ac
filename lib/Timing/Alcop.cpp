#include "Timing/Alcop.h"

#include <algorithm>
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

LoopNest countNest(const Recording &recording, const Machine &machine) {
  LoopNest nest;
  const WaveStream &wave = recording.groups[0].waves[0];
  std::set<uint32_t> barriers;
  double barrierCount = 0, waits = 0, sinceLoad = 0, hidden = 0;
  size_t memory = 0;
  bool ldsLoads = false, loads = false;
  for (const uint32_t number : wave.steps) {
    const TimedOp &op = recording.ops[number];
    nest.codeClocks += op.bytes / machine[FetchBytes];
    if (op.issue == IssueClass::Vector) {
      nest.vectorClocks += clocksOf(op, machine);
      sinceLoad += 1;
    } else if (op.issue == IssueClass::Barrier) {
      barriers.insert(number);
      barrierCount += 1;
    } else if (op.issue == IssueClass::Wait) {
      waits += ldsLoads && op.wait.lgkm != emu::WaitLimit::none;
      ldsLoads = ldsLoads && op.wait.lgkm == emu::WaitLimit::none;
      if (loads && op.wait.vm != emu::WaitLimit::none)
        hidden += sinceLoad, loads = false;
    } else if (op.isMemory()) {
      const MemoryStep &step = wave.memory[memory++];
      nest.ldsPasses += step.passes * (op.accessBytes > 8 ? machine[LdsWidePass] : 1);
      nest.lines += step.lines;
      ldsLoads |= op.issue == IssueClass::Lds && op.resultDwords != 0;
      if (op.issue == IssueClass::VectorMemory && !loads)
        sinceLoad = 0, loads = true; // The first of those that the next wait is for.
    }
  }
  nest.outerSteps = std::max(1.0, barrierCount / std::max<double>(1, barriers.size()));
  nest.innerSteps = std::max(1.0, waits / nest.outerSteps);
  nest.stages = hidden > nest.vectorClocks / 4 ? 2 : 1;
  return nest;
}

double pipelinedLoop(double load, double use, double steps, double stages, double workers) {
  return load <= (stages * workers - 1) * use ? use * steps : (load + use) * steps / stages;
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
  // Times of a unit's workgroups together, for one inner step.
  const double inner = nest.outerSteps * nest.innerSteps;
  const double compute = std::max(nest.vectorClocks, nest.codeClocks) / inner * waves / simds;
  const double halves = isCu ? 1 : 2;
  const double fragment = machine[LdsLatency] + nest.ldsPasses / inner * waves / halves;
  const double tileUse = std::max(
      pipelinedLoop(fragment, compute, nest.innerSteps, 1, std::max(1.0, waves * together / simds)),
      nest.ldsPasses / nest.outerSteps * waves / halves);
  const double lineClocks = lineBytes * units / machine[L2BytesPerClock];
  const double tileLoad =
      machine[L2Latency] + nest.lines / nest.outerSteps * waves * together * lineClocks;
  // Workgroups hide each other's loads, but use the unit one after the other.
  const double main =
      std::max(pipelinedLoop(tileLoad, tileUse, nest.outerSteps, nest.stages, together),
               tileUse * together * nest.outerSteps);
  const double block = machine[CacheLatency] + fragment + main + machine[StoreLatency];
  return block * batches * 1e-3 / machine.clockMHz() + machine[LaunchMicroseconds] * 1e-3;
}

} // namespace rdna::timing
