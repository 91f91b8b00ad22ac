//===- Together.h - a launch whose workgroups may wait for each other -----===//
#pragma once

#include "Emu/GroupRunner.h"

#include <functional>

namespace rdna::emu {

/// Holds all workgroups of a launch, which take turns on one host thread.
class TogetherRunner {
public:
  using GroupId = std::array<uint32_t, 3>;
  struct Outcome {
    Stop stop;
    uint64_t group = 0; ///< The number of the one that stopped.
  };

  explicit TogetherRunner(const LaunchState &state) : state_(state) {}
  Outcome run(uint64_t total, const std::function<GroupId(uint64_t)> &id,
              const std::function<void()> &groupDone);
  void mergeLog(BoundsLog &log);
  uint64_t instructions() const;
  uint64_t compiledInstructions() const;

private:
  struct Group {
    explicit Group(const LaunchState &state) : runner(state) {}
    GroupRunner runner;
    GroupProgress progress = GroupProgress::Running;
  };
  std::optional<Outcome> passGridBarrier();

  const LaunchState &state_;
  std::vector<std::unique_ptr<Group>> groups_;
};

} // namespace rdna::emu
