#include "Emu/Delay/Runner.h"

#include "Emu/Handlers.h"

#include <algorithm>

namespace rdna::emu {
namespace {

constexpr uint64_t groupsAtOnce = 4;
constexpr unsigned burstLogs = 11;

/// RSRC1 [29].
MemoryOrder memoryOrder(const KernelImage &image) {
  return image.rsrc1 >> 29 & 1 ? MemoryOrder::SameAddress : MemoryOrder::Program;
}

/// Operations on what all workgroups share (GDS, global wave sync) may stop the wave, and are done
/// at once.
bool isDelayed(const InstPlan &plan) {
  const Inst &i = *plan.first;
  if (!plan.counters || i.run == handlers().gdsAccess)
    return false;
  return plan.facts().unit != Unit::Lds || i.op->order != OpInfo::GroupOrder;
}

} // namespace

DelayedRunner::DelayedRunner(const LaunchState &state, uint64_t seed)
    : state_(state), plans_(state.program->plans()), random_(seed),
      rules_(DelayRules::choose(memoryOrder(state.program->image()), random_)),
      performer_(*state.prototype), longestBurstLog_(random_.below(burstLogs)) {}

void DelayedRunner::start(Group &group, uint64_t number, const GroupId &id) {
  group.runner.begin(id);
  group.number = number;
  group.ended = group.waiting = 0;
  group.queues.clear();
  for (const auto &w : group.runner.waves()) {
    runnable_.push_back({&group, unsigned(group.queues.size())});
    group.queues.emplace_back(*w, performer_, rules_, random_);
    resetSlice(*w);
  }
}

/// All operations of one instruction, or none if the wave stalls. The turn often ends where others
/// could make a difference: with an operation in flight, and at a wait, where hardware stalls too.
DelayedRunner::Turn DelayedRunner::step(Wave &w, DelayQueue &queue) {
  const Inst &first = *w.next;
  if (const InstPlan *plan = plans_.find(first)) {
    if (plan->wait.any()) {
      if (!queue.empty() && random_.below(4) != 0)
        return Turn::Ends;
      queue.wait(plan->wait);
    }
    if (isDelayed(*plan)) {
      queue.issue(*plan, now_);
      soonest_ = std::min(soonest_, queue.nextDue());
      ++w.next;
      w.executed += first.count;
      return random_.below(4) == 0 ? Turn::Ends : Turn::GoesOn;
    }
    if (plan->counters)
      queue.drain();
  }
  executeInstruction(w);
  return w.event == Event::None ? Turn::GoesOn : Turn::Ends;
}

void DelayedRunner::progressAll() {
  soonest_ = ~uint64_t(0);
  for (const auto &group : groups_)
    for (DelayQueue &queue : group->queues) {
      if (queue.nextDue() <= now_)
        queue.progress(now_);
      soonest_ = std::min(soonest_, queue.nextDue());
    }
}

void DelayedRunner::runBurst(Wave &w, DelayQueue &queue) {
  const uint32_t length = 1 + random_.below(1u << random_.below(longestBurstLog_ + 1));
  for (uint32_t n = 0; n < length; ++n) {
    if (++now_ >= soonest_)
      progressAll();
    if (step(w, queue) == Turn::Ends)
      break;
  }
  if (w.event == Event::Yield) // S_SLEEP, or the budget is used up.
    w.event = Event::None;
  if (w.event == Event::None) {
    resetSlice(w);
    if (w.budget && w.executed > w.budget)
      stopWave(w, *w.next, Event::Budget);
  }
}

void DelayedRunner::settle(Group &group) {
  const auto waves = group.runner.waves();
  // Ended waves are not waited for (ISA, S_BARRIER).
  if (group.ended + group.waiting != waves.size())
    return;
  group.waiting = 0;
  for (unsigned n = 0; n < waves.size(); ++n)
    if (waves[n]->event == Event::Barrier) {
      waves[n]->event = Event::None;
      runnable_.push_back({&group, n});
    }
}

DelayedRunner::Outcome DelayedRunner::run(uint64_t total,
                                          const std::function<GroupId(uint64_t)> &id,
                                          const std::function<void()> &groupDone) {
  uint64_t next = 0;
  const uint64_t atOnce = state_.program->needsGroupOrder() ? 1 : std::min(groupsAtOnce, total);
  while (next < std::min(atOnce, total)) {
    groups_.push_back(std::make_unique<Group>(state_));
    start(*groups_.back(), next, id(next));
    ++next;
  }
  while (!runnable_.empty()) {
    const uint32_t chosen = random_.below(uint32_t(runnable_.size()));
    auto [group, number] = runnable_[chosen];
    Wave &w = *group->runner.waves()[number];
    runBurst(w, group->queues[number]);
    if (w.event == Event::None)
      continue;
    if (w.event != Event::Barrier && w.event != Event::End)
      return {{w.event, w.culprit ? w.culprit->offset : 0}, group->number};
    runnable_[chosen] = runnable_.back();
    runnable_.pop_back();
    ++(w.event == Event::End ? group->ended : group->waiting);
    settle(*group);
    if (group->ended != group->runner.waves().size())
      continue;
    // A wave that ends leaves its operations in flight; only the end of the group, whose LDS is
    // another one's next, completes them.
    for (DelayQueue &queue : group->queues)
      queue.drain();
    for (const auto &ended : group->runner.waves())
      instructions_ += ended->executed;
    groupDone();
    if (next < total) {
      start(*group, next, id(next));
      ++next;
    }
  }
  return {};
}

void DelayedRunner::mergeLog(BoundsLog &log) {
  for (const auto &group : groups_)
    log.merge(group->runner.log());
}

} // namespace rdna::emu
