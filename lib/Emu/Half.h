//===- Half.h - f16 and bf16 conversions with one rounding ----------------===//
//
// Written with integers so that they vectorise on every host and do not depend on F16C or on the
// host's rounding mode. f16 arithmetic is done in f32 and rounded once more: for +, -, *, / and
// square root that double rounding is innocuous (24 >= 2 * 11 + 2); FMA goes through f64, rounded
// to odd.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Lane.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace rdna::emu {

/// The NaN of every f32/f64/f16 result that is NaN: positive, quiet, no payload. Hardware keeps an
/// input's payload in some cases; which one is not documented for all instructions, so results that
/// are NaN are all the same here (docs: "The emulator's NaN").
inline constexpr uint32_t quietNan32 = 0x7fc00000u;
inline constexpr uint64_t quietNan64 = 0x7ff8000000000000u;
inline constexpr uint16_t quietNan16 = 0x7e00u;

RDNA_INLINE float quiet(float x) { return x == x ? x : std::bit_cast<float>(quietNan32); }
RDNA_INLINE double quiet(double x) { return x == x ? x : std::bit_cast<double>(quietNan64); }

RDNA_INLINE float halfToFloat(Half h) {
  uint32_t sign = uint32_t(h.bits & 0x8000) << 16;
  uint32_t magnitude = h.bits & 0x7fff;
  // Denormals: the integer value times 2^-24 is exact in f32.
  float small = float(int32_t(magnitude)) * 0x1p-24f;
  uint32_t normal = (magnitude << 13) + ((127 - 15) << 23);
  uint32_t special = 0x7f800000u | magnitude << 13;
  uint32_t bits = magnitude >= 0x7c00   ? special
                  : magnitude >= 0x0400 ? normal
                                        : std::bit_cast<uint32_t>(small);
  return std::bit_cast<float>(bits | sign);
}

/// Round to nearest even; overflow gives infinity, NaN the one quiet NaN.
RDNA_INLINE Half floatToHalf(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  // Normal results: add half a unit (less one if the kept part is even), then cut.
  uint32_t normal = (magnitude - ((127 - 15) << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // Results below 2^-14: align the significand to 2^-24 and round by hand.
  uint32_t exponent = magnitude >> 23;
  uint32_t shift = 126 - exponent;
  shift = shift > 31 ? 31 : shift;
  uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  uint32_t kept = significand >> shift;
  uint32_t rest = significand & ((1u << shift) - 1), halfway = 1u << ((shift - 1) & 31);
  uint32_t denormal = kept + (rest > halfway || (rest == halfway && (kept & 1)) ? 1 : 0);
  uint32_t r = magnitude > 0x7f800000u    ? uint32_t(quietNan16)
               : magnitude >= 0x477ff000u ? 0x7c00
               : magnitude >= 0x38800000u ? normal
                                          : denormal;
  return {uint16_t(magnitude > 0x7f800000u ? r : r | sign)};
}

/// Rounds toward zero; overflow gives the largest finite value (V_CVT_PK_RTZ_F16_F32).
RDNA_INLINE Half floatToHalfTowardZero(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  uint32_t exponent = magnitude >> 23, shift = 126 - exponent;
  shift = shift > 31 ? 31 : shift;
  uint32_t denormal = ((magnitude & 0x7fffff) | 0x800000) >> shift;
  uint32_t normal = (magnitude - ((127 - 15) << 23)) >> 13;
  uint32_t r = magnitude > 0x7f800000u    ? uint32_t(quietNan16)
               : magnitude == 0x7f800000u ? 0x7c00
               : magnitude >= 0x47800000u ? 0x7bff
               : magnitude >= 0x38800000u ? normal
                                          : denormal;
  return {uint16_t(magnitude > 0x7f800000u ? r : r | sign)};
}

/// f64 to f32 rounded to odd: a later rounding to fewer than 22 bits is then single.
RDNA_INLINE float toFloatOdd(double x) {
  float f = float(x);
  double back = f;
  auto bits = std::bit_cast<uint32_t>(f);
  // Cut instead of round, then set the sticky bit. Infinite f: x beyond f32 stays infinite for f16.
  bool inexact = back != x && x == x;
  bool away = inexact && std::fabs(back) > std::fabs(x);
  bits = away ? bits - 1 : bits;
  bits = inexact ? bits | 1 : bits;
  return std::bit_cast<float>(bits);
}

/// a * b + c of three halves, rounded once.
RDNA_INLINE Half fmaHalf(Half ha, Half hb, Half hc) {
  double a = halfToFloat(ha), b = halfToFloat(hb), c = halfToFloat(hc);
  double product = a * b; // Exact: 22 bits.
  double sum = product + c;
  double t = sum - product;
  double error = (product - (sum - t)) + (c - t);
  // Round the f64 sum to odd, so that the f16 rounding sees what was lost.
  auto bits = std::bit_cast<int64_t>(sum);
  bool inexact = error != 0 && error == error && !(bits & 1);
  bool down = inexact && ((error < 0) != (sum < 0));
  bits += inexact ? (down ? -1 : 1) : 0;
  return floatToHalf(toFloatOdd(std::bit_cast<double>(bits)));
}

RDNA_INLINE float bfloatToFloat(uint16_t x) { return std::bit_cast<float>(uint32_t(x) << 16); }

RDNA_INLINE uint16_t floatToBfloat(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return uint16_t(x == x ? rounded : quietNan32 >> 16);
}

RDNA_INLINE Half low(PackedHalf p) { return {uint16_t(p.bits)}; }
RDNA_INLINE Half high(PackedHalf p) { return {uint16_t(p.bits >> 16)}; }
RDNA_INLINE PackedHalf pack(Half lo, Half hi) { return {lo.bits | uint32_t(hi.bits) << 16}; }

} // namespace rdna::emu
