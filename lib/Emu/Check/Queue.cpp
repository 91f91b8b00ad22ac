#include "Emu/Check/Queue.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {

void PendingQueue::clear() {
  free_.insert(free_.end(), order_.begin(), order_.end());
  order_.clear();
  owned_ = {};
}

void PendingQueue::issue(const InstPlan &plan, std::span<const LaneAccess> accesses) {
  if (order_.size() >= most) {
    for (Counter counter : {counterVm, counterVs, counterLds, counterSmem})
      if (plan.counters & counter)
        retire(counter, most - 1);
    dropFinished();
  }
  if (free_.empty()) {
    free_.push_back(uint8_t(pool_.size()));
    pool_.emplace_back();
  }
  const uint8_t slot = free_.back();
  free_.pop_back();
  order_.push_back(slot);
  disown(plan.writes);
  PendingOp &op = pool_[slot];
  op.plan = &plan;
  op.owes = plan.counters;
  op.registers = plan.writes;
  op.accesses.assign(accesses.begin(), accesses.end());
  owned_ |= plan.writes;
}

void PendingQueue::wait(const WaitLimit &limit) {
  if (order_.empty())
    return;
  if (limit.vm != WaitLimit::none)
    retire(counterVm, limit.vm);
  if (limit.vs != WaitLimit::none)
    retire(counterVs, limit.vs);
  if (limit.lgkm != WaitLimit::none) {
    retire(counterLds, limit.lgkm);
    if (limit.lgkm == 0)
      retire(counterSmem, 0);
  }
  dropFinished();
}

/// All but the youngest `left` operations of the counter are done. SMEM has no order; for it,
/// `left` only says that the counter is full, and forgetting the oldest can hide a finding but not
/// make one.
void PendingQueue::retire(Counter counter, unsigned left) {
  unsigned seen = 0;
  for (auto slot = order_.rbegin(); slot != order_.rend(); ++slot)
    if (pool_[*slot].owes & counter && seen++ >= left)
      pool_[*slot].owes &= uint8_t(~counter);
}

void PendingQueue::dropFinished() {
  const auto finished = [&](uint8_t slot) {
    if (pool_[slot].owes)
      return false;
    owned_ -= pool_[slot].registers;
    free_.push_back(slot);
    return true;
  };
  order_.erase(std::remove_if(order_.begin(), order_.end(), finished), order_.end());
}

const PendingOp *PendingQueue::owner(unsigned unit) const {
  for (auto slot = order_.rbegin(); slot != order_.rend(); ++slot)
    if (pool_[*slot].registers.has(unit))
      return &pool_[*slot];
  return nullptr;
}

void PendingQueue::disown(const RegSet &registers) {
  if (!owned_.intersects(registers))
    return;
  owned_ -= registers;
  for (uint8_t slot : order_)
    pool_[slot].registers -= registers;
}

unsigned PendingQueue::behind(const PendingOp &op, Counter counter) const {
  unsigned n = 0;
  for (auto slot = order_.rbegin(); slot != order_.rend() && &pool_[*slot] != &op; ++slot)
    n += pool_[*slot].owes & counter ? 1 : 0;
  return n;
}

WaitLimit PendingQueue::neededFor(const PendingOp &op) const {
  WaitLimit limit;
  if (op.owes & counterVm)
    limit.vm = uint8_t(behind(op, counterVm));
  if (op.owes & counterVs)
    limit.vs = uint8_t(behind(op, counterVs));
  if (op.owes & counterLds)
    limit.lgkm = uint8_t(behind(op, counterLds));
  if (op.owes & counterSmem)
    limit.lgkm = 0;
  return limit;
}

std::string waitText(const WaitLimit &limit) {
  std::string counts, text;
  if (limit.vm != WaitLimit::none)
    counts += fmt::format(" vmcnt({})", limit.vm);
  if (limit.lgkm != WaitLimit::none)
    counts += fmt::format(" lgkmcnt({})", limit.lgkm);
  if (!counts.empty())
    text = "s_waitcnt" + counts;
  if (limit.vs != WaitLimit::none)
    text += fmt::format("{}s_waitcnt_vscnt null, {:#x}", text.empty() ? "" : " and ", limit.vs);
  return text;
}

} // namespace rdna::emu
