//===- Half.h - f16 and bf16 conversions with one rounding ----------------===//
//
// Written so that they vectorise on every host, without F16C. f16 arithmetic is done in f32 and
// rounded once more, both in the host's present mode: for +, -, *, / and square root that double
// rounding is innocuous (24 >= 2 * 11 + 2 to nearest; always when both go the same way); FMA goes
// through f64, rounded to odd.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Lane.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace rdna::emu {

/// The NaN that arithmetic gives: positive, quiet, no payload. Hardware keeps an input's payload in
/// some cases; only where AMD's text says which one (minimum, maximum, median, DIV_FIXUP, FREXP) it
/// is kept here too (docs/hardware.md, "NaN").
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

/// magnitude * 2^112 with the sign of the f16: whether overflow becomes infinity depends on it.
RDNA_INLINE float scaledToTop(float magnitude, uint32_t sign) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign << 16) * 0x1p112f;
}

/// Rounds as the host does at the moment (HostRounding); NaN gives the one quiet NaN. Adding and
/// subtracting a number of its sign and 2^13 times as large leaves the bits of an f16, and scaling
/// by 2^112 puts overflow where f32 overflows: the host's own rounding decides everything, without
/// a branch.
RDNA_INLINE Half floatToHalf(float x) {
  auto bits = std::bit_cast<uint32_t>(x);
  uint32_t sign = bits >> 16 & 0x8000, exponent = bits & 0x7f800000;
  // Below 2^-14 the last bit stays at 2^-24; from 2^17 on everything overflows.
  constexpr uint32_t least = (127 - 14) << 23, most = (127 + 17) << 23;
  exponent = exponent < least ? least : exponent > most ? most : exponent;
  auto large = std::bit_cast<float>((exponent + (13 << 23)) | 0x400000 | sign << 16);
  float rounded = __builtin_fabsf((x + large) - large);
  uint32_t normal =
      (std::bit_cast<uint32_t>(scaledToTop(rounded, sign)) >> 13 & 0x3ffff) - (224 << 10);
  auto denormal = uint32_t(int32_t((rounded < 0x1p-14f ? rounded : 0) * 0x1p24f));
  uint32_t r = rounded < 0x1p-14f ? denormal : normal;
  return {uint16_t((bits & 0x7fffffff) > 0x7f800000u ? uint32_t(quietNan16) : r | sign)};
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

/// Rounds as `round` (a value of FP_ROUND) says, whatever the host's mode.
RDNA_INLINE Half floatToHalf(float x, unsigned round) {
  Half cut = floatToHalfTowardZero(x);
  uint32_t below = cut.bits & 0x7fffu, sign = cut.bits & 0x8000u;
  float low = halfToFloat({uint16_t(below)});
  float high = below >= 0x7bff ? 65536.0f : halfToFloat({uint16_t(below + 1)});
  float magnitude = __builtin_fabsf(x), middle = (low + high) * 0.5f; // Exact.
  bool nearest = magnitude > middle || (magnitude == middle && (below & 1));
  bool up = round == Mode::Nearest ? nearest
            : round == Mode::Up    ? !sign
                                   : round == Mode::Down && sign;
  bool away = below <= 0x7bff && magnitude != low && up;
  return {uint16_t(cut.bits + (away ? 1 : 0))};
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
