//===- Shadow.h - which bits of a wave's registers nothing has written ---===//
#pragma once

#include "Emu/Observe/Plan.h"

namespace rdna::emu {

/// Undefined bytes of a VGPR: bits 0 to 3 for each lane.
using LaneShadow = std::array<uint8_t, laneCount>;

/// VGPRs per byte, because compilers pack halves and bytes; scalar registers per bit, because they
/// hold lane masks. A register in `clean` is wholly defined, and its shadow need not be looked at.
class WaveShadow {
public:
  static constexpr uint32_t neverWritten = ~uint32_t(0);

  /// Whatever still holds the launch's garbage is undefined.
  void start(Wave &w);

  bool clean(const RegSet &registers) const {
    uint64_t dirty = 0;
    for (unsigned k = 0; k < registers.word.size(); ++k)
      dirty |= registers.word[k] & ~clean_.word[k];
    return dirty == 0;
  }
  bool clean(unsigned unit) const { return clean_.has(unit); }

  LaneShadow &vgpr(unsigned n);
  const LaneShadow *vgprIfDirty(unsigned n) const { return clean_.has(n) ? nullptr : &v_[n]; }
  /// Undefined bits of a scalar register.
  uint32_t scalar(unsigned unit) const { return clean_.has(unit) ? 0 : s_[unit - 256]; }
  void setScalar(unsigned unit, uint32_t undefined, uint32_t origin);
  /// The active lanes of all written registers become defined.
  void define(const RegSet &written, uint32_t exec);
  /// One lane, some bytes; `origin` only matters where something is undefined.
  void setLane(unsigned vgpr, unsigned lane, uint8_t bytes, uint8_t undefined, uint32_t origin);
  /// After setLane: notices that a register has become clean.
  void settle(unsigned vgpr);
  /// The instruction that brought the undefined value, or neverWritten.
  uint32_t origin(unsigned unit) const { return origin_[unit]; }

private:
  RegSet clean_;
  std::array<LaneShadow, 256> v_;
  std::array<uint32_t, kRegUnits - 256> s_;
  std::array<uint32_t, kRegUnits> origin_;
};

} // namespace rdna::emu
