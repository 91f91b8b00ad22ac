//===- LaneSets.h - VGPRs by the lanes in which something holds of them ---===//
//
// Behind an `if` the lanes of the mask that was saved are switched on again, and no lane beyond:
// what is read there is of no use in lanes that were off before. So lanes are told apart by EXEC
// and by the SGPRs that hold masks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"

#include "llvm/ADT/SmallVector.h"

#include <bitset>
#include <map>
#include <tuple>

namespace rdna {

/// Lanes whose bits one mask or two hold and none of several others. Masks are RegUnits of SGPRs or
/// EXEC.
struct LanesOf {
  static constexpr uint16_t kAny = 0xffff; ///< In place of a mask: all lanes.
  uint16_t in = kAny;
  llvm::SmallVector<uint16_t, 6> outside = {}; ///< Sorted.
  uint16_t also = kAny; ///< Differs from `in`, and is greater, if it is a mask.
  bool operator==(const LanesOf &) const = default;
  bool operator<(const LanesOf &other) const {
    return std::tie(in, outside, also) < std::tie(other.in, other.outside, other.also);
  }
};

struct LaneSets {
  using Vgprs = std::bitset<256>;
  Vgprs active;                    ///< In the lanes that EXEC selects.
  Vgprs inactive;                  ///< In all others.
  std::map<LanesOf, Vgprs> others; ///< In lanes that are neither.

  bool operator==(const LaneSets &) const = default;
  /// In some lane that EXEC need not select.
  Vgprs switchedOff() const;
  /// In some lane that EXEC may select: a mask may hold bits of active lanes, or lack them.
  Vgprs maybeActive() const;
  /// In some lane.
  Vgprs all() const { return active | switchedOff(); }
  void add(const LaneSets &other);
  void add(LanesOf lanes, const Vgprs &vgprs);
  /// Not any longer: in no lane, or in none that EXEC selects.
  void drop(const Vgprs &vgprs);
  void dropActive(const Vgprs &vgprs);
  /// How many masks may say which lanes they are, besides those that they are outside of. Two tell
  /// the lanes of `s_and_saveexec` apart from all that were on before; where lanes are compared by
  /// formulas of masks (Verify/Demand), they cost more than they tell.
  enum class Within : uint8_t { OneMask, TwoMasks };
  /// What held behind an instruction, by EXEC and the masks in front of it. It may be more lanes
  /// than needed, never fewer.
  void stepOverMasks(const Instruction &inst, Within within = Within::OneMask);
};

} // namespace rdna
