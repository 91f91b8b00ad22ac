//===- Issue.h - when a wave may issue, and what that does ------------------===//
//
// The issue model of one wave on one SIMD. Asking (earliest) changes nothing, acting (issue) does.
// Replay and the simulation of a compute unit share it. How it works, in the clocks that thread
// traces show:
//
//   issue            a vector instruction leaves its wave's buffer, one a clock
//   execution        6 to 8 clocks later, in order; here results are waited for, 5 clocks from
//                    execution to execution; nine may be in between, then issue waits
//   memory           LDS and VMEM issue 9 clocks after the wave's last vector execution
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Isa/Register.h"
#include "Timing/Machine.h"
#include "Timing/Stall.h"
#include "Timing/TimedOp.h"

#include <array>
#include <bitset>

namespace rdna::timing {

/// The last N times of something.
template <unsigned N> class Recent {
public:
  /// `back` 1 is the last one.
  double at(unsigned back) const { return times_[(next_ + N - back) % N]; }
  void add(double time) {
    times_[next_] = time;
    next_ = (next_ + 1) % N;
  }
  Recent() { times_.fill(-1e9); }

private:
  std::array<double, N> times_;
  unsigned next_ = 0;
};

/// What the waves of one SIMD share.
struct SimdState {
  double vectorFree = 0; ///< When the vector ALU takes the next.
  Cycles vectorPort = 0; ///< When it may be issued.
  Cycles transPort = 0;
  Recent<16> executions;   ///< Of vector instructions.
  Recent<8> matrixEntries; ///< When those of WMMA are free.
  Recent<8> ldsEntries;    ///< When they are free.
  double conflictClocks = 0, busyClocks = 0, dependenceClocks = 0;
};

/// What the SIMDs of one compute unit share.
struct TransferState {
  Cycles lds = 0, memory = 0;
  unsigned ldsClocks = 0; ///< Of the last transfer to LDS.
  enum class Credit : uint8_t { Usual, Early } ldsCredit = Credit::Usual; ///< Of its entry.
};

struct Verdict {
  Cycles cycle = 0;
  Stall why = Stall::None;
  void atLeast(Cycles when, Stall reason) {
    if (when > cycle) {
      cycle = when;
      why = reason;
    }
  }
};

class WaveState {
public:
  explicit WaveState(const Machine &machine, Cycles start);

  /// When `op` may issue by what the wave itself has done. That stays so until it issues something,
  /// or resumeAt().
  struct Own {
    Verdict before, behind; ///< What the other waves say comes in between.
  };
  Own own(const TimedOp &op) const;
  /// The first clock at which `op` may issue, memory counters left out.
  Verdict earliest(const TimedOp &op, const Own &own, const SimdState &simd) const;
  Verdict earliest(const TimedOp &op, const SimdState &simd) const {
    return earliest(op, own(op), simd);
  }
  /// When the unit takes the operands of a memory instruction that issues at `cycle`.
  Cycles transferAt(const TimedOp &op, Cycles cycle, const TransferState &transfer) const;
  /// It issues at `cycle`. Returns when it is executed: for memory, when its operands are taken.
  Cycles issue(const TimedOp &op, Cycles cycle, SimdState &simd, TransferState &transfer);
  /// S_DELAY_ALU: these of the next vector instructions wait where they are, not in the pipeline.
  void delay(uint8_t which) { delayed_ = which; }
  /// Nothing issues before `cycle`.
  void resumeAt(Cycles cycle) { next_ = std::max(next_, cycle); }
  Cycles lastVector() const { return lastVector_; }

private:
  Cycles issueVector(const TimedOp &op, Cycles cycle, SimdState &simd);
  Cycles issueScalar(const TimedOp &op, Cycles cycle);
  void ownVector(const TimedOp &op, Own &own) const;
  void sharedVector(const TimedOp &op, const SimdState &simd, Verdict &verdict) const;
  void earliestScalar(const TimedOp &op, Verdict &verdict) const;
  Cycles issueLds(const TimedOp &op, Cycles cycle, SimdState &simd, TransferState &transfer) const;
  double vectorReady(const TimedOp &op) const;

  const Machine *machine_;
  Cycles next_ = 0;           ///< By what was issued last.
  Cycles nextVector_ = 0;     ///< By the last vector instruction's rate.
  Cycles lastVector_ = -1000; ///< Execution of the last one, to its last clock.
  double lastScalar_ = -1000;
  Cycles lastIssue_ = -1000;
  Recent<8> scalarExecutions_;
  Cycles scalarPort_ = 0;       ///< When the sources of all scalar instructions so far are read.
  std::bitset<kRegUnits> held_; ///< Scalar registers that were read since they were written.
  bool hasReadVector_ = false;
  IssueClass lastClass_ = IssueClass::Wait;
  bool stateWritten_ = false;
  uint8_t delayed_ = 0; ///< Bit n: the n-th instruction from here.
  unsigned maskWrites_ = 0;
  Cycles masksDone_ = -1000;
  std::array<double, kRegUnits> vectorResult_; ///< When a vector execution may read it.
  std::array<double, kRegUnits> scalarResult_; ///< When a scalar execution may.
  std::array<Cycles, kRegUnits> writtenByVector_, writtenByScalar_;
};

} // namespace rdna::timing
