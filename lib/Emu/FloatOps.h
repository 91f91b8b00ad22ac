//===- FloatOps.h - floating-point building blocks of lane functions ------===//
//
// Every function returns either an exact bit pattern or one rounded result with the one quiet NaN.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Half.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace rdna::emu {

RDNA_INLINE uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
RDNA_INLINE uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
RDNA_INLINE bool signBit(float x) { return bits(x) >> 31; }
RDNA_INLINE bool signBit(double x) { return bits(x) >> 63; }
RDNA_INLINE bool isNan(float x) { return x != x; }
RDNA_INLINE bool isNan(double x) { return x != x; }
RDNA_INLINE bool isSignalling(float x) { return x != x && !(bits(x) & 0x400000u); }
RDNA_INLINE bool isSignalling(double x) { return x != x && !(bits(x) & 0x8000000000000u); }
RDNA_INLINE int exponentField(float x) { return int(bits(x) >> 23 & 0xff); }
RDNA_INLINE int exponentField(double x) { return int(bits(x) >> 52 & 0x7ff); }

RDNA_INLINE uint16_t bits(Half x) { return x.bits; }
RDNA_INLINE bool isNan(Half x) { return (x.bits & 0x7fff) > 0x7c00; }
RDNA_INLINE bool isSignalling(Half x) { return isNan(x) && !(x.bits & 0x200); }
RDNA_INLINE bool equal(Half a, Half b) { return halfToFloat(a) == halfToFloat(b); }
template <class F> RDNA_INLINE bool equal(F a, F b) { return a == b; }

RDNA_INLINE uint32_t fractionMask(float) { return 0x007fffffu; }
RDNA_INLINE uint64_t fractionMask(double) { return 0x000fffffffffffffu; }

/// A NaN made quiet; its payload stays.
RDNA_INLINE float quieted(float x) { return std::bit_cast<float>(bits(x) | 0x400000u); }
RDNA_INLINE double quieted(double x) { return std::bit_cast<double>(bits(x) | 0x8000000000000u); }
RDNA_INLINE Half quieted(Half x) { return {uint16_t(x.bits | 0x200)}; }

/// Numbers in order as signed integers, -0 below +0.
RDNA_INLINE int32_t ordinal(float x) {
  auto i = std::bit_cast<int32_t>(x);
  return i ^ int32_t(uint32_t(i >> 31) >> 1);
}
RDNA_INLINE int64_t ordinal(double x) {
  auto i = std::bit_cast<int64_t>(x);
  return i ^ int64_t(uint64_t(i >> 63) >> 1);
}
RDNA_INLINE int32_t ordinal(Half x) {
  return ordinal(std::bit_cast<float>(uint32_t(x.bits) << 16)) >> 16;
}

/// What V_MIN and V_MAX make of NaNs: a NaN loses against a number; in IEEE mode a signalling one
/// wins and becomes quiet. Of two NaNs, S0.
template <class F> RDNA_INLINE F withoutNan(F a, F b, F chosen, Mode mode) {
  F r = isNan(a) ? b : chosen;
  r = isNan(b) ? a : r;
  r = mode.ieee() && isSignalling(b) ? quieted(b) : r;
  return mode.ieee() && isSignalling(a) ? quieted(a) : r;
}
template <class F> RDNA_INLINE F minimum(F a, F b, Mode mode) {
  return withoutNan(a, b, ordinal(a) < ordinal(b) ? a : b, mode);
}
template <class F> RDNA_INLINE F maximum(F a, F b, Mode mode) {
  return withoutNan(a, b, ordinal(a) > ordinal(b) ? a : b, mode);
}
template <class F> RDNA_INLINE F median(F a, F b, F c, Mode mode) {
  F low = minimum(minimum(a, b, mode), c, mode);
  F high = maximum(maximum(a, b, mode), c, mode);
  F middle = equal(high, a)   ? maximum(b, c, mode)
             : equal(high, b) ? maximum(a, c, mode)
                              : maximum(a, b, mode);
  return isNan(a) || isNan(b) || isNan(c) ? low : middle;
}

RDNA_INLINE float fused(float a, float b, float c) { return quiet(__builtin_fmaf(a, b, c)); }
RDNA_INLINE double fused(double a, double b, double c) { return quiet(__builtin_fma(a, b, c)); }

/// Denormals are flushed by the transcendental f32 instructions whatever MODE says (LLVM scales
/// inputs around v_rcp/v_rsq/v_sqrt/v_log/v_exp_f32 for exactly this reason).
RDNA_INLINE float flush(float x) {
  return bits(x) & 0x7f800000u ? x : std::bit_cast<float>(bits(x) & 0x80000000u);
}

template <class To, class From> RDNA_INLINE To saturatingCast(From x) {
  // Exclusive limits that are exact in f32 and f64.
  constexpr From top = From(std::numeric_limits<To>::max() / 2 + 1) * 2;
  constexpr From bottom = From(std::numeric_limits<To>::min());
  bool over = x >= top, under = x <= bottom, fits = x > bottom && x < top;
  To r = static_cast<To>(fits ? x : From(0));
  r = over ? std::numeric_limits<To>::max() : r;
  return under ? std::numeric_limits<To>::min() : r;
}

/// x * 2^e with one rounding.
RDNA_INLINE float scaled(float x, int32_t e) {
  int32_t c = e < -400 ? -400 : e > 400 ? 400 : e;
  double factor = std::bit_cast<double>(uint64_t(1023 + c) << 52);
  return quiet(float(double(x) * factor)); // Exact in f64, rounded once.
}
RDNA_INLINE double powerOfTwo64(int32_t e) {
  return std::bit_cast<double>(uint64_t(1023 + e) << 52);
}
/// In three steps: scaling up is exact, and of the steps down the first two stop where what is left
/// would make any denormal vanish, so only one rounding can change the result.
RDNA_INLINE double scaled(double x, int32_t e) {
  for (int step = 0; step < 2; ++step) {
    int32_t c = e > 1023 ? 1023 : e < -1022 ? -969 : 0;
    x *= powerOfTwo64(c);
    e -= c;
  }
  e = e > 1023 ? 1023 : e < -1022 ? -1022 : e;
  return quiet(x * powerOfTwo64(e));
}

// Normalised integers: the range is symmetric, NaN gives 0. How the product is rounded is nowhere
// said; half up, in f64 so that MODE's rounding does not matter.
RDNA_INLINE int16_t snorm16(float x) {
  double bounded = x > 1 ? 1 : x < -1 ? -1 : isNan(x) ? 0 : x;
  return int16_t(int32_t(__builtin_floor(bounded * 32767 + 0.5)));
}
RDNA_INLINE uint16_t unorm16(float x) {
  double bounded = x > 1 ? 1 : x > 0 ? x : 0;
  return uint16_t(int32_t(bounded * 65535 + 0.5));
}

/// V_CMP_CLASS: which bit of the class mask `x` selects.
template <class F> RDNA_INLINE unsigned classOf(F x) {
  constexpr int top = sizeof(F) == 4 ? 0xff : 0x7ff;
  bool negative = signBit(x);
  unsigned number = exponentField(x) == top ? (negative ? 2 : 9)
                    : exponentField(x) > 0  ? (negative ? 3 : 8)
                    : x != 0                ? (negative ? 4 : 7)
                                            : (negative ? 5 : 6);
  return isNan(x) ? (isSignalling(x) ? 0 : 1) : number;
}

/// f16 operations through f32, rounded back once.
template <class F> RDNA_INLINE Half viaFloat(Half a, F f) { return floatToHalf(f(halfToFloat(a))); }
template <class F> RDNA_INLINE Half viaFloat(Half a, Half b, F f) {
  return floatToHalf(f(halfToFloat(a), halfToFloat(b)));
}
RDNA_INLINE Half addHalf(Half a, Half b) {
  return viaFloat(a, b, [](float x, float y) { return x + y; });
}
RDNA_INLINE Half mulHalf(Half a, Half b) {
  return viaFloat(a, b, [](float x, float y) { return x * y; });
}

// Sums of two products: both are exact in f32 (22 bits), the additions round. The precision in
// between is not documented; that f32 denormals are flushed in every mode is (LLVM, forming
// fdot2 from FMAs).
RDNA_INLINE float dotHalves(PackedHalf a, PackedHalf b, float c) {
  float sum = flush(c) + halfToFloat(low(a)) * halfToFloat(low(b));
  return quiet(flush(sum + halfToFloat(high(a)) * halfToFloat(high(b))));
}
RDNA_INLINE float dotBfloats(PackedBfloat a, PackedBfloat b, float c) {
  float sum = flush(c) + bfloatToFloat(uint16_t(a.bits)) * bfloatToFloat(uint16_t(b.bits));
  sum += bfloatToFloat(uint16_t(a.bits >> 16)) * bfloatToFloat(uint16_t(b.bits >> 16));
  return quiet(flush(sum));
}

} // namespace rdna::emu
