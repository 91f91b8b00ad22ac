#include "Transform/MergedCounts.h"

#include "Analysis/Waits.h"
#include "Asm/Counters.h"

#include <algorithm>
#include <optional>
#include <set>

namespace rdna {

bool isLdsOperation(const Instruction &inst) {
  return (inst.unit == Unit::Lds && inst.op != Op::ds_nop) || inst.unit == Unit::Flat;
}

bool isFence(const Instruction &inst) {
  switch (inst.unit) {
  case Unit::Barrier:
  case Unit::Message:
  case Unit::Other:
    return true;
  case Unit::Global:
  case Unit::Flat:
  case Unit::Scratch:
  case Unit::Buffer:
    return inst.memory == MemoryEffect::None; // cache operations
  case Unit::Wait:
    // Compilers wait for stores where they release them to other waves.
    return inst.op == Op::s_waitcnt_vscnt || inst.op == Op::s_wait_idle;
  default:
    return false;
  }
}

namespace {

/// Operations of one text that may be in flight; a block starts with an unknown number.
struct Flight {
  static constexpr unsigned kAnyNumber = ~0u;
  size_t done = 0; ///< So many of those issued in this block have come back.
  size_t issued = 0;
  unsigned inherited = kAnyNumber; ///< At most.

  size_t pending() const { return issued - done; }
  void wait(unsigned count) {
    if (count < pending()) {
      done = issued - count;
      inherited = 0;
    } else {
      inherited = std::min(inherited, count - static_cast<unsigned>(pending()));
    }
  }
};

/// Runs both texts side by side.
class Replay {
public:
  Replay(const Module &module, const Block &block, const std::vector<uint8_t> &drained,
         const std::vector<StorePair> &pairs)
      : module_(module), block_(block), drained_(drained), pairs_(pairs) {}

  std::map<uint32_t, unsigned> counts;
  std::set<size_t> refused; ///< Pairs.

  void run() {
    size_t next = 0; // The first pair whose second store is ahead.
    for (uint32_t i = block_.first; i < block_.last; ++i) {
      const Instruction &inst = module_.instructions()[i];
      if (isLdsOperation(inst)) {
        const bool isOfPair =
            next < pairs_.size() && (pairs_[next].first == i || pairs_[next].second == i);
        issue(i, isOfPair ? std::optional(next) : std::nullopt);
        next += isOfPair && pairs_[next].second == i;
      }
      if (const auto wait = waitOf(inst))
        if (const auto count = wait->atMost[size_t(WaitCounter::Lgkm)])
          this->wait(inst, *count);
      if (isFence(inst) && !isCovered(now_))
        refuse(now_.done);
    }
    // What is in flight at the end must be the tail of the original's (Verify/Segment.cpp).
    const bool sameTail = now_.pending() <= was_.pending() &&
                          (now_.inherited == 0 || now_.pending() == was_.pending());
    const bool keepsPairs =
        std::any_of(operations_.begin() + static_cast<std::ptrdiff_t>(now_.done), operations_.end(),
                    [](const Operation &operation) { return operation.pair.has_value(); });
    if (!isCovered(now_) || ((!sameTail || keepsPairs) && !isDrainedNext()))
      refuse(0);
  }

private:
  struct Operation {
    size_t oldest; ///< Number of its first store in the original.
    std::optional<size_t> pair;
  };

  void issue(uint32_t i, std::optional<size_t> pair) {
    if (!pair) {
      operations_.push_back({was_.issued, {}});
    } else {
      const StorePair &stores = pairs_[*pair];
      const bool isSecond = stores.second == i;
      if (isSecond == (stores.place == StorePair::Place::Second))
        operations_.push_back({was_.issued - isSecond, pair});
    }
    ++was_.issued;
    now_.issued = operations_.size();
  }

  /// Is nothing in flight that the original has waited for?
  bool isCovered(const Flight &flight) const {
    return flight.inherited <= was_.inherited &&
           (flight.pending() == 0 || operations_[flight.done].oldest >= was_.done);
  }

  void wait(const Instruction &inst, unsigned count) {
    was_.wait(count);
    Flight unchanged = now_;
    unchanged.wait(count);
    if (isCovered(unchanged)) {
      now_ = unchanged;
      return;
    }
    if (inst.origin != Instruction::Origin::Text || !waitCounts(inst)) {
      refuse(unchanged.done);
      now_ = unchanged;
      return;
    }
    unsigned fewer = 0;
    while (fewer < now_.pending() &&
           operations_[operations_.size() - 1 - fewer].oldest >= was_.done)
      ++fewer;
    if (fewer == now_.pending())
      fewer += std::min(was_.inherited, now_.inherited);
    counts[inst.index] = fewer;
    now_.wait(fewer);
  }

  bool isDrainedNext() const {
    return std::all_of(block_.successors.begin(), block_.successors.end(),
                       [&](uint32_t b) { return drained_[b]; });
  }

  /// The pairs among the operations from the given one on.
  void refuse(size_t from) {
    for (; from < operations_.size(); ++from)
      if (operations_[from].pair)
        refused.insert(*operations_[from].pair);
  }

  const Module &module_;
  const Block &block_;
  const std::vector<uint8_t> &drained_;
  const std::vector<StorePair> &pairs_;
  std::vector<Operation> operations_; ///< Of the rewritten text, in order.
  Flight was_, now_;
};

} // namespace

std::map<uint32_t, unsigned> settleCounts(const Module &module, const Block &block,
                                          const std::vector<uint8_t> &drained,
                                          std::vector<StorePair> &pairs) {
  for (;;) { // Each round takes a pair away.
    Replay replay(module, block, drained, pairs);
    replay.run();
    if (replay.refused.empty())
      return replay.counts;
    std::vector<StorePair> kept;
    for (size_t p = 0; p < pairs.size(); ++p)
      if (!replay.refused.contains(p))
        kept.push_back(pairs[p]);
    pairs = std::move(kept);
  }
}

} // namespace rdna
