#include "Transform/MergedCounts.h"

#include "Analysis/Dependence.h"
#include "Analysis/Waits.h"
#include "Asm/Counters.h"

#include <algorithm>
#include <optional>
#include <set>

namespace rdna {

namespace {

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
      if (isMemoryFence(inst) && !isCovered(now_))
        refuse(now_.complete());
    }
    // What is in flight at the end must be the tail of the original's (Verify/Segment.cpp).
    const bool sameTail = now_.outstanding() <= was_.outstanding() &&
                          (now_.inherited() == 0 || now_.outstanding() == was_.outstanding());
    const bool keepsPairs = std::any_of(
        operations_.begin() + static_cast<std::ptrdiff_t>(now_.complete()), operations_.end(),
        [](const Operation &operation) { return operation.pair.has_value(); });
    if (!isCovered(now_) || ((!sameTail || keepsPairs) && !isDrainedNext()))
      refuse(0);
  }

private:
  struct Operation {
    unsigned oldest; ///< How many the original has issued before it (its first store).
    std::optional<size_t> pair;
  };

  void issue(uint32_t i, std::optional<size_t> pair) {
    const auto before = static_cast<unsigned>(was_.issued());
    const bool isSecond = pair && pairs_[*pair].second == i;
    if (!pair || isSecond == (pairs_[*pair].place == StorePair::Place::Second)) {
      operations_.push_back({before - isSecond, pair});
      now_.issue();
    }
    was_.issue();
  }

  /// Is nothing in flight that the original has waited for?
  bool isCovered(const OperationQueue &queue) const {
    return queue.inherited() <= was_.inherited() &&
           (queue.outstanding() == 0 || operations_[queue.complete()].oldest >= was_.complete());
  }

  void wait(const Instruction &inst, unsigned count) {
    was_.wait(count);
    OperationQueue unchanged = now_;
    unchanged.wait(count);
    if (isCovered(unchanged)) {
      now_ = unchanged;
      return;
    }
    if (inst.origin != Instruction::Origin::Text || !waitCounts(inst)) {
      refuse(unchanged.complete());
      now_ = unchanged;
      return;
    }
    unsigned fewer = 0;
    while (fewer < now_.outstanding() &&
           operations_[operations_.size() - 1 - fewer].oldest >= was_.complete())
      ++fewer;
    if (fewer == now_.outstanding())
      fewer += std::min(was_.inherited(), now_.inherited());
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
  OperationQueue was_, now_;
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
