#include "Emu/Delay/Queue.h"

#include <algorithm>

namespace rdna::emu {
namespace {

constexpr uint8_t inOrder = counterVm | counterVs | counterLds;
/// A counter stalls at 63.
constexpr unsigned mostOutstanding = 63;
/// Bounded, so that a program that polls for an operation nobody waits for makes progress.
constexpr unsigned longestDelayLog = 12;

Pace choosePace(Random &random) {
  constexpr Pace paces[] = {Pace::Prompt, Pace::Mixed, Pace::Mixed, Pace::Late};
  return paces[random.below(std::size(paces))];
}

} // namespace

DelayRules DelayRules::choose(MemoryOrder order, Random &random) {
  DelayRules rules;
  rules.memoryOrder = order;
  rules.lds = choosePace(random);
  rules.loads = choosePace(random);
  rules.stores = choosePace(random);
  rules.scalar = choosePace(random);
  return rules;
}

Pace DelayRules::of(const InstPlan &plan) const {
  if (plan.counters & counterSmem)
    return scalar;
  if (plan.counters & counterVs)
    return stores;
  return plan.counters & counterVm ? loads : lds;
}

uint32_t DelayQueue::drawDelay(Pace pace) {
  switch (pace) {
  case Pace::Prompt:
    return random_.below(4);
  case Pace::Late:
    return (1u << longestDelayLog) + random_.below(1u << longestDelayLog);
  case Pace::Mixed:
    break;
  }
  return random_.below(1u << random_.below(longestDelayLog + 1));
}

void DelayQueue::issue(const InstPlan &plan, uint64_t now) {
  makeRoom(plan.counters);
  DelayedOp op = takeOperands(wave_, plan);
  findPaths(op);
  const Pace pace = rules_.of(plan);
  op.performAt = now + drawDelay(pace);
  op.returnAt = op.performAt + drawDelay(pace);
  nextDue_ = std::min(nextDue_, op.performAt);
  ops_.push_back(std::move(op));
}

void DelayQueue::findPaths(DelayedOp &op) {
  const Unit unit = op.plan->facts().unit;
  if (unit == Unit::Lds)
    op.paths = pathLds;
  if (!isVmem(unit))
    return;
  findAccesses(wave_, *op.plan, accesses_);
  // What a FLAT does in LDS has the order of LDS, the rest that of memory. Lanes that touch nothing
  // stand for an address that is not known: of a formatted buffer access.
  for (const LaneAccess &access : accesses_.all()) {
    if (access.lanes)
      op.paths |= access.space == LaneAccess::Space::Lds ? pathLds : pathMemory;
    if (access.space != LaneAccess::Space::Lds)
      op.accesses.push_back(access);
  }
  if (!op.paths)
    op.paths = pathMemory;
}

bool DelayQueue::mustFollow(const DelayedOp &later, const DelayedOp &earlier) const {
  const uint8_t common = later.paths & earlier.paths;
  if (common & pathLds)
    return true;
  if (!(common & pathMemory))
    return false;
  return rules_.memoryOrder == MemoryOrder::Program || mayOverlap(later, earlier);
}

bool DelayQueue::mayPerform(size_t index) const {
  return std::none_of(ops_.begin(), ops_.begin() + ptrdiff_t(index), [&](const DelayedOp &earlier) {
    return earlier.state == DelayedOp::State::Issued && mustFollow(ops_[index], earlier);
  });
}

bool DelayQueue::mayReturn(size_t index) const {
  const uint8_t counters = ops_[index].owes & inOrder;
  return std::none_of(ops_.begin(), ops_.begin() + ptrdiff_t(index),
                      [&](const DelayedOp &earlier) { return earlier.owes & counters; });
}

/// With what must go before it.
void DelayQueue::perform(size_t index) {
  for (size_t k = 0; k < index; ++k)
    if (ops_[k].state == DelayedOp::State::Issued && mustFollow(ops_[index], ops_[k]))
      perform(k);
  performer_.perform(wave_, ops_[index]);
}

void DelayQueue::progress(uint64_t now) {
  for (size_t k = 0; k < ops_.size();) {
    DelayedOp &op = ops_[k];
    if (op.state == DelayedOp::State::Issued && op.performAt <= now && mayPerform(k))
      performer_.perform(wave_, op);
    if (op.state == DelayedOp::State::Performed && op.returnAt <= now && mayReturn(k)) {
      deliver(wave_, op);
      ops_.erase(ops_.begin() + ptrdiff_t(k));
    } else {
      ++k;
    }
  }
  findNextDue(now);
}

/// What is overdue stands behind an operation that is not, and goes when that one does.
void DelayQueue::findNextDue(uint64_t now) {
  nextDue_ = ~uint64_t(0);
  for (const DelayedOp &op : ops_) {
    const uint64_t due = op.state == DelayedOp::State::Issued ? op.performAt : op.returnAt;
    if (due > now)
      nextDue_ = std::min(nextDue_, due);
  }
}

unsigned DelayQueue::count(uint8_t counters) const {
  return unsigned(std::count_if(ops_.begin(), ops_.end(),
                                [&](const DelayedOp &op) { return op.owes & counters; }));
}

void DelayQueue::makeRoom(uint8_t counters) {
  for (uint8_t counter : {counterVm, counterVs})
    if (counters & counter)
      retire(counter, mostOutstanding - 1);
  if (counters & (counterLds | counterSmem))
    retireLgkm(mostOutstanding - 1);
  finishRetired();
}

/// All but the youngest `left` operations of the counter must be done.
void DelayQueue::retire(uint8_t counter, unsigned left) {
  unsigned outstanding = count(counter);
  for (size_t k = 0; k < ops_.size() && outstanding > left; ++k)
    if (ops_[k].owes & counter) {
      ops_[k].owes &= uint8_t(~counter);
      --outstanding;
    }
}

/// LGKM counts LDS, in order, and SMEM, in any order: as long as there is too much of it, one of
/// those that can be the next goes. An SMEM counts once here although one of several dwords holds
/// the counter twice: halfway it has not given back all of its registers.
void DelayQueue::retireLgkm(unsigned left) {
  for (unsigned outstanding = count(counterLds) + count(counterSmem); outstanding > left;
       --outstanding) {
    std::vector<size_t> candidates;
    bool ldsSeen = false;
    for (size_t k = 0; k < ops_.size(); ++k) {
      if ((ops_[k].owes & counterSmem) || ((ops_[k].owes & counterLds) && !ldsSeen))
        candidates.push_back(k);
      ldsSeen |= (ops_[k].owes & counterLds) != 0;
    }
    DelayedOp &next = ops_[candidates[random_.below(uint32_t(candidates.size()))]];
    next.owes &= uint8_t(~(counterLds | counterSmem));
  }
}

void DelayQueue::finishRetired() {
  for (size_t k = 0; k < ops_.size();) {
    if (ops_[k].owes) {
      ++k;
      continue;
    }
    if (ops_[k].state == DelayedOp::State::Issued)
      perform(k);
    deliver(wave_, ops_[k]);
    ops_.erase(ops_.begin() + ptrdiff_t(k));
  }
}

void DelayQueue::wait(const WaitLimit &limit) {
  if (ops_.empty())
    return;
  if (limit.vm != WaitLimit::none)
    retire(counterVm, limit.vm);
  if (limit.vs != WaitLimit::none)
    retire(counterVs, limit.vs);
  if (limit.lgkm != WaitLimit::none)
    retireLgkm(limit.lgkm);
  finishRetired();
}

void DelayQueue::drain() { wait({.vm = 0, .vs = 0, .lgkm = 0}); }

} // namespace rdna::emu
