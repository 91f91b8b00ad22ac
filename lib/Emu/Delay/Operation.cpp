#include "Emu/Delay/Operation.h"

#include "Isa/OpTraits.h"

#include <algorithm>

namespace rdna::emu {
namespace {

/// Calls f(VGPR) and g(scalar register) for every register of a set that a wave holds as such. SCC,
/// MODE and the apertures are no operands of memory instructions.
template <class F, class G> void forEachRegister(const RegSet &set, F f, G g) {
  for (unsigned k = 0; k < set.word.size(); ++k)
    for (uint64_t left = set.word[k]; left; left &= left - 1) {
      const unsigned unit = 64 * k + unsigned(__builtin_ctzll(left));
      if (unit < RegUnit::kScalarBase)
        f(unit);
      else if (const unsigned scalar = unit - RegUnit::kScalarBase; scalar < 128)
        g(scalar);
    }
}

void save(Wave &w, const RegSet &registers, DelayedOp &op) {
  op.rows.clear();
  op.scalars.clear();
  forEachRegister(
      registers, [&](unsigned v) { op.rows.push_back(w.vgpr(v)); },
      [&](unsigned s) { op.scalars.push_back(w.s[s]); });
}

RegSet operandsOf(const InstPlan &plan) {
  RegSet all = plan.reads;
  all |= plan.writes;
  return all;
}

/// D16 loads keep the other half of their destination, as it is when they return.
uint32_t writtenBits(const InstPlan &plan) {
  const MemoryTraits &memory = opTraits(plan.facts().op).memory;
  if (!plan.partial || memory.isFormatted)
    return ~0u;
  return memory.d16 == D16::High ? 0xffff0000u : 0xffffu;
}

bool overlap(const LaneAccess &a, const LaneAccess &b) {
  if (a.space != b.space)
    return false;
  for (uint32_t left = a.lanes; left; left &= left - 1) {
    const auto lane = unsigned(__builtin_ctz(left));
    const uint64_t lo = a.at[lane], hi = lo + a.bytes;
    // A lane's scratch is its own.
    const uint32_t others = a.space == LaneAccess::Space::Scratch ? 1u << lane : ~0u;
    for (uint32_t other = b.lanes & others; other; other &= other - 1) {
      const uint64_t at = b.at[unsigned(__builtin_ctz(other))];
      if (at < hi && lo < at + b.bytes)
        return true;
    }
  }
  return false;
}

} // namespace

DelayedOp takeOperands(Wave &w, const InstPlan &plan) {
  DelayedOp op;
  op.plan = &plan;
  op.owes = plan.counters;
  op.exec = w.exec();
  op.m0 = w.s[regM0];
  save(w, operandsOf(plan), op);
  return op;
}

bool mayOverlap(const DelayedOp &a, const DelayedOp &b) {
  if (a.accesses.empty() || b.accesses.empty())
    return true;
  return std::any_of(a.accesses.begin(), a.accesses.end(), [&](const LaneAccess &x) {
    return std::any_of(b.accesses.begin(), b.accesses.end(),
                       [&](const LaneAccess &y) { return overlap(x, y); });
  });
}

void Performer::perform(const Wave &owner, DelayedOp &op) {
  Wave &w = *stand_;
  w.number = owner.number;
  w.executed = owner.executed;
  w.mode = owner.mode;
  w.care = owner.care;
  w.memory = owner.memory;
  w.globalShare = owner.globalShare;
  w.lds = owner.lds;
  w.ldsBytes = owner.ldsBytes;
  w.scratch = owner.scratch;
  w.scratchBytes = owner.scratchBytes;
  w.scratchStride = owner.scratchStride;
  auto row = op.rows.begin();
  auto scalar = op.scalars.begin();
  forEachRegister(
      operandsOf(*op.plan), [&](unsigned v) { w.vgpr(v) = *row++; },
      [&](unsigned s) { w.s[s] = *scalar++; });
  w.s[regExec] = op.exec;
  w.s[regM0] = op.m0;
  op.plan->first->run(w, *op.plan->first);
  save(w, op.plan->writes, op);
  op.state = DelayedOp::State::Performed;
}

void deliver(Wave &w, const DelayedOp &op) {
  const uint32_t bits = writtenBits(*op.plan);
  auto row = op.rows.begin();
  auto scalar = op.scalars.begin();
  forEachRegister(
      op.plan->writes,
      [&](unsigned v) {
        const Lanes &result = *row++;
        for (unsigned lane = 0; lane < laneCount; ++lane)
          if (op.exec >> lane & 1) {
            uint32_t &to = w.vgpr(v).lane[lane];
            to = (to & ~bits) | (result.lane[lane] & bits);
          }
      },
      [&](unsigned s) { w.s[s] = *scalar++; });
}

} // namespace rdna::emu
