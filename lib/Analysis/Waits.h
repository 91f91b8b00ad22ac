//===- Waits.h - the counter model of all passes ---------------------------===//
//
// What is in flight, what a wait completes, and which count is enough. What single instructions add
// to which counter is in Asm/Counters.h; how many operations of each class are in flight, and
// whether another wave may be meant by one, in InFlight.h. The proof has models of its own.
//
// Operations of one class (WaitClass) complete in the order of their issue, but for scalar loads,
// messages and samples, of which only a wait for zero says anything (ISA guide 5.6, 8.2).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Asm/Counters.h"
#include "Isa/WaitCounts.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <vector>

namespace rdna {

/// Those that write registers late. Stores only count.
inline constexpr std::array kLoadClasses{WaitClass::Vector, WaitClass::Sampler, WaitClass::Lds,
                                         WaitClass::Scalar};
bool isInOrder(WaitClass cls);
template <typename T> struct ByClass {
  std::array<T, kWaitClasses> of{};
  T &operator[](WaitClass cls) { return of[static_cast<size_t>(cls)]; }
  const T &operator[](WaitClass cls) const { return of[static_cast<size_t>(cls)]; }
  bool operator==(const ByClass &) const = default;
};
/// The count of an s_waitcnt that a class of loads is waited for by.
std::optional<unsigned> &countOf(WaitCounts &counts, WaitClass cls);
/// 63 is how the field says that it waits for nothing.
inline constexpr unsigned kHighestCount = 62;

/// The operations of one class, or of several that complete in one order, in a straight piece of
/// code: they have the numbers 1, 2, ..., those that were in flight at its start 0 and less. A wait
/// is a level: all up to that number are complete.
class OperationQueue {
public:
  static constexpr int kNoLevel = -1000000;
  void issue(unsigned operations = 1) { issued_ += static_cast<int>(operations); }
  void completeTo(int level) { level_ = std::max(level_, level); }
  void wait(unsigned count) { completeTo(levelOf(count)); }
  int issued() const { return issued_; }
  int level() const { return level_; }
  /// Of this piece.
  unsigned complete() const { return static_cast<unsigned>(std::max(level_, 0)); }
  unsigned outstanding() const { return static_cast<unsigned>(issued_) - complete(); }
  /// At most so many from before may be in flight.
  unsigned inherited() const { return static_cast<unsigned>(std::max(-level_, 0)); }
  /// What a wait for `count` here completes.
  int levelOf(unsigned count) const { return issued_ - static_cast<int>(count); }
  /// The highest count that completes all up to a level.
  unsigned countFor(int level) const {
    return std::min(static_cast<unsigned>(issued_ - level), kHighestCount);
  }

private:
  int issued_ = 0, level_ = kNoLevel;
};

/// The outstanding loads at one point, per register: how many operations of the same class were
/// issued behind the one that is to write the register. Where paths join, the smaller number stays.
class WaitState {
public:
  WaitState();
  /// Any instruction of a function: touch(), and then a call, or wait() and issue().
  void step(const Instruction &inst);
  /// ... of a text in which waits have other counts.
  void step(const Instruction &inst, const WaitCounts &counts);
  /// An instruction was issued that writes `written` late (empty for stores).
  void issue(const Instruction &inst, llvm::ArrayRef<RegRange> written);
  void wait(WaitCounts counts);
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
  bool hasSamples() const { return samples_; }  ///< ... so vmcnt is.
  /// May touch() still settle something?
  bool isOpen() const { return outside_.any() && !counted_; }
  /// Touched without any wait, so what may be in flight from outside is not meant for it.
  bool isOutside(unsigned unit) const { return outside_.test(unit) && !counted_; }
  /// Pending by a FLAT load, which may come by way of LDS: not in order with other vector loads.
  bool isFlat(unsigned unit) const { return flat_.test(unit); }
  static constexpr uint8_t kDone = 255;
  /// Operations of the class behind the one that is to write the register, or kDone.
  uint8_t younger(WaitClass cls, unsigned unit) const { return younger_[cls][unit]; }
  bool isPending(unsigned unit) const;
  /// VGPRs that a load of this function may still write.
  std::bitset<256> pendingVgprs() const;
  /// From here on, counts what was in flight before apart from what is issued now.
  void startHere() { vmCount_ = lgkmCount_ = {}; }
  /// Merges another path's state.
  void join(const WaitState &other);
  bool operator==(const WaitState &) const = default;

private:
  static constexpr uint8_t kOldest = 254;
  /// One slot more than there are registers: the youngest LDS store.
  static constexpr size_t kLdsStore = kRegUnits, kSlots = kRegUnits + 1;
  using Ages = std::array<uint8_t, kSlots>;
  /// Is a class waited for by a counter that something without order is in flight of, too?
  bool isMixed(WaitClass cls) const { return counterOf(cls) == WaitCounter::Vm ? samples_ : smem_; }
  ByClass<Ages> younger_;
  bool smem_ = false; ///< A scalar load (or message) may be in flight.
  bool samples_ = false;
  bool counted_ = false; ///< Some of what is in flight from outside was waited for.
  std::bitset<kRegUnits> outside_, flat_; ///< Pending by nobody but whoever was called, or called.
  struct Count {
    unsigned issued = 0;      ///< Since startHere().
    unsigned inherited = 255; ///< Upper bound of what is still in flight from before.
    void wait(unsigned count) {
      inherited = std::min(inherited, count > issued ? count - issued : 0);
    }
    bool operator==(const Count &) const = default;
  };
  Count vmCount_, lgkmCount_;
};

/// The s_waitcnt of a function, by instruction, and what they wait for in the text that is planned.
/// One without counts is deleted.
using WaitPlan = std::map<uint32_t, WaitCounts>;

/// What an instruction waits for: the plan's counts, or those of a wait that no plan changes.
WaitCounts plannedCounts(const WaitPlan &plan, const Instruction &inst);

/// State at the start of every block, for one function: of its text, or of the one that is planned.
std::vector<WaitState> computeWaits(const Module &module, const Cfg &cfg);
std::vector<WaitState> computeWaits(const Module &module, const Cfg &cfg, const WaitPlan &plan);

/// Does lgkmcnt count it in the order of LDS operations?
bool isLdsOperation(const Instruction &inst);
bool isCall(const Instruction &inst);

/// The registers that an instruction writes late: those of a load.
llvm::SmallVector<RegRange, 2> lateWrites(const Instruction &inst);

/// The counts of an s_waitcnt; nothing for any other instruction.
std::optional<WaitCounts> waitCounts(const Instruction &inst);
/// ... or of a wait for vmcnt or lgkmcnt alone, which an s_waitcnt can replace.
std::optional<WaitCounts> loadWait(const Instruction &inst);

} // namespace rdna
