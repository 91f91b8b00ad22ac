//===- Queue.h - the delayed memory operations of one wave ---===//
//
// The counters count as in Check/Queue.h: vmcnt and vscnt in order, LDS in order among LDS, SMEM in
// any order, FLAT in two of them. There the question is what a wait has proven, here it is what may
// happen in between.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Delay/Operation.h"
#include "Support/Random.h"

namespace rdna::emu {

/// The order in which vector memory operations of one wave reach the memory that the workgroup
/// shares.
enum class MemoryOrder {
  /// CU mode: one L0, which takes them as they come. Compilers rely on it: at workgroup scope LLVM
  /// puts no vmcnt wait between an acquiring load and the loads behind it, and LLVM 19 none between
  /// a store and the flag that releases it. Across waves and against LDS they do wait.
  Program,
  SameAddress, ///< WGP mode: only operations that overlap keep their order.
};

/// How long operations of one kind take in one run. Runs in which one kind is always late and
/// another one prompt find what takes many coincidences otherwise.
enum class Pace : uint8_t { Prompt, Mixed, Late };

/// What a seed decides for a whole run.
struct DelayRules {
  MemoryOrder memoryOrder = MemoryOrder::Program;
  Pace lds = Pace::Mixed, loads = Pace::Mixed, stores = Pace::Mixed, scalar = Pace::Mixed;

  static DelayRules choose(MemoryOrder order, Random &random);
  Pace of(const InstPlan &plan) const;
};

class DelayQueue {
public:
  /// All must outlive the queue.
  DelayQueue(Wave &wave, Performer &performer, const DelayRules &rules, Random &random)
      : wave_(wave), performer_(performer), rules_(rules), random_(random) {}

  /// The wave has come to an instruction that some counter counts.
  void issue(const InstPlan &plan, uint64_t now);
  /// Finishes what the wait covers.
  void wait(const WaitLimit &limit);
  void drain();
  bool empty() const { return ops_.empty(); }
  /// Performs and returns what is due and may go.
  void progress(uint64_t now);
  /// When progress() will next find something; the greatest number if never.
  uint64_t nextDue() const { return nextDue_; }

private:
  void findPaths(DelayedOp &op);
  void makeRoom(uint8_t counters);
  unsigned count(uint8_t counters) const;
  void retire(uint8_t counter, unsigned left);
  void retireLgkm(unsigned left);
  void finishRetired();
  void perform(size_t index);
  bool mustFollow(const DelayedOp &later, const DelayedOp &earlier) const;
  bool mayPerform(size_t index) const;
  bool mayReturn(size_t index) const;
  void findNextDue(uint64_t now);
  uint32_t drawDelay(Pace pace);

  Wave &wave_;
  Performer &performer_;
  const DelayRules &rules_;
  Random &random_;
  std::vector<DelayedOp> ops_; ///< In issue order.
  AccessList accesses_;
  uint64_t nextDue_ = ~uint64_t(0);
};

} // namespace rdna::emu
