//===- Queue.h - memory operations that a wave has not waited for ----===//
#pragma once

#include "Emu/Observe/Address.h"

namespace rdna::emu {

/// One operation that some counter still covers.
struct PendingOp {
  const InstPlan *plan = nullptr;
  uint8_t owes = 0; ///< Counter bits.
  RegSet registers; ///< That its result goes to and no later instruction has taken over.
  std::vector<LaneAccess> accesses;
};

/// The operations of one wave, in issue order. What a wait proves follows from the order in which
/// each counter goes down: vmcnt and vscnt in order, LDS in order among LDS, SMEM in any order, so
/// that only lgkmcnt(0) proves an SMEM done. An SMEM beside it can only keep lgkmcnt up longer, so
/// a count still proves as many LDS operations done as if there were none.
class PendingQueue {
public:
  void clear();
  bool empty() const { return order_.empty(); }
  /// `accesses` empty where nobody wants them.
  void issue(const InstPlan &plan, std::span<const LaneAccess> accesses);
  void wait(const WaitLimit &limit);
  /// Registers that some operation owns.
  const RegSet &owned() const { return owned_; }
  /// The youngest operation that owns a register; null if none does.
  const PendingOp *owner(unsigned unit) const;
  /// The wait that proves `op` done.
  WaitLimit neededFor(const PendingOp &op) const;
  /// A register changes hands.
  void disown(const RegSet &registers);
  template <class F> void forEach(F f) const {
    for (uint8_t slot : order_)
      f(pool_[slot]);
  }

private:
  void retire(Counter counter, unsigned left);
  void dropFinished();
  unsigned behind(const PendingOp &op, Counter counter) const;

  // A counter stalls at 63, so no more than 63 operations of each kind can be outstanding.
  static constexpr unsigned most = 63;
  std::vector<PendingOp> pool_;
  std::vector<uint8_t> order_, free_;
  RegSet owned_;
};

/// "s_waitcnt vmcnt(1)", "s_waitcnt_vscnt null, 0", ...
std::string waitText(const WaitLimit &limit);

} // namespace rdna::emu
