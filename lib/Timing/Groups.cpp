// Workgroups of a simulated compute unit: their places, their barriers, and the shares of its time.

#include "Timing/Simulator.h"

#include <algorithm>

namespace rdna::timing {

using enum Constant;

/// The next workgroup, if there is one: its waves go around the SIMDs.
void Simulator::startGroup(Cycles start) {
  if (nextGroup_ == residents_.groups.size())
    return;
  const GroupStream &stream = *residents_.groups[nextGroup_++];
  const auto group = static_cast<unsigned>(groups_.size());
  groups_.push_back({static_cast<unsigned>(stream.waves.size())});
  for (size_t n = 0; n < stream.waves.size(); ++n) {
    waves_.push_back(
        std::make_unique<SimulatedWave>(machine_, start + static_cast<Cycles>(n), stream.waves[n]));
    SimulatedWave &made = *waves_.back();
    made.steps = std::min(stream.waves[n].steps.size(), residents_.steps);
    made.group = group;
    made.age = static_cast<unsigned>(++started_);
    made.simd = emptiestSimd();
    simds_[made.simd].waves.push_back(&made);
    wake_ = std::min(wake_, made.readyAt);
    ++running_;
  }
}

unsigned Simulator::emptiestSimd() const {
  const auto found =
      std::min_element(simds_.begin(), simds_.end(), [](const Simd &a, const Simd &b) {
        return a.waves.size() < b.waves.size();
      });
  return static_cast<unsigned>(found - simds_.begin());
}

/// Its waves make room for the next workgroup.
void Simulator::endGroup(unsigned group, Cycles now) {
  for (Simd &simd : simds_)
    std::erase_if(simd.waves, [group](const SimulatedWave *wave) { return wave->group == group; });
  std::erase_if(waves_, [group](const auto &wave) { return wave->group == group; });
  startGroup(now + machine_.cycles(StoreLatency) + machine_.cycles(GroupStart));
}

void Simulator::openBarrier(unsigned group, Cycles now) {
  groups_[group].arrived = 0;
  const Cycles release = now + machine_.cycles(BarrierRelease);
  for (const auto &wave : waves_)
    if (wave->group == group && wave->mode == SimulatedWave::Mode::AtBarrier) {
      wave->mode = SimulatedWave::Mode::Running;
      wave->state.resumeAt(release);
      wave->readyAt = release;
      wave->why = Stall::Barrier;
      wake_ = std::min(wake_, release);
    }
}

void Simulator::arrive(SimulatedWave &wave, Cycles now) {
  Group &group = groups_[wave.group];
  if (group.waves == 1 || what_.without == WhatIf::Part::Barriers)
    return;
  wave.mode = SimulatedWave::Mode::AtBarrier;
  wave.readyAt = never;
  if (++group.arrived + group.ended == group.waves)
    openBarrier(wave.group, now);
}

/// Shares that add up: the vector ALU's own time, then what waves waited for in the rest of it.
void Simulator::finish() {
  result_.simds = static_cast<unsigned>(simds_.size());
  double busy = 0, conflicts = 0, dependence = 0;
  for (const Simd &simd : simds_) {
    busy += simd.state.busyClocks - simd.state.conflictClocks;
    conflicts += simd.state.conflictClocks;
    dependence += simd.state.dependenceClocks;
  }
  const double simds = result_.simds;
  const auto clocks = static_cast<double>(result_.clocks);
  busy = std::min(busy / simds, clocks);
  conflicts = std::min(conflicts / simds, clocks - busy);
  dependence = std::min(dependence / simds, clocks - busy - conflicts);
  result_.vectorBusy = clocks > 0 ? (busy + conflicts) / clocks : 0;
  const auto at = [this](Stall stall) -> double & {
    return result_.limiters[static_cast<size_t>(stall)];
  };
  waits_[static_cast<size_t>(Stall::VectorIssue)] = 0;
  double all = 0;
  for (const double wait : waits_)
    all += wait;
  const double rest = clocks - busy - conflicts - dependence;
  for (unsigned n = 0; n < stallKinds; ++n)
    result_.limiters[n] = all > 0 ? rest * waits_[n] / all : 0;
  at(Stall::VectorIssue) += busy + (all > 0 ? 0 : rest);
  at(Stall::BankConflicts) += conflicts;
  at(Stall::VectorDependence) += dependence;
}

} // namespace rdna::timing
