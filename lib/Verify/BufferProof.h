//===- BufferProof.h - another arrangement of LDS and its barriers ---------===//
//
// The claim Correspondence::rebuffered. Both texts are executed together, for all waves of one
// workgroup at once. They must be the same instructions in the same order, but that
//   - an LDS access may have another address,
//   - either may have barriers where the other has none,
//   - the rewritten text may have integer arithmetic of its own.
// So all that can differ is what a load from LDS returns, and what waves see of each other. Shown
// is:
//   1. All waves go the same way where there is a barrier or an LDS access: branches depend on
//      kernel arguments, workgroup ids and constants, or all ways from them come together again
//      before.
//   2. Addresses of LDS are numbers, for each work-item (KnownValues).
//   3. In either text by itself, two waves touch one byte only with a barrier in between at which
//      the first has completed its access, or both only read (AccessLog). Then what a load returns
//      is what was stored there last in the order of the text.
//   4. Every load reads, byte by byte, what the original's reads there: both were written by the
//      same store of the same work-item (LdsContents).
//   5. What accesses to other memory a barrier of the original orders, one of the rewritten text
//      orders as well.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Verify/AccessLog.h"
#include "Verify/KnownValues.h"
#include "Verify/LdsContents.h"
#include "Verify/Verify.h"

#include "llvm/ADT/SmallVector.h"

#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace rdna::verify {

struct BufferFault {
  std::optional<uint32_t> instruction; ///< In the rewritten text.
  std::string message;
};

class BufferProof {
public:
  BufferProof(const Module &before, const Module &after, uint32_t function,
              const WorkgroupShape &shape, Proof &proof);
  std::optional<BufferFault> run();
  /// Of run() what is asked of the claim and of the texts before they are executed.
  std::optional<BufferFault> checkClaim() const;
  /// Behind run(): the original's instructions that one of the rewritten text stands for.
  const std::set<uint32_t> &originalsOf(uint32_t instruction) const;

private:
  /// Waves may go different ways from a branch on. All that reach the end come through `join`, an
  /// instruction of the original, if there is one.
  struct Parting {
    uint32_t oldBranch, newBranch;
    std::optional<uint32_t> join;
    bool operator==(const Parting &) const = default;
  };
  /// Where waves without lanes jump over what does nothing without them, all may as well go through
  /// it. What waves that jump have is kept until the end.
  struct Skipped {
    uint32_t newTarget;
    AccessLog log;
    std::bitset<kRegUnits> same;
  };
  /// Both texts at one point.
  struct State {
    KnownValues was, now;
    std::bitset<kRegUnits> same; ///< Registers that hold the same in all lanes of all waves.
    AccessLog log;
    LdsContents lds;
    uint32_t oldAt, newAt;
    uint32_t newLast;                              ///< Executed last, for messages.
    bool hasStored = false;                        ///< To memory other than LDS.
    std::optional<Parting> parting = std::nullopt; ///< Waves may be on different ways since then.
    std::bitset<kRegUnits> writtenApart = {};      ///< On one of these ways, and since then.
    std::optional<Skipped> skipped = std::nullopt; ///< With a parting that lanes decide.
    bool isAtJoin() const { return parting && parting->join == oldAt; }
  };
  struct Access {
    uint32_t oldPlace, newPlace;
  };
  using Fault = std::optional<BufferFault>;

  Fault checkShape() const;
  Fault checkTexts() const;
  Fault follow(State state);
  enum class Step : uint8_t { Done, Branch, Join, End };
  Fault step(State &state, Step &result);
  Fault skip(State &state, TextSide side);
  /// Does the state go on, or was it taken over by the points that the branch leads to?
  enum class Ways : uint8_t { One, Several };
  Fault branch(State &state, Ways &ways);
  Fault arrive(State state);
  Fault comeTogether(State state);
  Fault endSkipped(State &state);
  std::optional<uint32_t> joinBehind(uint32_t oldBranch) const;
  // One instruction that both have.
  Fault executeBoth(State &state, const Instruction &was, const Instruction &now);
  Fault makeAddress(State &state, const Instruction &was, const Instruction &now);
  void compute(State &state, const Instruction &was, const Instruction &now);
  Fault accessMemory(State &state, const Instruction &was, const Instruction &now);
  std::optional<int64_t> argumentOffset(const State &state, const Instruction &inst) const;
  void forgetResults(State &state, const Instruction &inst);
  void takeResults(State &state, const Instruction &inst);
  // LDS (BufferLds.cpp).
  Fault accessLds(State &state, const Instruction &was, const Instruction &now);
  Fault checkRange(const Footprint &footprint, const Instruction &inst, TextSide side) const;
  Fault checkRaces(const State &state, const Instruction &was, const Instruction &now,
                   llvm::ArrayRef<Access> accesses);
  Fault moveLds(State &state, const Instruction &was, const Instruction &now, const Access &access);

  bool isSame(const State &state, RegUnit unit) const;
  Fault differing(const State &state, const Instruction &was, const Instruction &now,
                  std::optional<int> address) const;
  BufferFault faultAt(const Instruction &now, const Instruction &was, std::string message) const;
  /// Registers that hold numbers and not the same ones: what tells ways apart that must not be
  /// taken together.
  std::vector<uint32_t> difference(const State &state) const;

  const Module &before_, &after_;
  const Function &oldFunction_, &newFunction_;
  const WorkgroupShape shape_;
  const uint32_t oldLds_, newLds_;
  Proof &proof_;
  const Cfg oldCfg_;
  const std::vector<std::optional<uint32_t>> oldJoins_; ///< By block of the original.
  /// Where the rewritten text is when the original is at the join, by the two branches.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> newJoins_;
  Footprints places_;
  std::map<uint32_t, std::set<uint32_t>> originals_;
  /// Places in both, whether waves are apart, and difference().
  using Point = std::tuple<uint32_t, uint32_t, bool, std::vector<uint32_t>>;
  std::map<Point, State> states_;
  std::vector<Point> queue_;
  uint64_t steps_ = 0;
};

/// Bytes of LDS that the descriptor declares.
uint32_t declaredLds(const Function &function);
/// Bytes of arguments that a launch passes.
int64_t kernargBytes(const Function &function);

} // namespace rdna::verify
