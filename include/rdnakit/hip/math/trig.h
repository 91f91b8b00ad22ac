//===- trig.h - f32: sin, cos, tan, asin, acos, atan, atan2 ----------------===//
#pragma once

#include "primitives.h"

namespace rdnakit {

/// x = (4 k + quarter) pi / 2 + r + below, |r| <= pi / 4 or a little more.
struct AngleFloat {
  float r, below;
  unsigned quarter;
};

/// For |x| up to 2^17: pi / 2 in three parts, of which the first product is exact.
RDNAKIT_DEVICE AngleFloat nearAngle(float x) {
  RDNAKIT_AS_WRITTEN
  const float n = nearest(x * 0x1.45f306p-1f);
  const float first = fma(-n, 0x1.921fb6p+0f, x);
  const Pair<float> product = exactProduct(n, 0x1.777a5cp-25f);
  const Pair<float> sum = exactSum(first, product.high);
  const Pair<float> angle = quickSum(sum.high, fma(n, 0x1.ee59dap-50f, sum.low + product.low));
  return {angle.high, angle.low, static_cast<unsigned>(static_cast<int>(n))};
}

/// For any finite x of 2^17 and more (Payne and Hanek): x 2 / pi modulo 4 in fixed point, from
/// those 96 bits of 2 / pi that matter.
RDNAKIT_DEVICE AngleFloat farAngle(float x) {
  RDNAKIT_AS_WRITTEN
  typedef unsigned long long Wide;
  const unsigned mantissa = (bitsOf(x) & 0x7fffffu) | 0x800000u;
  // x = mantissa 2^e. Here stand 2^-32 2 / pi and the place of its first bit that counts, e - 2
  // + 32.
  const unsigned position = (bitsOf(x) >> 23 & 0xffu) - 150u + 30u;
  unsigned s0 = 0, s1 = 0xa2f9836eu, s2 = 0x4e441529u, s3 = 0xfc2757d1u, s4 = 0xf534ddc0u;
  const unsigned s5 = 0xdb629599u, s6 = 0x3c439041u, s7 = 0xfe5163abu;
  if (position & 128u)
    s0 = s4, s1 = s5, s2 = s6, s3 = s7;
  if (position & 64u)
    s0 = s2, s1 = s3, s2 = s4, s3 = s5, s4 = s6;
  if (position & 32u)
    s0 = s1, s1 = s2, s2 = s3, s3 = s4;
  const unsigned shift = position & 31u;
  const unsigned a = static_cast<unsigned>((Wide(s0) << 32 | s1) << shift >> 32);
  const unsigned b = static_cast<unsigned>((Wide(s1) << 32 | s2) << shift >> 32);
  const unsigned c = static_cast<unsigned>((Wide(s2) << 32 | s3) << shift >> 32);
  // The product modulo 1, in units of 2^-96 of a turn.
  const Wide low = Wide(mantissa) * c;
  const Wide middle = Wide(mantissa) * b + (low >> 32);
  const Wide turn = (Wide(mantissa * a) << 32) + middle;
  const Wide fraction = turn << 2 | (low >> 30 & 3u);
  const long long signedFraction = static_cast<long long>(fraction);
  const unsigned quarter = static_cast<unsigned>((turn >> 62) + (fraction >> 63));
  // From units of 2^-64 of a quarter to an angle.
  const float high = static_cast<float>(signedFraction >> 40 << 40);
  const float rest = static_cast<float>(signedFraction & 0xffffffffffll);
  const Pair<float> parts = quickSum(high, rest);
  const Pair<float> r = exactProduct(parts.high, 0x1.921fb6p-64f);
  const float below = fma(parts.low, 0x1.921fb6p-64f, r.low);
  return {r.high, fma(parts.high, -0x1.777a5cp-89f, below), quarter};
}

/// Of |x|.
RDNAKIT_DEVICE AngleFloat angleOf(float x) {
  const float a = absolute(x);
  AngleFloat angle = nearAngle(a);
  if (a >= 0x1p+17f)
    angle = farAngle(a);
  return angle;
}

RDNAKIT_DEVICE float sinePart(const AngleFloat &angle) {
  RDNAKIT_AS_WRITTEN
  const float z = angle.r * angle.r;
  const float p = polynomial(z, 0x1.6ccb5ap-19f, -0x1.a00f64p-13f, 0x1.111108p-7f, -0x1.555556p-3f);
  return angle.r + fma(angle.r * z, p, fma(-0.5f * z, angle.below, angle.below));
}
RDNAKIT_DEVICE float cosinePart(const AngleFloat &angle) {
  RDNAKIT_AS_WRITTEN
  const float z = angle.r * angle.r, half = 0.5f * z;
  const float p =
      polynomial(z, -0x1.242618p-22f, 0x1.a0110ap-16f, -0x1.6c16b8p-10f, 0x1.555556p-5f);
  const Pair<float> head = quickSum(1.0f, -half);
  return head.high + (head.low + fma(z * z, p, -angle.r * angle.below));
}

/// 1 ulp, for every x.
RDNAKIT_DEVICE float sin(float x) {
  const AngleFloat angle = angleOf(x);
  const float part = angle.quarter & 1u ? cosinePart(angle) : sinePart(angle);
  const unsigned sign = (angle.quarter << 30 & 0x80000000u) ^ (bitsOf(x) & 0x80000000u);
  const float result = fromBits(bitsOf(part) ^ sign);
  return isInfinite(x) || isNan(x) ? quietNan(x) : result;
}
/// 1 ulp, for every x.
RDNAKIT_DEVICE float cos(float x) {
  const AngleFloat angle = angleOf(x);
  const float part = angle.quarter & 1u ? sinePart(angle) : cosinePart(angle);
  const float result = fromBits(bitsOf(part) ^ ((angle.quarter + 1u) << 30 & 0x80000000u));
  return isInfinite(x) || isNan(x) ? quietNan(x) : result;
}
RDNAKIT_DEVICE void sincos(float x, float *sine, float *cosine) {
  const AngleFloat angle = angleOf(x);
  const float s = sinePart(angle), c = cosinePart(angle);
  const bool bad = isInfinite(x) || isNan(x), swapped = angle.quarter & 1u;
  const unsigned sign = (angle.quarter << 30 & 0x80000000u) ^ (bitsOf(x) & 0x80000000u);
  const unsigned cosineSign = (angle.quarter + 1u) << 30 & 0x80000000u;
  *sine = bad ? quietNan(x) : fromBits(bitsOf(swapped ? c : s) ^ sign);
  *cosine = bad ? quietNan(x) : fromBits(bitsOf(swapped ? s : c) ^ cosineSign);
}
/// 2 ulp, for every x.
RDNAKIT_DEVICE float tan(float x) {
  RDNAKIT_AS_WRITTEN
  const AngleFloat angle = angleOf(x);
  const float z = angle.r * angle.r;
  const float p = polynomial(z, 0x1.209cdep-8f, 0x1.253146p-15f, 0x1.647116p-7f, 0x1.5c6e08p-6f,
                             0x1.bae20ep-5f, 0x1.110d6cp-3f, 0x1.55556p-2f);
  const float first = angle.r * z * p, guess = angle.r + first;
  const float t = angle.r + fma(fma(guess, guess, 1.0f), angle.below, first);
  const float part = angle.quarter & 1u ? -reciprocal(t) : t;
  const float result = fromBits(bitsOf(part) ^ (bitsOf(x) & 0x80000000u));
  return isInfinite(x) || isNan(x) ? quietNan(x) : result;
}

/// x pi = (4 k + quarter) pi / 2 + r + below.
RDNAKIT_DEVICE AngleFloat angleOfTurns(float x) {
  RDNAKIT_AS_WRITTEN
  const float turns = x - 2.0f * __builtin_truncf(0.5f * x); // exact
  const float n = nearest(2.0f * turns), rest = fma(-0.5f, n, turns);
  const Pair<float> r = exactProduct(rest, 0x1.921fb6p+1f);
  const float below = fma(rest, -0x1.777a5cp-24f, r.low);
  return {r.high, below, static_cast<unsigned>(static_cast<int>(n))};
}
/// sin(pi x), 1 ulp.
RDNAKIT_DEVICE float sinpi(float x) {
  const AngleFloat angle = angleOfTurns(absolute(x));
  const float part = angle.quarter & 1u ? cosinePart(angle) : sinePart(angle);
  const unsigned sign = (angle.quarter << 30 & 0x80000000u) ^ (bitsOf(x) & 0x80000000u);
  const float result = part == 0.0f ? withSign(0.0f, x) : fromBits(bitsOf(part) ^ sign);
  return isInfinite(x) || isNan(x) ? quietNan(x) : result;
}
/// cos(pi x), 1 ulp.
RDNAKIT_DEVICE float cospi(float x) {
  const AngleFloat angle = angleOfTurns(absolute(x));
  const float part = angle.quarter & 1u ? sinePart(angle) : cosinePart(angle);
  const unsigned sign = (angle.quarter + 1u) << 30 & 0x80000000u;
  const float result = part == 0.0f ? 0.0f : fromBits(bitsOf(part) ^ sign);
  return isInfinite(x) || isNan(x) ? quietNan(x) : result;
}

} // namespace rdnakit
