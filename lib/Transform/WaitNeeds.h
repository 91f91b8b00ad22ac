//===- WaitNeeds.h - the highest counts that code can do with --------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Isa/WaitCounts.h"
#include "Transform/OrderWaits.h"

#include <array>
#include <bitset>
#include <map>
#include <vector>

namespace rdna {

/// Operations that come back in the order of their issue, or in none (scalar loads
/// and messages; images, because some of them are samples).
enum class WaitQueue : uint8_t { Vector, Image, Lds, Scalar };
inline constexpr unsigned kWaitQueues = 4;

/// Which registers operations in flight still own: for each queue the least number of younger
/// operations of the queue on any path.
class PendingRegisters {
public:
  PendingRegisters();
  void step(const Instruction &inst, const WaitCounts &counts);
  void join(const PendingRegisters &other);
  bool operator==(const PendingRegisters &) const = default;
  bool any(WaitQueue queue) const;
  /// Where anybody may have called, or behind a call.
  static PendingRegisters unknown();
  /// Touched without any wait, so what may be in flight from outside is not meant for it.
  bool isOutside(unsigned unit) const { return outside_.test(unit) && !counted_; }
  /// Pending by a FLAT load, which may come by way of LDS: not in order with other vector loads.
  bool isFlat(unsigned unit) const { return flat_.test(unit); }
  static constexpr uint8_t kNone = 255;
  uint8_t younger(unsigned queue, unsigned unit) const { return younger_[queue][unit]; }

private:
  std::array<std::array<uint8_t, kRegUnits>, kWaitQueues> younger_;
  std::bitset<kRegUnits> outside_, flat_;
  bool counted_ = false; ///< Some of what is in flight from outside was waited for.
};

/// The s_waitcnt of a function, by instruction, and what they wait for in the text that is planned.
/// One without counts is deleted.
using WaitPlan = std::map<uint32_t, WaitCounts>;

/// What an instruction waits for: the plan's counts, or those of a wait that no plan changes.
WaitCounts plannedCounts(const WaitPlan &plan, const Instruction &inst);

/// At the start of every block.
std::vector<PendingRegisters> pendingRegisters(const Module &module, const Cfg &cfg,
                                               const WaitPlan &plan);

/// By instruction: the s_waitcnt that stand in one of `blocks` and may be changed. Not those of
/// macros.
std::vector<uint8_t> changeableWaits(const Module &module, const Cfg &cfg,
                                     const std::vector<uint32_t> &blocks);

/// Raises or removes counts as far as nothing notices: no instruction touches a register that is
/// still pending, every access finds complete what an acquire or a release in front of it could
/// need, and at every fence and branch, and where paths meet, the same has come back as before. A
/// need that several waits can meet is the last one's. False if the code breaks the rules of the
/// counters already; the plan is as it was then.
bool raiseCounts(const Module &module, const Cfg &cfg, const std::vector<uint8_t> &mayChange,
                 PlainSync plain, WaitPlan &plan);

} // namespace rdna
