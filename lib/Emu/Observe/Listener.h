//===- Listener.h - what a listener hears: a record per instruction -------===//
//
// A listener watches the workgroups of one host thread, one after the other, in the order in which
// the thread runs them. Its Observer says which; of others it hears nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Observe/Address.h"
#include "Emu/Observe/Observer.h"

#include <memory>
#include <span>

namespace rdna::emu {

/// The waves of one workgroup while it runs.
struct GroupView {
  const LaunchState &launch;
  std::array<uint32_t, 3> id;
  std::span<const std::unique_ptr<Wave>> waves; ///< By number, the unselected ones as well.
};

/// One executed instruction of one wave, the same for all listeners. Valid during the call.
class Record {
public:
  const GroupView &group() const { return *group_; }
  /// All registers of the wave: as they were in before(), with the results in after(). Not to be
  /// changed (it is not const because reading a register, Wave::vgpr, is not).
  Wave &wave() const { return *wave_; }
  /// The first micro-operation; the further ones of a VOPD and its like follow with `count` 0.
  const Inst &inst() const { return *inst_; }
  /// What is known of the instruction beforehand: registers, counters, unit, kind and width of
  /// memory access. Null for words that LLVM does not know as an instruction.
  const InstPlan *plan() const { return plan_; }
  /// Bytes from the beginning of the image.
  uint64_t offset() const { return inst_->offset; }
  /// The active lanes when the instruction began, a bit for each.
  uint32_t exec() const { return exec_; }
  /// What the instruction touches, with what was in its registers when it began: per lane, bytes
  /// from `at`; `at` is a host address, or an offset in bytes in LDS or in the lane's scratch. An
  /// SMEM (plan()->memory is Scalar) is one access of lane 0. Empty for other instructions, and for
  /// formatted buffer accesses. Worked out once, some 30 ns, when first asked for in before(); for
  /// listeners that hear after() always, since the result may take the place of the address.
  const AccessList &accesses();
  /// The value of a VGPR in a lane, and of a scalar register (Wave.h has the numbers), now.
  uint32_t vgpr(unsigned number, unsigned lane) const { return wave_->vgpr(number).lane[lane]; }
  uint32_t scalar(unsigned number) const { return wave_->s[number]; }
  /// In after(): whether the wave continues elsewhere than behind the instruction: the branch was
  /// taken, or it was a call or a jump. A branch to the next instruction counts as not taken.
  bool jumped() const { return wave_->next->offset != inst_->offset + inst_->bytes; }
  /// In after(): where the wave continues, in bytes from the beginning of the image.
  uint64_t nextOffset() const { return wave_->next->offset; }

  /// In before(): ends the launch before this instruction executes. The run is then no error but
  /// `stopped`.
  void stop() { stopped_ = true; }
  /// In before(): the listener hears nothing more of this wave in this workgroup. A wave to which
  /// nobody listens goes on in the fast engines; Wave::executed still counts.
  void leave() { left_ = true; }

private:
  friend class Audience;
  const GroupView *group_ = nullptr;
  Wave *wave_ = nullptr;
  const Inst *inst_ = nullptr;
  const InstPlan *plan_ = nullptr;
  uint32_t exec_ = 0;
  bool stopped_ = false, left_ = false;
  bool located_ = false; ///< `accesses_` are those of this instruction.
  AccessList accesses_;
};

class Listener {
public:
  /// Which of before() and after() are to be called: a call that does nothing still costs its time.
  enum class Hears : uint8_t { Before, After, Both };
  virtual ~Listener() = default;
  /// Asked once, before the first workgroup.
  virtual Hears hears() const { return Hears::Both; }
  /// Every wave stands before its first instruction.
  virtual void groupBegins(const GroupView &) {}
  /// A selected wave is about to execute an instruction.
  virtual void before(Record &) {}
  /// The wave has executed it. If that stopped the wave, Wave::event says how: at its end, at a
  /// barrier, by an error.
  virtual void after(Record &) {}
  /// Every wave of the group that has not ended waits at an S_BARRIER and is let through.
  virtual void barrierPassed(const GroupView &) {}
  /// After the last wave's end, or where the launch has stopped.
  virtual void groupEnds(const GroupView &) {}
};

} // namespace rdna::emu
