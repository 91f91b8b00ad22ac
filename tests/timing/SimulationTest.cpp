// A compute unit with waves that are made by hand.

#include "Timing/Simulation.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace simulationTest {

using namespace rdna;
using namespace rdna::timing;

namespace {

Machine xtx() { return llvm::cantFail(machineByName("7900xtx")); }

/// Waves of one workgroup from lists of instructions.
class Scene {
public:
  uint32_t add(TimedOp op) {
    op.number = static_cast<uint32_t>(recording_.ops.size());
    op.offset = 0; // All in one line of code.
    recording_.ops.push_back(std::move(op));
    return recording_.ops.back().number;
  }
  /// Vector instructions of 8 bytes, one behind the other, none of which needs another.
  std::vector<std::pair<uint32_t, unsigned>> straight(unsigned count) {
    std::vector<std::pair<uint32_t, unsigned>> program;
    for (unsigned n = 0; n < count; ++n) {
      const uint32_t number = vector(1, 2);
      recording_.ops[number].offset = n * 8;
      recording_.ops[number].bytes = 8;
      program.push_back({number, 1});
    }
    return program;
  }
  uint32_t vector(unsigned reads, unsigned writes, uint8_t shared = 0) {
    TimedOp op;
    op.issue = IssueClass::Vector;
    op.vectorSources = 2;
    op.sharedSources = shared;
    op.reads.push_back(static_cast<uint16_t>(reads));
    op.writes.push_back(static_cast<uint16_t>(writes));
    return add(op);
  }
  uint32_t of(IssueClass issue) {
    TimedOp op;
    op.issue = issue;
    op.wait = {0, 0, 0};
    op.resultDwords = issue == IssueClass::Lds ? 1 : 0;
    op.counters = emu::counterLds;
    return add(op);
  }
  void wave(const std::vector<std::pair<uint32_t, unsigned>> &program) {
    WaveStream stream;
    for (const auto &[op, times] : program)
      for (unsigned n = 0; n < times; ++n) {
        stream.steps.push_back(op);
        if (recording_.ops[op].isMemory())
          stream.memory.push_back({0, 0, 1});
      }
    group_.waves.push_back(std::move(stream));
  }
  SimulationResult run(const Machine &machine, unsigned groups = 1, unsigned atOnce = 1,
                       IssueListener *listener = nullptr) const {
    Residents residents;
    residents.groups.assign(groups, &group_);
    residents.atOnce = atOnce;
    Sharing sharing;
    sharing.sharedBy.assign(recording_.ops.size(), 1);
    sharing.sharedInArray.assign(recording_.ops.size(), 0);
    const SimulationResult result = simulate(machine, recording_, residents, sharing, {}, listener);
    EXPECT_NEAR(std::accumulate(result.limiters.begin(), result.limiters.end(), 0.0),
                static_cast<double>(result.clocks), 1e-6 * static_cast<double>(result.clocks));
    return result;
  }

private:
  Recording recording_;
  GroupStream group_;
};

TEST(Simulation, IndependentVectorsIssueEachClock) {
  Scene scene;
  scene.wave({{scene.vector(1, 2), 1000}});
  EXPECT_NEAR(static_cast<double>(scene.run(xtx()).clocks), 1000, 20);
}

TEST(Simulation, DependentVectorsAreFiveClocksApart) {
  Scene scene;
  scene.wave({{scene.vector(2, 2), 1000}});
  const SimulationResult result = scene.run(xtx());
  EXPECT_NEAR(static_cast<double>(result.clocks), 5000, 60);
  // The other SIMD has nothing to do, so half of all time is nobody's.
  EXPECT_GT(result.limiters[static_cast<size_t>(Stall::VectorDependence)], 1900);
}

TEST(Simulation, ConflictsOfADualInstructionCostThePenalty) {
  Scene scene;
  scene.wave({{scene.vector(1, 2, 2), 1000}});
  EXPECT_NEAR(static_cast<double>(scene.run(xtx().with(Constant::BankPenalty, 1)).clocks), 2000,
              30);
  EXPECT_NEAR(static_cast<double>(scene.run(xtx().with(Constant::BankPenalty, 0)).clocks), 1000,
              30);
}

// Four waves of each SIMD share what comes from the instruction cache.
TEST(Simulation, CodeComesPieceByPiece) {
  Scene scene;
  const auto program = scene.straight(512);
  for (unsigned wave = 0; wave < 8; ++wave)
    scene.wave(program);
  const auto clocks = [&](double bytes) {
    return static_cast<double>(scene.run(xtx().with(Constant::FetchBytes, bytes)).clocks);
  };
  EXPECT_NEAR(clocks(32), 4 * 512, 40);
  EXPECT_NEAR(clocks(8), 4 * 512, 80);
  EXPECT_NEAR(clocks(4), 8 * 512, 80);
  EXPECT_NEAR(clocks(2), 16 * 512, 80);
}

TEST(Simulation, ALoadFromLdsIsWaitedFor) {
  Scene scene;
  const uint32_t load = scene.of(IssueClass::Lds), wait = scene.of(IssueClass::Wait);
  scene.wave({{load, 1}, {wait, 1}});
  EXPECT_NEAR(static_cast<double>(scene.run(xtx()).clocks), 32, 1); // As in the traces.
}

TEST(Simulation, ABarrierWaitsForTheLastWave) {
  Scene scene;
  const uint32_t vector = scene.vector(1, 2), barrier = scene.of(IssueClass::Barrier);
  scene.wave({{vector, 10}, {barrier, 1}, {vector, 500}});
  scene.wave({{vector, 1000}, {barrier, 1}, {vector, 10}});
  const SimulationResult result = scene.run(xtx());
  EXPECT_NEAR(static_cast<double>(result.clocks), 1000 + 14 + 500, 20);
  EXPECT_GT(result.limiters[static_cast<size_t>(Stall::Barrier)], 400);
}

TEST(Simulation, WorkgroupsFollowEachOther) {
  Scene scene;
  scene.wave({{scene.vector(2, 2), 1000}});
  const auto one = static_cast<double>(scene.run(xtx(), 1, 1).clocks);
  EXPECT_GT(static_cast<double>(scene.run(xtx(), 4, 1).clocks), 4 * one);
}

TEST(Simulation, ListenersHearOfEveryIssueAndEveryWait) {
  struct Log final : IssueListener {
    void issued(const IssueEvent &event) override { events.push_back(event); }
    std::vector<IssueEvent> events;
  } log;
  Scene scene;
  const uint32_t vector = scene.vector(2, 2), load = scene.of(IssueClass::Lds);
  const uint32_t wait = scene.of(IssueClass::Wait);
  scene.wave({{vector, 10}, {load, 1}, {wait, 1}});
  scene.wave({{vector, 20}});
  const SimulationResult result = scene.run(xtx(), 3, 1, &log);
  ASSERT_EQ(log.events.size(), result.instructions);
  std::vector<OpTime> sums(result.ops.size());
  Cycles last = 0;
  std::map<uint32_t, Cycles> issuedBefore;
  for (const IssueEvent &event : log.events) {
    EXPECT_GE(event.at, last);
    last = event.at;
    ++sums[event.op].issues;
    sums[event.op].stalled += static_cast<double>(event.waited);
    // Waves do not issue while they wait.
    const auto before = issuedBefore.find(event.wave);
    EXPECT_TRUE(before == issuedBefore.end() || event.at - event.waited - 1 == before->second);
    issuedBefore[event.wave] = event.at;
  }
  EXPECT_EQ(issuedBefore.size(), 6U);
  for (size_t op = 0; op < sums.size(); ++op) {
    EXPECT_EQ(sums[op].issues, result.ops[op].issues);
    EXPECT_EQ(sums[op].stalled, result.ops[op].stalled);
  }
}

// Vector instructions execute in order, those of other waves behind a dependent one as well (trace
// sync). With S_DELAY_ALU it waits in its wave, and the others go on.
TEST(Simulation, DelaysLetOtherWavesGoOn) {
  Scene plain, delayed;
  TimedOp hint;
  hint.issue = IssueClass::Hint;
  hint.delays = 1;
  const uint32_t delay = delayed.add(hint);
  const uint32_t dependent = plain.vector(2, 2), after = delayed.vector(2, 2);
  for (unsigned wave = 0; wave < 8; ++wave) {
    std::vector<std::pair<uint32_t, unsigned>> program;
    for (unsigned n = 0; n < 500; ++n) {
      program.push_back({delay, 1});
      program.push_back({after, 1});
    }
    delayed.wave(program);
    plain.wave({{dependent, 500}});
  }
  EXPECT_GT(static_cast<double>(plain.run(xtx()).clocks), 4 * 2400);
  EXPECT_LT(static_cast<double>(delayed.run(xtx()).clocks), 1.2 * 2500);
}

} // namespace

} // namespace simulationTest
