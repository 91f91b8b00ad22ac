//===- Operation.h - a memory operation between its issue and its return ---===//
#pragma once

#include "Emu/Observe/Address.h"

#include <memory>
#include <vector>

namespace rdna::emu {

/// Where operations of one wave keep their order.
enum DelayPath : uint8_t { pathLds = 1, pathMemory = 2 };

/// An instruction that has been issued: what it read then, and later what it gives back.
struct DelayedOp {
  enum class State : uint8_t { Issued, Performed };

  const InstPlan *plan = nullptr;
  uint8_t owes = 0;  ///< Counter bits.
  uint8_t paths = 0; ///< DelayPath bits.
  State state = State::Issued;
  uint32_t exec = 0, m0 = 0;
  uint64_t performAt = 0, returnAt = 0; ///< At the latest; in instructions of the run.
  std::vector<LaneAccess> accesses;     ///< Of memory and scratch, where their order matters.
  /// Before it is performed: all that it reads, and the destination. Afterwards: its result.
  std::vector<Lanes> rows;
  std::vector<uint32_t> scalars;
};

/// The operands of `plan` as they are now. `accesses` stays empty.
DelayedOp takeOperands(Wave &w, const InstPlan &plan);

/// Whether both touch some byte of one space. Where an address is unknown the answer is yes.
bool mayOverlap(const DelayedOp &a, const DelayedOp &b);

/// Puts the result into the registers of the lanes that were active at issue.
void deliver(Wave &w, const DelayedOp &op);

/// Executes operations on a wave of its own, so that the handlers need not know of delays: it has
/// the operation's operands instead of the registers that the real wave has by now.
class Performer {
public:
  explicit Performer(const Wave &prototype) : stand_(std::make_unique<Wave>(prototype)) {}
  void perform(const Wave &owner, DelayedOp &op);

private:
  std::unique_ptr<Wave> stand_;
};

} // namespace rdna::emu
