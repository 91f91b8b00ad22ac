//===- Random.h - seeded random numbers, the same on every machine --------===//
#pragma once

#include <cstdint>

namespace rdna {

/// SplitMix64: tiny, and unlike the standard distributions its numbers are the same with every
/// standard library, so a printed seed reproduces a failure anywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  /// Uniform in [0, bound); bound > 0.
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(next() % bound); }
  /// Uniform in [-1, 1), a multiple of 2^-23.
  float symmetricFloat();

private:
  uint64_t state_;
};

} // namespace rdna
