//===- Dependence.h - what keeps operations in order ----------------------===//
//
// The rules by which passes move code: registers (EXEC, SCC, VCC and M0 are registers like others),
// memory, and instructions that nothing passes. What waits and acquires add is in
// Transform/OrderWaits. The proof has rules of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace rdna {

/// The registers that some instructions read and write.
struct Footprint {
  std::bitset<kRegUnits> reads, writes;
  Footprint &add(const Instruction &inst);
};
/// Does the later one read or overwrite what the earlier one writes, or overwrite what it reads?
bool areOrdered(const Footprint &earlier, const Footprint &later);

/// Says something about when, not about what: priorities, sleep, prefetching, s_nop, clauses and
/// delays.
bool isTimingHint(const Instruction &inst);

/// No other instruction passes it, whatever its registers are: it acts on the whole wave, changes
/// who executes or how, or nobody knows what it does.
bool isSchedulingBarrier(const Instruction &inst);

/// Where other waves may see what is complete and what is not, so that no access to memory passes
/// it: barriers, messages, invalidations, waits for stores.
bool isMemoryFence(const Instruction &inst);

/// Operations of a piece of code, and which have to stay in front of which.
class DependenceGraph {
public:
  explicit DependenceGraph(size_t nodes) : before_(nodes) {}

  /// `later` stays behind `earlier`; nothing if they are the same.
  void order(uint32_t earlier, uint32_t later);
  void order(llvm::ArrayRef<uint32_t> earlier, uint32_t later);

  // The following are told in the order of the text.

  /// A register, or whatever else holds one value at a time, by a number that the caller chooses.
  using Value = uint32_t;
  void read(uint32_t node, Value value);
  void write(uint32_t node, Value value);
  /// `value` takes over the place in which `other` was: it is written behind all uses of that.
  void replace(uint32_t node, Value other);
  /// Loads pass loads, and nothing else passes a store of its memory.
  void access(uint32_t node, const Instruction &inst);
  /// All that is told of from here on stays behind `node`, and what was before in front of it.
  void barrier(uint32_t node);
  /// Stays behind the last barrier.
  void add(uint32_t node);

  /// By node, sorted.
  const std::vector<std::set<uint32_t>> &before() const { return before_; }

private:
  struct History {
    llvm::SmallVector<uint32_t, 2> writers, readers; ///< Readers since the last write.
  };
  /// LDS, vector memory (scratch as well), scratch; FLAT is in all of them.
  static constexpr size_t kSpaces = 3;
  static std::array<bool, kSpaces> spacesOf(const Instruction &inst);

  std::vector<std::set<uint32_t>> before_;
  std::map<Value, History> values_;
  std::array<History, kSpaces> memory_;
  std::vector<uint32_t> sinceBarrier_;
  std::optional<uint32_t> barrier_;
};

} // namespace rdna
