//===- PendingResult.h - results in flight, as s_delay_alu tells them ------------===//
#pragma once

#include "Asm/Module.h"

#include <algorithm>

namespace rdna {

/// Who makes a result; each kind is named in a way of its own.
enum class Producer { Valu, Trans, Salu, Other };
Producer producerOf(const Instruction &inst);

/// A result that may be on its way: at most so many cycles yet, and the producer at least so many
/// instructions of its own kind back.
template <unsigned Farthest> struct InFlightTime {
  unsigned cycles = 0, back = Farthest + 1;
  bool operator==(const InFlightTime &) const = default;
  bool any() const { return cycles > 0; }
  void merge(const InFlightTime &other) {
    cycles = std::max(cycles, other.cycles);
    back = std::min(back, other.back);
  }
  void pass(unsigned time, unsigned producers) {
    back += producers;
    if (back > Farthest || cycles <= time)
      *this = {};
    else
      cycles -= time;
  }
};

/// Of the encoding.
inline constexpr unsigned farthestValu = 4, farthestTrans = 3, mostSaluCycles = 3;

/// What one register waits for.
struct PendingResult {
  InFlightTime<farthestValu> valu;
  InFlightTime<farthestTrans> trans;
  unsigned transValus = farthestValu + 1; ///< VALU instructions since that transcendental one.
  unsigned saluCycles = 0;
  bool operator==(const PendingResult &) const = default;

  static PendingResult of(Producer producer, unsigned latency);
  bool any() const { return valu.any() || trans.any() || saluCycles > 0; }
  /// The worst of both.
  void merge(const PendingResult &other);
  /// One instruction is issued.
  void pass(Producer producer, unsigned time);
  /// As instid0 and instid1; the latter only if there are two things to wait for.
  uint16_t immediate() const;
};

} // namespace rdna
