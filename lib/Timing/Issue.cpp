#include "Timing/Issue.h"

#include <algorithm>
#include <cmath>

namespace rdna::timing {

using enum Constant;

static constexpr Cycles longAgo = -1000;

WaveState::WaveState(const Machine &machine, Cycles start) : machine_(&machine), next_(start) {
  vectorResult_.fill(longAgo);
  scalarResult_.fill(longAgo);
  writtenByVector_.fill(longAgo);
  writtenByScalar_.fill(longAgo);
}

/// Clocks from the issue of a vector instruction to its execution, if nothing is in its way.
static Cycles pipeline(const TimedOp &op, const Machine &machine) {
  return machine.cycles(IssueToExec) + std::min<Cycles>(op.vectorSources, 2);
}

static Cycles rateOf(const TimedOp &op, const Machine &machine) {
  switch (op.rate) {
  case VectorRate::Full:
  case VectorRate::Transcendental:
  case VectorRate::Matrix:
    return 1;
  case VectorRate::Half:
    return machine.cycles(HalfRate);
  case VectorRate::Quarter:
    return machine.cycles(QuarterRate);
  case VectorRate::Double:
    return machine.cycles(DoubleRate);
  }
  return 1;
}

/// When the execution may begin by what it reads.
double WaveState::vectorReady(const TimedOp &op) const {
  double ready = longAgo;
  for (const uint16_t unit : op.reads)
    ready = std::max(ready, vectorResult_[unit]);
  return ready;
}

void WaveState::sharedVector(const TimedOp &op, const SimdState &simd, Verdict &verdict) const {
  const Machine &m = *machine_;
  verdict.atLeast(simd.vectorPort, Stall::VectorIssue);
  if (op.rate == VectorRate::Transcendental || op.rate == VectorRate::Double)
    verdict.atLeast(simd.transPort, Stall::VectorIssue);
  verdict.atLeast(static_cast<Cycles>(simd.matrixEntries.at(8)), Stall::VectorIssue);
  const auto queue = static_cast<unsigned>(m[VectorQueue]);
  verdict.atLeast(static_cast<Cycles>(simd.executions.at(queue)) + 1, Stall::VectorIssue);
}

void WaveState::ownVector(const TimedOp &op, Own &own) const {
  const Machine &m = *machine_;
  own.before.atLeast(nextVector_, Stall::VectorIssue);
  Verdict &verdict = own.behind;
  for (const uint16_t unit : op.writes)
    if (unit >= RegUnit::kScalarBase && maskWrites_ >= static_cast<unsigned>(m[MaskWrites]))
      verdict.atLeast(masksDone_ + 1, Stall::VectorDependence);
  for (const uint16_t unit : op.reads)
    if (unit >= RegUnit::kScalarBase)
      verdict.atLeast(writtenByScalar_[unit] + m.cycles(ScalarToVector), Stall::Scalar);
  if ((delayed_ & 1) != 0)
    verdict.atLeast(static_cast<Cycles>(std::ceil(vectorReady(op))) - pipeline(op, m),
                    Stall::VectorDependence);
}

void WaveState::earliestScalar(const TimedOp &op, Verdict &verdict) const {
  const Machine &m = *machine_;
  verdict.atLeast(scalarPort_ - m.cycles(ScalarQueue), Stall::Scalar);
  const auto last = static_cast<Cycles>(lastScalar_);
  if (stateWritten_)
    verdict.atLeast(last + m.cycles(ScalarState) + 1, Stall::Scalar);
  else if (op.scalar == ScalarKind::ReadsState || op.scalar == ScalarKind::WritesState)
    verdict.atLeast(last + m.cycles(ScalarState), Stall::Scalar);
}

/// The queue in front of the scalar ALU, which the wave's next ALU instruction must get past.
static Cycles scalarEntry(const Recent<8> &executions, const Machine &m) {
  return static_cast<Cycles>(executions.at(static_cast<unsigned>(m[ScalarQueue]))) +
         m.cycles(ScalarEntry);
}

WaveState::Own WaveState::own(const TimedOp &op) const {
  const Machine &m = *machine_;
  Own own{{next_, Stall::None}, {}};
  Verdict &verdict = own.behind;
  switch (op.issue) {
  case IssueClass::Vector:
    own.before.atLeast(scalarEntry(scalarExecutions_, m), Stall::Scalar);
    ownVector(op, own);
    break;
  case IssueClass::Scalar:
  case IssueClass::ScalarMemory:
  case IssueClass::Branch:
    verdict.atLeast(scalarEntry(scalarExecutions_, m), Stall::Scalar);
    earliestScalar(op, verdict);
    for (const auto *list : {&op.reads, &op.writes})
      for (const uint16_t unit : *list)
        if (unit >= RegUnit::kScalarBase)
          verdict.atLeast(writtenByVector_[unit] + (op.issue == IssueClass::Branch
                                                        ? m.cycles(VectorToBranch)
                                                        : m.cycles(VectorToScalar) - 8),
                          Stall::VectorDependence);
    break;
  case IssueClass::Lds:
  case IssueClass::VectorMemory:
    verdict.atLeast(lastVector_ + m.cycles(VectorToMemory), Stall::VectorDependence);
    for (const uint16_t unit : op.reads)
      if (unit >= RegUnit::kScalarBase)
        verdict.atLeast(static_cast<Cycles>(scalarResult_[unit]), Stall::Scalar);
    break;
  case IssueClass::Internal:
  case IssueClass::Wait:
    if (lastClass_ == IssueClass::Vector || lastClass_ == IssueClass::Scalar)
      verdict.atLeast(lastIssue_ + m.cycles(ImmediateAfterAlu), Stall::Scalar);
    break;
  default:
    break;
  }
  return own;
}

Verdict WaveState::earliest(const TimedOp &op, const Own &own, const SimdState &simd) const {
  Verdict verdict = own.before;
  if (op.issue == IssueClass::Vector)
    sharedVector(op, simd, verdict);
  else if (op.issue == IssueClass::Lds)
    verdict.atLeast(static_cast<Cycles>(simd.ldsEntries.at(8)), Stall::LdsBandwidth);
  verdict.atLeast(own.behind.cycle, own.behind.why);
  return verdict;
}

Cycles WaveState::issueVector(const TimedOp &op, Cycles cycle, SimdState &simd) {
  const Machine &m = *machine_;
  double exec = std::max(static_cast<double>(cycle + pipeline(op, m)), simd.vectorFree);
  if (op.vectorSources != 0 && !hasReadVector_) {
    exec = std::max(exec, static_cast<double>(cycle + pipeline(op, m)) + m[FirstVectorRead]);
    hasReadVector_ = true;
  }
  if (const double ready = vectorReady(op); ready > exec) {
    simd.dependenceClocks += ready - exec;
    exec = ready;
  }
  const Cycles rate = rateOf(op, m);
  double occupied = static_cast<double>(rate);
  if (op.rate == VectorRate::Matrix)
    occupied = m[MatrixRate];
  if (op.tripleBank != 0)
    occupied = std::max(occupied, m[ThreeSources]);
  if (op.sharedSources > 1) {
    const double penalty = (op.sharedSources - 1) * m[BankPenalty];
    occupied += penalty;
    simd.conflictClocks += penalty;
  }
  simd.busyClocks += occupied;
  simd.vectorFree = exec + occupied;
  double latency = m[VectorLatency] + static_cast<double>(rate) - 1;
  if (op.rate == VectorRate::Transcendental) {
    latency = m[TransLatency];
    simd.transPort = cycle + m.cycles(TransRate);
  }
  if (op.rate == VectorRate::Matrix)
    latency += m[MatrixRate];
  // An entry of the queue is free once its instruction executes; WMMA keeps its own to the end.
  simd.executions.add(exec);
  simd.matrixEntries.add(op.rate == VectorRate::Matrix ? exec + occupied - 1 : 0);
  nextVector_ = cycle + rate;
  simd.vectorPort = cycle + rate;
  lastVector_ = static_cast<Cycles>(exec) + rate - 1;
  bool writesMask = false;
  for (const uint16_t unit : op.writes) {
    held_[unit] = false;
    vectorResult_[unit] = exec + latency;
    if (unit >= RegUnit::kScalarBase && unit != RegUnit::kScalarBase + 124) {
      writtenByVector_[unit] = lastVector_;
      writesMask = true;
      vectorResult_[unit] = exec + 1; // The next vector instruction gets a mask at once.
    }
  }
  if (writesMask) {
    if (cycle > masksDone_ || maskWrites_ >= static_cast<unsigned>(m[MaskWrites]))
      maskWrites_ = 0;
    ++maskWrites_;
    masksDone_ = lastVector_;
  }
  return static_cast<Cycles>(exec);
}

Cycles WaveState::issueScalar(const TimedOp &op, Cycles cycle) {
  const Machine &m = *machine_;
  double exec = std::max(static_cast<double>(cycle + 2), lastScalar_ + 1);
  for (const uint16_t unit : op.reads) {
    exec = std::max(exec, scalarResult_[unit]);
    if (unit < RegUnit::kScalarBase || unit == kScc.index || held_[unit])
      continue;
    exec = std::max(exec, static_cast<double>(cycle) + 2 + m[ScalarRead]);
    held_[unit] = true;
  }
  if (op.scalar == ScalarKind::Multiply)
    exec += 1;
  lastScalar_ = exec;
  scalarExecutions_.add(exec);
  if (op.issue == IssueClass::Scalar) {
    scalarPort_ = std::max(scalarPort_, cycle) + std::max<Cycles>(op.scalarSources, 1);
    for (const uint16_t unit : op.writes) {
      scalarResult_[unit] = exec + m[ScalarLatency];
      writtenByScalar_[unit] = static_cast<Cycles>(exec);
    }
  }
  for (const uint16_t unit : op.writes)
    held_[unit] = false;
  stateWritten_ = op.scalar == ScalarKind::WritesState;
  return static_cast<Cycles>(exec);
}

/// An entry of the queue is free shortly after the transfer in front is over. Behind one of an even
/// number of clocks that is a clock earlier, but not twice in a row.
Cycles WaveState::issueLds(const TimedOp &op, Cycles cycle, SimdState &simd,
                           TransferState &transfer) const {
  using enum TransferState::Credit;
  const Cycles exec = transferAt(op, cycle, transfer);
  const bool early =
      transfer.ldsClocks % 2 == 0 && transfer.ldsClocks != 0 && transfer.ldsCredit == Usual;
  transfer.ldsCredit = early ? Early : Usual;
  transfer.ldsClocks = op.operandClocks;
  transfer.lds = exec + op.operandClocks;
  simd.ldsEntries.add(static_cast<double>(exec + machine_->cycles(LdsCredit) - (early ? 1 : 0)));
  return exec;
}

Cycles WaveState::transferAt(const TimedOp &op, Cycles cycle, const TransferState &transfer) const {
  return std::max(cycle + machine_->cycles(MemoryToExec),
                  op.issue == IssueClass::Lds ? transfer.lds : transfer.memory);
}

Cycles WaveState::issue(const TimedOp &op, Cycles cycle, SimdState &simd, TransferState &transfer) {
  const Machine &m = *machine_;
  Cycles exec = cycle;
  next_ = cycle + 1;
  switch (op.issue) {
  case IssueClass::Vector:
    exec = issueVector(op, cycle, simd);
    break;
  case IssueClass::Scalar:
  case IssueClass::ScalarMemory:
    exec = issueScalar(op, cycle);
    break;
  case IssueClass::Lds:
    exec = issueLds(op, cycle, simd, transfer);
    break;
  case IssueClass::VectorMemory:
    exec = transferAt(op, cycle, transfer);
    transfer.memory = exec + op.operandClocks;
    break;
  case IssueClass::Internal:
    next_ = cycle + 1 + op.idle;
    break;
  case IssueClass::Branch:
    next_ = cycle + m.cycles(BranchNotTaken);
    break;
  default:
    break;
  }
  delayed_ >>= 1;
  lastIssue_ = cycle;
  lastClass_ = op.issue;
  return exec;
}

} // namespace rdna::timing
