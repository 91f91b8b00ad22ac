//===- Schedule.h - which operations share an instruction, in which order -===//
#pragma once

#include "Transform/LoneWave.h"
#include "Transform/RegionModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rdna {

/// Into how many registers at a time an LDS load is split.
enum class LoadWidth : uint8_t { Whole, Pairs, Singles };

/// One for all loads of a region, or one for each.
struct LoadWidths {
  LoadWidths(LoadWidth width) : all(width) {}
  LoadWidth of(uint32_t node) const { return own.empty() ? all : own[node]; }
  bool operator==(const LoadWidths &) const = default;
  LoadWidth all;
  std::vector<LoadWidth> own; ///< By node; empty if it is one for all.
};

/// Banks of the webs before the order is known.
struct BankPlan {
  LoadWidths width = LoadWidth::Whole;
  /// Bank 0..3 by web, or kAny: decided when the web is first written by a pair.
  std::vector<int8_t> bank;
  static constexpr int8_t kAny = -1;
  /// Registers to be had by relocatable webs, by bank.
  std::array<unsigned, 4> relocatableRoom{};
  /// Registers for relocatable webs and for values of the block, by bank.
  std::array<unsigned, 4> freeRegisters{256, 256, 256, 256};
};

struct Slot {
  enum class Kind : uint8_t { Pair, Single, Other } kind = Kind::Other;
  uint32_t x = 0, y = 0; ///< Nodes; y only for Pair.
  enum class Sources : uint8_t { AsIs, Swapped } xSources = Sources::AsIs, ySources = Sources::AsIs;
};

/// The block in the order in which it stands; halves of one VOPD are a pair.
std::vector<Slot> slotsAsWritten(const RegionModel &region);

/// What a schedule costs, most important first. Legality is not a cost: a slot that breaks an
/// encoding rule or decision 5 of docs/design.md is never formed.
struct ScheduleCost {
  unsigned issues = 0;          ///< VALU instructions of the lane operations.
  unsigned singleFmas = 0;      ///< FMAs that are not half of a pair of two.
  unsigned conflicts = 0;       ///< Source bank conflicts.
  unsigned singleConflicts = 0; ///< The same within FMAs that stay single.
  unsigned missedReuse = 0;
  unsigned missedRotation = 0;
  /// One issue slot weighs as much as one conflict: a conflicting pair takes two cycles
  /// (docs/hardware.md; who rewrote kernel 5 by hand saw 2 to 3).
  unsigned primary() const { return 4 * (issues + conflicts) + singleFmas; }
  auto key() const { return std::tuple(primary(), missedReuse + missedRotation); }
};

struct Schedule {
  std::vector<Slot> slots;
  std::vector<int8_t> bank; ///< Of every web; kAny where nothing depends on it.
  ScheduleCost cost;
};

/// Up to so many lane operations every pair of ready ones is looked at; more are kept by what
/// decides about partners (ReadyOps).
inline constexpr unsigned kSmallBlock = 150;

/// Weights of the list scheduler; several sets are tried.
struct ScheduleStyle {
  int reuse = 40, rotation = 15, finish = 1, scarcity = 0, height = 0, conflict = 200, fma = 60,
      noise = 0, order = 1;
  unsigned conflictLimit = 8;     ///< Pairs with more source bank conflicts are not formed.
  int latency = 1;                ///< Of each clock that a wave alone would wait.
  const LoneWave *lone = nullptr; ///< Says how long; null: nobody asks.
  uint64_t seed = 0;
};

/// Which operations VOPD allows to share an instruction if their registers do: opcodes, scalar
/// values and literals, which no plan changes. Found once for all schedules of a small block.
class ScalarPairs {
public:
  explicit ScalarPairs(const RegionModel &region);
  bool fit(uint32_t x, uint32_t y) const {
    return known_.empty() ? find(x, y) : known_[x * region_.nodes.size() + y];
  }

private:
  bool find(uint32_t x, uint32_t y) const;
  const RegionModel &region_;
  std::vector<bool> known_; ///< By both nodes; none of a large block.
};

/// List scheduling with pairing under a bank plan.
Schedule schedule(const RegionModel &region, const Module &module, const BankPlan &plan,
                  const ScheduleStyle &style, const ScalarPairs &pairs);

/// The old order with every register at home; pairs with a parity hazard get their sources
/// exchanged or, where that does not help, fall apart. Nothing if two halves each overwrite what
/// the other reads.
std::optional<Schedule> repairInPlace(const RegionModel &region);

/// The ports of one half: webs on SRC0, SRC1 and SRC2.
struct HalfPorts {
  WebId src0 = kNoWeb, src1 = kNoWeb, src2 = kNoWeb, dst = kNoWeb;
};
HalfPorts portsOf(const WebOp &op, Slot::Sources sources);
/// What banks say of two halves, as far as they are known (`bank`: of every web).
class PortBanks {
public:
  explicit PortBanks(const std::vector<int8_t> &bank) : bank_(bank) {}
  /// SRC0 with SRC0 and SRC1 with SRC1: other bank by law, other parity by decision 5. Opposite
  /// parity implies both; one register in both slots is illegal on gfx11.
  bool sourcesFit(const HalfPorts &x, const HalfPorts &y) const;
  bool destinationsFit(const HalfPorts &x, const HalfPorts &y) const;
  unsigned conflicts(const HalfPorts &x, const HalfPorts &y) const;

private:
  int8_t bank(WebId w) const { return bank_[w]; }
  const std::vector<int8_t> &bank_;
};
/// May SRC0 and SRC1 be exchanged?
bool canSwap(const WebOp &op);

/// Bank conflicts of FMAs that are no lane operations, which the text counts as well.
unsigned conflictsOfOthers(const RegionModel &region, const Module &module,
                           llvm::function_ref<Vgpr(WebId)> registerOf);

} // namespace rdna
