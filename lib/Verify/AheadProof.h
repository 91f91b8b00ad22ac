//===- AheadProof.h - loads and stores to LDS that are made earlier ---------===//
//
// The claim Correspondence::rebuffered with Loads::Ahead: one text may load tiles from memory,
// store them to LDS and decide whether there are more of them steps earlier than the other.
// docs/design.md, "How LDS is arranged anew". Each text is executed by itself (AheadText) up to a
// place where they must meet: a load from LDS, an access to memory that somebody has stored to, the
// end. Shown is:
//   1. What is loaded from LDS there, or accessed there, is the same term in both.
//   2. In either text by itself, two waves touch one byte of LDS only with a barrier in between, or
//      both only read.
//   3. Both make the same loads from memory in the same order, however far one is ahead: at the end
//      nothing is left. The new text may make a load again that the original has made before; what
//      it returns is unknown then.
//   4. Branches on conditions that are the same term go the same way, whoever comes to it first.
//   5. Where the first stores to memory come, no load of the new text lacks a barrier that the
//      original's has.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/AheadNeeds.h"
#include "Verify/AheadText.h"
#include "Verify/BufferProof.h"
#include "Verify/StoresInFlight.h"

#include <deque>

namespace rdna::verify {

class AheadProof {
public:
  /// `first`: loads of the rewritten text that repeat none of the original's, even where it has
  /// made the same one before.
  AheadProof(const Module &before, const Module &after, uint32_t function,
             const WorkgroupShape &shape, OutsideLds outside, std::set<uint32_t> first,
             Proof &proof);
  std::optional<BufferFault> run();
  /// Behind a run() that failed: the load that was last taken for one that is made once more.
  std::optional<uint32_t> lastRepeat() const { return lastRepeat_; }
  /// Behind run(): the original's instructions that compute what one of the rewritten text
  /// computes; none if there is not one for all of it.
  std::set<uint32_t> originalsOf(uint32_t instruction) const;
  /// Behind run(): has every load arrived, on every way, whose registers this instruction of the
  /// rewritten text touches? The rules of a text know nothing of which ways there are.
  bool hasArrived(uint32_t instruction) const {
    return !isUncounted_ && !touchedEarly_.contains(instruction);
  }

private:
  /// A condition that was decided on this way.
  struct Fact {
    TermId condition;
    bool holds;
    auto operator<=>(const Fact &) const = default;
  };
  struct State {
    AheadSide was, now;
    std::vector<Fact> facts;
    /// Loads that one text has made and the other has not, in order.
    std::vector<TermId> oldAhead, newAhead;
    std::set<TermId> made; ///< By the original: what a load of the new text may repeat.
    /// Conditions that the new text has asked ahead of the original, in order.
    std::vector<Fact> askedAhead = {};
    /// Has the original made a load twice, so that the term does not say which of them is meant?
    bool hasRepeated = false;
    bool hasForked = false;   ///< Since ways met last.
    unsigned forks = 0;       ///< On this way, since then.
    bool hasOldMoved = false; ///< Since then.
    StoresInFlight stores = {};
    /// Since then: conditions that the other text has asked, and this one has not.
    std::set<TermId> oldOwes = {}, newOwes = {};
    bool passesJoins = false; ///< Until both are at a synchronisation point.
  };
  using Fault = std::optional<BufferFault>;
  enum class At : uint8_t { SyncPoint, Fork, Join, Nowhere };

  Fault start();
  Fault follow(State state);
  Fault advance(State &state, TextSide side, At &at);
  Fault step(State &state, TextSide side, const Instruction &inst);
  Fault branch(State &state, TextSide side, const Instruction &inst, At &at);
  Fault select(State &state, TextSide side, const Instruction &inst, At &at);
  void noteTouched(const State &state, const Instruction &inst);
  Fault loadAhead(State &state, TextSide side, const Instruction &inst);
  bool mayTell(const Instruction &inst) const;
  bool isPlain(TermId load) const {
    return plainLoads_.contains(load) && !tellingLoads_.contains(load);
  }
  bool mustMeet(const AheadSide &side, const Instruction &inst) const;
  bool mayMeet(const State &state, TextSide side) const;
  Fault meet(State &state, bool &isEnd);
  Fault meetLds(State &state, const Instruction &was, const Instruction &now);
  Fault meetMemory(State &state, const Instruction &was, const Instruction &now);
  Fault checkOrder(const State &state, const Instruction &now) const;
  Fault checkBarriers(const State &state);

  // Conditions (AheadConditions.cpp).
  TermId baseOf(TermId condition) const;
  std::optional<bool> decided(const State &state, TermId condition) const;
  std::optional<bool> decidedByValues(const State &state, TermId condition) const;
  std::optional<bool> asked(State &state, TextSide side, TermId condition) const;
  bool areSame(const State &state, TermId a, TermId b);
  Fault fork(State &state, TextSide side, TermId condition);
  void learn(State &state, const Fact &fact) const;

  // Where ways meet (AheadJoin.cpp).
  using Point = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>;
  Point pointOf(const State &state);
  void forgetThePast(State &state);
  void forgetUnneeded(AheadSide &side, AheadNeeds &needs);
  Fault arrive(State state);
  bool hasNotMade(const State &state, TermId access) const;
  bool isInstance(const State &known, const State &state);
  State joined(const State &a, const State &b);

  BufferFault faultAt(const State &state, TextSide side, const std::string &message) const;
  AheadSide &sideOf(State &state, TextSide side) const {
    return side == TextSide::Old ? state.was : state.now;
  }
  AheadText &textOf(TextSide side) { return side == TextSide::Old ? old_ : new_; }
  const AheadText &textOf(TextSide side) const { return side == TextSide::Old ? old_ : new_; }

  const Module &before_, &after_;
  const uint32_t index_;
  const WorkgroupShape shape_;
  const std::set<uint32_t> first_;
  Proof &proof_;
  std::optional<uint32_t> lastRepeat_;
  Terms terms_;
  Footprints places_;
  const uint32_t cellBytes_;
  AheadText old_, new_;
  AheadNeeds oldNeeds_, newNeeds_;
  const bool selectionsBranch_;                    ///< Those in loops.
  std::map<uint32_t, std::set<uint32_t>> matched_; ///< At synchronisation points.
  std::set<uint32_t> touchedEarly_;                ///< Of the new text.
  bool isUncounted_ = false;                       ///< It has loads that are not in its log.
  const std::vector<uint8_t> flags_;               ///< flagLoads() of the original.
  /// Loads of the original that may tell what other waves have done, and those that may not.
  std::set<TermId> tellingLoads_, plainLoads_;
  std::deque<State> open_;
  std::map<Point, State> states_;
  std::map<std::pair<uint32_t, uint32_t>, unsigned> pointsAt_;
  std::set<Point> queue_; ///< What stands first in the text is followed first.
  uint64_t steps_ = 0;
  unsigned forks_ = 0; ///< Since the last place where ways meet.
};

} // namespace rdna::verify
