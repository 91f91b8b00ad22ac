//===- AllocatingSchedule.h - order and registers of a block in one pass ---===//
//
// Banks that are planned first, an order that follows from them, and registers that are found last:
// that suits tiles, whose banks follow from their shape. In other code, and where registers are
// short, the three do not meet. Here a value gets its register when it is written, from those that
// are free there, so that partners are chosen by registers that they have.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Allocate.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace rdna {

/// How the next instruction is chosen; several styles are tried.
struct AllocatingStyle {
  /// Whether partners are chosen by the registers that values have when their turn comes, or first
  /// of all by what banks could have together (BankEquations).
  enum class Partners : uint8_t { ByRegister, ByEquation } partners = Partners::ByEquation;
  /// When an FMA is given to an operation that can only be the second half of an instruction:
  /// where its own kind has nothing more, or as soon as any. Two of those have no instruction.
  enum class Mixed : uint8_t { Last, AtOnce } mixed = Mixed::Last;
  unsigned window = ~0U;   ///< Lane operations so far behind the oldest ready one may be issued.
  unsigned lookAhead = 16; ///< How far others, loads above all, come up so that there is a pair.
  unsigned reserve = 0;    ///< Registers that those leave free.
  unsigned conflictLimit =
      0;           ///< Source bank conflicts of a pair that shares an instruction anyway.
  int height = 4;  ///< Weight of what waits for an operation.
  int release = 2; ///< Weight of registers that become free.
  int merge = 2;   ///< Weight of what a pair fixes for others.
  int latency = 2; ///< Of each clock that a wave alone would wait.
  const LoneWave *lone = nullptr; ///< Says how long; null: nobody asks.
  uint32_t noise = 0;             ///< Random part of a score.
  uint64_t seed = 0;
};

struct AllocatedSchedule {
  Schedule schedule;
  std::vector<Vgpr> registers; ///< By web.
};

/// \return nothing if registers do not suffice in the order that came of it.
std::optional<AllocatedSchedule> scheduleAndAllocate(const RegionModel &region,
                                                     const Module &module, const Groups &groups,
                                                     const RegisterSpace &space,
                                                     const AllocatingStyle &style,
                                                     const ScalarPairs &pairs);

/// The same with LDS loads that are as wide as the pairs of the order leave them, which `widths`
/// says then.
std::optional<AllocatedSchedule> scheduleAndNarrow(const RegionModel &region, const Module &module,
                                                   const RegisterSpace &space,
                                                   const AllocatingStyle &style,
                                                   const ScalarPairs &pairs, LoadWidths &widths);

} // namespace rdna
