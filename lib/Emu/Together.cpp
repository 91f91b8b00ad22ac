#include "Emu/Together.h"

#include <algorithm>

namespace rdna::emu {

/// When no workgroup runs: all are at the barrier, or have ended.
std::optional<TogetherRunner::Outcome> TogetherRunner::passGridBarrier() {
  const auto hasEnded = [](const auto &g) { return g->progress == GroupProgress::Ended; };
  const auto waiting = std::find_if_not(groups_.begin(), groups_.end(), hasEnded);
  if (std::any_of(groups_.begin(), groups_.end(), hasEnded)) {
    const auto waves = (*waiting)->runner.waves();
    const auto wave = std::find_if(waves.begin(), waves.end(),
                                   [](const auto &w) { return w->event == Event::GridBarrier; });
    return Outcome{{Event::Deserted, (*wave)->culprit->offset},
                   uint64_t(std::distance(groups_.begin(), waiting))};
  }
  for (const auto &group : groups_) {
    group->runner.releaseGridBarrier();
    group->progress = GroupProgress::Running;
  }
  return std::nullopt;
}

TogetherRunner::Outcome TogetherRunner::run(uint64_t total,
                                            const std::function<GroupId(uint64_t)> &id,
                                            const std::function<void()> &groupDone) {
  for (uint64_t n = 0; n < total; ++n) {
    groups_.push_back(std::make_unique<Group>(state_));
    groups_.back()->runner.begin(id(n));
  }
  for (uint64_t ended = 0; ended < total;) {
    bool someRun = false;
    for (uint64_t n = 0; n < total; ++n) {
      Group &group = *groups_[n];
      if (group.progress != GroupProgress::Running)
        continue;
      group.progress = group.runner.advance();
      if (group.progress == GroupProgress::Stopped)
        return {group.runner.stop(), n};
      if (group.progress == GroupProgress::Ended) {
        ++ended;
        groupDone();
      }
      someRun |= group.progress == GroupProgress::Running;
    }
    if (!someRun && ended < total)
      if (const auto outcome = passGridBarrier())
        return *outcome;
  }
  return {};
}

void TogetherRunner::mergeLog(BoundsLog &log) {
  for (const auto &group : groups_)
    log.merge(group->runner.log());
}

uint64_t TogetherRunner::instructions() const {
  uint64_t sum = 0;
  for (const auto &group : groups_)
    for (const auto &wave : group->runner.waves())
      sum += wave->executed;
  return sum;
}

uint64_t TogetherRunner::compiledInstructions() const {
  uint64_t sum = 0;
  for (const auto &group : groups_)
    sum += group->runner.compiledInstructions();
  return sum;
}

} // namespace rdna::emu
