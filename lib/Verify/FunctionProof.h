//===- FunctionProof.h - simulation of one function by its rewrite --------===//
//
// The original is cut at its entry and wherever several paths meet. From each cutpoint both texts
// are executed side by side along every path to the next cuts. At a cut the induction claim holds:
// the equations of the claim; and for every register r that both still need and that no equation is
// about, the rewritten code has the value of active and of inactive lanes in r itself, and memory
// is the same. Inactive lanes stay where they were if code moves values, which it does under the
// mask of the piece that it belongs to.
//
// Equations are assumed by substitution. Registers of the rewritten code are free unknowns there,
// or what a needed register of the original is, which is free as well; then a register on the left
// of an equation that is no copy gets the value of the right side. As no register is on the left
// twice, and no such register is looked for at a place, every pair of states for which the claim
// holds is one of these. Every path that ends at a cutpoint must re-establish the claim of that
// cut. A register that is not written between the end of the cutpoint's immediate dominator and the
// cutpoint keeps its value, also where only one side has it: what was computed before a loop is
// known in it. Code that only one side has (moves on edges, trampolines) needs no treatment of its
// own: it is executed like any other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Lint.h"
#include "Symbolic/Machine.h"
#include "Symbolic/PathConditions.h"
#include "Verify/Demand.h"
#include "Verify/IndexBounds.h"
#include "Verify/Invariant.h"
#include "Verify/Order.h"
#include "Verify/Outstanding.h"
#include "Verify/Rules.h"
#include "Verify/Verify.h"

#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rdna::verify {

enum class SyncPoint : uint8_t {
  Cut,    ///< The original arrived at the start of a block where paths meet.
  Branch, ///< Both stand at a conditional branch.
  Call,
  Choice, ///< Both stand where M0 chooses registers.
  Return, ///< Of a device function.
  End,
};

/// What the caller or a callee may have left in flight, and how much of it may have been so when
/// registers were touched.
struct OutsideLoads {
  struct Class {
    uint8_t left = 0;  ///< At most so many.
    uint8_t since = 0; ///< Operations issued since.
  };
  using Left = std::array<uint8_t, kWaitClasses>;
  std::array<Class, kWaitClasses> of;
  std::map<uint16_t, Left> touched; ///< By register: the most that may have been left.
  void observe(const Instruction &inst);
  /// The first register that is touched with more left than `original` has left it at.
  std::optional<RegUnit> earlierThan(const OutsideLoads &original) const;

private:
  void touch(RegUnit unit);
};

/// One text on one path.
struct Side {
  uint32_t at = 0;   ///< Next instruction.
  uint32_t last = 0; ///< The one executed last, for messages.
  State state;
  Trace trace;
  OutsideLoads outside;
};

struct Path {
  Side before, after;
  OutstandingCounts atStart;       ///< Of the segment, in the original.
  ExprPool::IndexFacts indexFacts; ///< Of the original's accesses on it.
  uint32_t from = ~0u;             ///< The cut that it has just started from, until the first step.
  PathConditions facts;
  unsigned ownBranches = 0; ///< That only the rewritten code has, ahead of it.
  unsigned arrivals = 1;    ///< At `from`, until one of them is a synchronisation point.
};

struct Fault {
  uint32_t instruction; ///< In the rewritten text.
  std::string message;
};

/// The rules that instructions of a text break.
using FaultsByInstruction = std::multimap<uint32_t, std::string_view>;

class FunctionProof {
public:
  FunctionProof(const Module &before, const Module &after, uint32_t function,
                const Correspondence *claim, Proof &proof);

  const Cfg &cfg() const { return cfg_; }
  const Cfg &newCfg() const { return newCfg_; }
  std::optional<Fault> run();
  /// Says which instructions break rules; afterwards `excused` has those of the rewritten text that
  /// break one wherever the original does, computing the same.
  void watch(const FaultsByInstruction &old, const FaultsByInstruction &now) {
    oldFaults_ = &old;
    newFaults_ = &now;
  }
  bool isExcused(uint32_t instruction, std::string_view rule) const {
    return excused_.contains({instruction, rule}) && !unexcused_.contains({instruction, rule});
  }

  /// Behind run(): does what was assumed of indices hold for these launches, and for which does it?
  bool indicesHold(const LaunchRanges &ranges) {
    return indexBounds_ && !pool_.hasObscureIndex() && indexBounds_->allHold(pool_, ranges);
  }
  std::vector<std::string> whereIndicesHold() {
    return indexBounds_ ? indexBounds_->largest(pool_, claim_->given) : std::vector<std::string>();
  }

private:
  struct OldStop {
    SyncPoint point;
    uint32_t block = 0; ///< Of a cutpoint.
  };
  const Point &pointAt(uint32_t block) const;
  bool isCutpoint(uint32_t block) const {
    const auto &predecessors = cfg_.blocks[block].predecessors;
    return pointAt(block).arrivals != Point::kNone &&
           (predecessors.size() >= 2 || (block == 0 && !predecessors.empty()));
  }
  /// Does the original meet the rewritten code where it arrives at this block? If not, it goes on.
  bool meetsAt(Path &path, uint32_t block) const;
  std::optional<Fault> checkCycles() const;
  /// The way that a conditional branch goes on this path, if that is known.
  std::optional<bool> isTaken(const Path &path, const Side &side, const Instruction &branch);
  std::optional<Fault> passOwnBranch(Path path);
  std::optional<Fault> runOnce();
  std::optional<Fault> findCutpoints();
  void findNeeds();
  void findHints();
  std::optional<Fault> checkHints(const Path &path, uint32_t block);
  enum class Lanes : uint8_t { Active, SwitchedOff };
  std::optional<Value> lanesNeeded(const Needs &needs, unsigned vgpr, const State &state,
                                   Lanes kind);
  Path startAtEntry();
  Path startAtCutpoint(uint32_t block);
  std::optional<Fault> follow(Path path);
  std::optional<Fault> runOld(Path &path, OldStop &stop);
  /// To where the original has stopped; without a stop to the next conditional branch.
  std::optional<Fault> runNew(Path &path, const OldStop *stop);
  bool looksAtInverse(const Path &path, const Instruction &branch);
  std::optional<Fault> compareValues(const Path &path, const OldStop &stop);
  std::optional<Fault> meet(Path &path, const OldStop &stop);
  bool assumesIndices() const {
    return claim_ &&
           (claim_->assumptions.contains(Assumption::NoIndexWrap) || !claim_->given.said.empty());
  }
  bool isIndexFact(const ExprPool::IndexFact &fact);
  Indices oldIndices() const {
    return assumesIndices() ? Indices::AssumeUnwrapped : Indices::MayWrap;
  }
  Indices newIndices() const {
    return assumesIndices() ? Indices::AssumeOriginals : Indices::MayWrap;
  }
  std::optional<Fault> compareMemory(const Path &path) const;
  std::optional<Fault> compareScalars(const Path &path, const std::bitset<kRegUnits> &which) const;
  std::optional<Fault> compareAtCutpoint(const Path &path, uint32_t block);
  bool isPointer(RegUnit low) const;
  Value rightOf(const Equation &equation, const State &now, Value exec);
  std::optional<Fault> compareComputed(const Path &path, uint32_t block);
  std::optional<Fault> compareAll(const Path &path, const char *where);
  void afterCall(Path &path);
  std::optional<Fault> compareAtChoice(const Path &path);
  void afterChoice(Path &path);
  // What instructions do besides computing (Events.cpp).
  OutstandingCounts outstandingAt(uint32_t instruction) const;
  void startSegment(Path &path) const;
  void execute(Machine &machine, Side &side, const Instruction &inst,
               const FaultsByInstruction *faults);
  /// The instruction at which a segment ends.
  void leave(Side &side, const Instruction &inst, const FaultsByInstruction *faults);
  void noteFaults(Side &side, const Instruction &inst, const FaultsByInstruction *faults);
  std::optional<Fault> compareEvents(const Path &path);
  // What a cutpoint keeps of its dominator (Preserved.cpp).
  struct Ends {
    State before, after;
    uint32_t newBlock; ///< In which the rewritten code stands there.
  };
  struct Kept {
    const Ends *ends = nullptr;
    std::bitset<kRegUnits> old, now; ///< Registers.
  };
  void recordEnd(const Path &path);
  const Kept &keptAt(uint32_t block);
  void checkKept(const Path &path, uint32_t block);
  std::optional<Fault> readClaim();
  const Invariant &invariantAt(uint32_t block) const;
  void dropUnneeded(uint32_t block);
  std::optional<Fault> differs(const Path &path, RegUnit oldUnit, RegUnit newUnit, Value was,
                               Value now, std::string_view where) const;

  const Module &before_, &after_;
  const Function &oldFunction_, &newFunction_;
  const Cfg cfg_, newCfg_;
  const std::vector<Needs> oldNeeds_;
  std::vector<Needs> needs_; ///< By cutpoint: what both texts need.
  const Correspondence *claim_;
  std::map<uint32_t, Invariant> invariants_; ///< By block of the original that the claim speaks of.
  Proof &proof_;
  Observed oldObserved_, newObserved_;
  const std::vector<OutstandingCounts> outstanding_;       ///< By block of the original.
  const bool hasChoices_;                                  ///< Of registers by M0.
  std::unique_ptr<EarlyTransResults> oldEarly_, newEarly_; ///< If there are.
  const FaultsByInstruction *oldFaults_ = nullptr, *newFaults_ = nullptr;
  std::set<std::pair<uint32_t, std::string_view>> excused_, unexcused_;
  ExprPool pool_;
  std::unique_ptr<IndexBounds> indexBounds_;  ///< If indices are assumed, from run() on.
  const PathConditions *pathFacts_ = nullptr; ///< Of the path on which the original is looked at.
  unsigned scope_ = 0;
  std::vector<uint32_t> newStart_; ///< By block: where a cutpoint lies in the rewritten text.
  std::vector<uint8_t> queued_;
  std::vector<uint32_t> cutpoints_;
  std::vector<Path> paths_;
  /// Constants that are assumed at a cutpoint: in registers of the original, and in those of the
  /// rewritten code that no needed value of the original is in.
  struct Hints {
    std::map<uint8_t, uint32_t> old, now;
  };
  std::vector<Hints> hints_; ///< By block.
  bool hintFailed_ = false;
  std::map<uint32_t, Ends> ends_;                      ///< By block of the original.
  std::map<uint32_t, Kept> kept_;                      ///< By cutpoint, of this round.
  std::map<uint32_t, std::bitset<kRegUnits>> notKept_; ///< By cutpoint: of the rewritten code.
};

} // namespace rdna::verify
