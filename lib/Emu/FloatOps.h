//===- FloatOps.h - floating-point building blocks of lane functions ------===//
//
// Every function returns either an exact bit pattern or one rounded result with the one quiet NaN.
// Transcendental instructions are approximations in hardware (1 ulp, ISA section "VALU"); here they
// are the rounded exact value, computed in f64.
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

/// V_MIN/V_MAX: -0 < +0, a NaN loses against a number, a signalling NaN wins in IEEE mode.
template <class F> RDNA_INLINE F minimum(F a, F b, Mode mode) {
  F r = a < b || (a == b && signBit(a)) ? a : b;
  r = isNan(b) ? a : r;
  r = isNan(a) ? b : r;
  F nan = quiet(std::numeric_limits<F>::quiet_NaN());
  bool signalling = isSignalling(a) || isSignalling(b);
  r = mode.ieee() && signalling ? nan : r;
  return quiet(r);
}
template <class F> RDNA_INLINE F maximum(F a, F b, Mode mode) {
  F r = a > b || (a == b && !signBit(a)) ? a : b;
  r = isNan(b) ? a : r;
  r = isNan(a) ? b : r;
  F nan = quiet(std::numeric_limits<F>::quiet_NaN());
  bool signalling = isSignalling(a) || isSignalling(b);
  r = mode.ieee() && signalling ? nan : r;
  return quiet(r);
}
template <class F> RDNA_INLINE F median(F a, F b, F c, Mode mode) {
  F low = minimum(minimum(a, b, mode), c, mode);
  F high = maximum(maximum(a, b, mode), c, mode);
  F middle = high == a   ? maximum(b, c, mode)
             : high == b ? maximum(a, c, mode)
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
RDNA_INLINE double scaled(double x, int32_t e) { return quiet(std::ldexp(x, e)); }

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
RDNA_INLINE bool isSignalling(Half x) { return (x.bits & 0x7fff) > 0x7c00 && !(x.bits & 0x200); }
RDNA_INLINE Half minimum(Half a, Half b, Mode mode) {
  Half r = floatToHalf(minimum(halfToFloat(a), halfToFloat(b), mode));
  return r;
}
RDNA_INLINE Half maximum(Half a, Half b, Mode mode) {
  return floatToHalf(maximum(halfToFloat(a), halfToFloat(b), mode));
}
RDNA_INLINE Half median(Half a, Half b, Half c, Mode mode) {
  return floatToHalf(median(halfToFloat(a), halfToFloat(b), halfToFloat(c), mode));
}
RDNA_INLINE Half addHalf(Half a, Half b) {
  return viaFloat(a, b, [](float x, float y) { return x + y; });
}
RDNA_INLINE Half mulHalf(Half a, Half b) {
  return viaFloat(a, b, [](float x, float y) { return x * y; });
}

} // namespace rdna::emu
