//===- Waits.h - what the wait counters still owe -------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Isa/WaitCounts.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

namespace rdna {

/// The outstanding memory operations at one point, per register: how many operations of the same
/// counter were issued behind the one that owes the register. Rules: facts sheet 2.1 (ISA 5.6).
///
/// vmcnt counts loads in order; lgkmcnt counts LDS in order, but SMEM returns out of order, so only
/// a wait for zero helps while an SMEM is in flight. Where paths join, the younger age is kept.
class WaitState {
public:
  /// An instruction was issued that writes `written` late (empty for stores).
  void issue(const Instruction &inst, llvm::ArrayRef<RegRange> written);
  void wait(const WaitCounts &counts);
  /// The counts to wait for before these registers may be read or overwritten.
  WaitCounts needed(llvm::ArrayRef<RegRange> registers) const;
  /// The counts to wait for so that everything that is done in `other` is done here as well, and
  /// everything pending is at least as old, with registers renamed by `renamed` (old -> new unit).
  WaitCounts neededToMatch(const WaitState &other,
                           const std::array<uint16_t, kRegUnits> &renamed) const;
  /// Behind a call, and where a device function starts: everything may be in flight.
  static WaitState unknown();
  /// The original touches these registers without any wait: what may be in flight from outside is
  /// not meant for them. Once it has waited for some of that, nobody knows for which.
  void touch(const Instruction &inst);
  bool hasScalarLoads() const { return smem_; } ///< ... or messages: lgkmcnt is out of order.
  bool hasImages() const { return images_; }    ///< Samples make vmcnt so.
  /// May touch() still settle something?
  bool isOpen() const { return outside_.any() && !counted_; }
  /// From here on, counts what was in flight before apart from what is issued now.
  void startHere() { vmCount_ = lgkmCount_ = {}; }
  /// Any instruction of a function: touch(), and then wait(), issue() or a call.
  void step(const Instruction &inst);
  /// Merges another path's state.
  void join(const WaitState &other);
  bool operator==(const WaitState &) const = default;

private:
  static constexpr uint8_t kDone = 255, kOldest = 254;
  /// One slot more than there are registers: the youngest LDS store.
  static constexpr size_t kLdsStore = kRegUnits, kSlots = kRegUnits + 1;
  void push(std::array<uint8_t, kSlots> &ages);
  static std::array<uint8_t, kSlots> done() {
    std::array<uint8_t, kSlots> ages{};
    ages.fill(kDone);
    return ages;
  }
  std::array<uint8_t, kSlots> vm_ = done(), lgkm_ = done();
  bool smem_ = false; ///< An SMEM (or message) may be in flight.
  bool images_ = false;
  bool counted_ = false;           ///< Some of what is in flight from outside was waited for.
  std::bitset<kRegUnits> outside_; ///< Pending by nobody but whoever was called, or called.
  struct Count {
    unsigned issued = 0;      ///< Since startHere().
    unsigned inherited = 255; ///< Upper bound of what is still in flight from before.
    bool operator==(const Count &) const = default;
    void wait(unsigned count) {
      inherited = std::min(inherited, count > issued ? count - issued : 0);
    }
  };
  Count vmCount_, lgkmCount_;
};

/// State at the start of every block, for one function.
std::vector<WaitState> computeWaits(const Module &module, const Cfg &cfg);

/// The registers that an instruction writes late: those of a load.
llvm::SmallVector<RegRange, 2> lateWrites(const Instruction &inst);

/// The counts of an s_waitcnt; nothing for any other instruction.
std::optional<WaitCounts> waitCounts(const Instruction &inst);

} // namespace rdna
