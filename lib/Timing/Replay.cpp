#include "Timing/Replay.h"

#include "Timing/Issue.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

namespace rdna::timing {

std::string_view toString(GapKind kind) {
  constexpr std::array<std::string_view, gapKinds> names = {
      "VALU", "SALU", "LDS issue", "VMEM issue", "SMEM issue", "LDS wait", "barrier", "other"};
  return names[static_cast<size_t>(kind)];
}

namespace {

GapKind kindOf(const TimedOp &op, const TimedOp *before) {
  if (before && before->issue == IssueClass::Barrier)
    return GapKind::Barrier;
  switch (op.issue) {
  case IssueClass::Vector:
    return GapKind::Vector;
  case IssueClass::Scalar:
    return GapKind::Scalar;
  case IssueClass::Lds:
    return GapKind::Lds;
  case IssueClass::VectorMemory:
    return GapKind::VectorMemory;
  case IssueClass::ScalarMemory:
    return GapKind::ScalarMemory;
  case IssueClass::Wait:
    return GapKind::LdsWait;
  default:
    return GapKind::Other;
  }
}

/// One wave of the trace.
struct Follower {
  WaveState state;
  const TimedOp *before = nullptr;
  Cycles last = 0; ///< Issue, as the model follows it,
  Cycles lastMeasured = 0;
  double ldsDone = 0;
  unsigned coldOperations = 0; ///< Whose latency is not the model's.
};

class Replayer {
public:
  Replayer(const Trace &trace, const Machine &machine, InFront inFront)
      : trace_(trace), machine_(machine), inFront_(inFront) {}
  std::vector<Gap> run();

private:
  void predict(Follower &wave, const TraceIssue &issue);
  void act(Follower &wave, const TraceIssue &issue, Cycles cycle);
  void takeOthers(const Follower &wave, const TraceIssue &issue, Cycles cycle);

  const Trace &trace_;
  const Machine &machine_;
  InFront inFront_;
  SimdState simd_;
  TransferState transfer_;
  Cycles arrival_ = 0; ///< The last one at the barrier.
  size_t nextLds_ = 0, nextMemory_ = 0;
  std::map<unsigned, std::unique_ptr<Follower>> waves_;
  std::array<unsigned, gapKinds> occurrences_{};
  std::vector<Gap> gaps_;
};

constexpr uint32_t lineBytes = 64;

/// Does the instruction begin in, or reach into, another line of code than the one in front?
bool entersLine(const TimedOp &op, const TimedOp &before) {
  return (op.offset + op.bytes - 1) / lineBytes != before.offset / lineBytes;
}

/// What the other SIMD transfers is given: it goes first where both could.
void Replayer::takeOthers(const Follower &wave, const TraceIssue &issue, Cycles cycle) {
  const bool isLds = issue.op.issue == IssueClass::Lds;
  const std::vector<OtherTransfer> &list = isLds ? trace_.otherLds : trace_.otherMemory;
  size_t &next = isLds ? nextLds_ : nextMemory_;
  Cycles &port = isLds ? transfer_.lds : transfer_.memory;
  for (;
       next < list.size() && list[next].cycle <= wave.state.transferAt(issue.op, cycle, transfer_);
       ++next)
    port = std::max(port, list[next].cycle + static_cast<Cycles>(list[next].clocks));
}

void Replayer::predict(Follower &wave, const TraceIssue &issue) {
  Gap gap;
  gap.kind = kindOf(issue.op, wave.before);
  gap.occurrence = occurrences_[static_cast<size_t>(gap.kind)]++;
  gap.issue = &issue;
  gap.measured = issue.cycle - wave.lastMeasured;
  Verdict verdict = wave.state.earliest(issue.op, simd_);
  if (gap.kind == GapKind::Barrier)
    verdict.atLeast(arrival_ + machine_.cycles(Constant::BarrierRelease), Stall::Barrier);
  if (issue.op.issue == IssueClass::Wait) {
    if (wave.coldOperations != 0)
      gap.left = Gap::Left::ColdMemory;
    verdict.atLeast(static_cast<Cycles>(wave.ldsDone), Stall::LdsLatency);
  }
  gap.predicted = verdict.cycle - wave.last;
  gap.why = verdict.why;
  if (gap.left == Gap::Left::No && gap.measured > 8 && entersLine(issue.op, *wave.before))
    gap.left = Gap::Left::ColdCode;
  gaps_.push_back(gap);
}

void Replayer::act(Follower &wave, const TraceIssue &issue, Cycles cycle) {
  if (issue.op.isMemory())
    takeOthers(wave, issue, cycle);
  const Cycles exec = wave.state.issue(issue.op, cycle, simd_, transfer_);
  switch (issue.op.issue) {
  case IssueClass::Lds:
    wave.ldsDone = std::max(
        wave.ldsDone,
        static_cast<double>(exec + issue.op.operandClocks) +
            machine_[issue.op.writes.empty() ? Constant::LdsStoreLatency : Constant::LdsLatency]);
    break;
  case IssueClass::VectorMemory:
  case IssueClass::ScalarMemory:
    ++wave.coldOperations;
    break;
  case IssueClass::Wait:
    wave.coldOperations = 0;
    break;
  case IssueClass::Barrier:
    arrival_ = std::max(arrival_, cycle);
    break;
  default:
    break;
  }
  wave.before = &issue.op;
  wave.last = cycle;
  wave.lastMeasured = issue.cycle;
}

std::vector<Gap> Replayer::run() {
  for (const TraceIssue &issue : trace_.issues) {
    std::unique_ptr<Follower> &wave = waves_[issue.wave];
    Cycles cycle = issue.cycle;
    if (!wave) {
      wave = std::make_unique<Follower>(Follower{WaveState(machine_, 0)});
    } else {
      predict(*wave, issue);
      if (inFront_ == InFront::Predicted) {
        const Gap &gap = gaps_.back();
        cycle = wave->last + (gap.left == Gap::Left::No ? gap.predicted : gap.measured);
      }
    }
    act(*wave, issue, cycle);
  }
  return std::move(gaps_);
}

} // namespace

std::vector<Gap> replay(const Trace &trace, const Machine &machine, InFront inFront) {
  return Replayer(trace, machine, inFront).run();
}

std::vector<WaveClocks> durations(const Trace &trace, const Machine &machine) {
  std::map<unsigned, WaveClocks> waves;
  const std::vector<Gap> gaps = replay(trace, machine, InFront::Predicted);
  for (const Gap &gap : gaps) {
    WaveClocks &clocks = waves[gap.issue->wave];
    clocks.wave = gap.issue->wave;
    if (gap.left != Gap::Left::No)
      continue;
    clocks.measured += gap.measured;
    clocks.predicted += gap.predicted;
  }
  std::vector<WaveClocks> out;
  for (const auto &[wave, clocks] : waves)
    out.push_back(clocks);
  return out;
}

GapScore score(const std::vector<Gap> &gaps, GapKind kind, Occurrences which) {
  GapScore out;
  std::map<Cycles, unsigned> counts;
  for (const Gap &gap : gaps) {
    if (gap.kind != kind || (which == Occurrences::Even && gap.occurrence % 2 != 0) ||
        (which == Occurrences::Odd && gap.occurrence % 2 == 0))
      continue;
    out.coldCode += gap.left == Gap::Left::ColdCode;
    out.coldMemory += gap.left == Gap::Left::ColdMemory;
    if (gap.left != Gap::Left::No)
      continue;
    const Cycles error = std::abs(gap.measured - gap.predicted);
    ++out.samples;
    out.exact += error == 0;
    out.withinOne += error <= 1;
    out.withinTwo += error <= 2;
    const unsigned count = ++counts[gap.measured];
    if (count > out.constantExact)
      out.constantExact = count, out.bestConstant = gap.measured;
  }
  return out;
}

} // namespace rdna::timing
