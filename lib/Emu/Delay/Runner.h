//===- Runner.h - a launch with delayed memory and interleaved waves ---===//
//
// What the counters and the hardware's order of memory allow, decided by a seed. One host thread
// runs a few workgroups at a time, so a seed gives the same run everywhere.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Delay/Queue.h"
#include "Emu/GroupRunner.h"

#include <functional>

namespace rdna::emu {

class DelayedRunner {
public:
  using GroupId = std::array<uint32_t, 3>;
  struct Outcome {
    Stop stop;
    uint64_t group = 0; ///< The number of the group that stopped.
  };

  DelayedRunner(const LaunchState &state, uint64_t seed);
  /// Runs the groups numbered 0 to `total`.
  Outcome run(uint64_t total, const std::function<GroupId(uint64_t)> &id,
              const std::function<void()> &groupDone);
  uint64_t instructions() const { return instructions_; }
  void mergeLog(BoundsLog &log);

private:
  /// A workgroup that runs.
  struct Group {
    explicit Group(const LaunchState &state) : runner(state) {}
    GroupRunner runner;
    std::vector<DelayQueue> queues; ///< By wave.
    uint64_t number = 0;
    size_t ended = 0, waiting = 0;
  };
  struct Runnable {
    Group *group;
    unsigned wave;
  };

  void start(Group &group, uint64_t number, const GroupId &id);
  enum class Turn { GoesOn, Ends };
  Turn step(Wave &w, DelayQueue &queue);
  void progressAll();
  /// Runs a wave for a random while.
  void runBurst(Wave &w, DelayQueue &queue);
  /// The wave has stopped at a barrier or its end: lets the others of the group go on if it was the
  /// last one.
  void settle(Group &group);
  void resetSlice(Wave &w) { w.sliceEnd = w.budget ? w.budget : ~uint64_t(0); }

  const LaunchState &state_;
  const ProgramPlans &plans_;
  Random random_;
  DelayRules rules_;
  Performer performer_;
  unsigned longestBurstLog_ = 0;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<Runnable> runnable_;
  uint64_t now_ = 0, soonest_ = ~uint64_t(0); ///< In instructions of the run.
  uint64_t instructions_ = 0;
};

} // namespace rdna::emu
