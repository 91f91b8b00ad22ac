//===- LoneWave.h - how long a wave takes that has its SIMD for itself -----===//
//
// Counts of instructions say nothing of waiting. Where few waves share a SIMD, what is not waited
// for in the original must not be waited for in what is made of it: a load behind the FMACs that
// another one's result is for, or a chain whose links stand side by side.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/RegionModel.h"

#include <algorithm>
#include <array>
#include <vector>

namespace rdna {

struct Slot;

/// Clocks by latencies alone: no caches, no other waves, no time to fetch. Of a loop's body those
/// of an iteration of many, of other blocks from where nothing is in flight; there what is in
/// flight at the end counts half, where orders are compared in loops as well.
class LoneWave {
public:
  /// Texts that differ in pairs and loads, or in nothing but the order. There it counts as well
  /// that memory instructions are held until the wave's vector instructions in front of them
  /// execute, and waits that order memory cost nothing, as the others do: how many there are is
  /// found out behind it.
  enum class Compares : uint8_t { Pairs, Orders };
  LoneWave(const Module &module, const RegionModel &region, Compares compares = Compares::Pairs);
  struct Clocks {
    uint64_t all = 0;    ///< From its begin to its end.
    uint64_t issued = 0; ///< Of them those in which something is issued.
  };
  Clocks asWritten() const;
  /// From a node's issue to the use of what it makes.
  unsigned latencyOf(uint32_t node) const { return facts_[node].latency; }
  Clocks of(const std::vector<Slot> &slots) const;
  /// A wave on its way through the block.
  class Run;

private:
  enum class Queue : uint8_t { None, Vector, LdsAndScalar };
  struct Facts {
    llvm::SmallVector<uint32_t, 4> reads, writes; ///< Webs, and behind them other registers.
    unsigned latency = 1, issue = 1;
    Queue queue = Queue::None; ///< Of a load.
    bool isVector = false, waitsForVector = false;
    const OrderWait *wait = nullptr;
  };

  Facts factsOf(const Node &node) const;

  const Module &module_;
  const RegionModel &region_;
  const Compares compares_;
  std::vector<Facts> facts_; ///< By node.
  size_t resources_ = 0;
};

class LoneWave::Run {
public:
  explicit Run(const LoneWave &model) : model_(model), ready_(model.resources_, 0) {}

  /// Clocks that these, which share an instruction, would have to wait for now.
  uint64_t stallOf(llvm::ArrayRef<uint32_t> nodes) const { return startOf(nodes) - now_; }
  void issue(llvm::ArrayRef<uint32_t> nodes);
  uint64_t now() const { return now_; }
  uint64_t issued() const { return issued_; }
  /// When the last load comes back.
  uint64_t complete() const { return std::max({now_, last_[0], last_[1]}); }

private:
  uint64_t startOf(llvm::ArrayRef<uint32_t> nodes) const;
  uint64_t completeFor(const OrderWait &wait) const;

  const LoneWave &model_;
  std::vector<uint64_t> ready_; ///< By web or other register.
  std::vector<std::pair<uint32_t, uint64_t>> loads_;
  std::array<uint64_t, 2> last_{}; ///< Of what comes back in order.
  uint64_t now_ = 0, issued_ = 0, memoryFrom_ = 0;
};

} // namespace rdna
