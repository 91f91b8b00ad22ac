//===- basic.h - roots, remainders and what is exact -----------------------===//
#pragma once

#include "primitives.h"

namespace rdnakit {

/// Correctly rounded, also where -ffast-math replaces the operator: the instructions that are made
/// for it bring both numbers into the middle of the range and the quotient back.
RDNAKIT_DEVICE float divide(float x, float y) {
  RDNAKIT_AS_WRITTEN
  bool scaled, ignored;
  const float denominator = __builtin_amdgcn_div_scalef(x, y, false, &ignored);
  const float numerator = __builtin_amdgcn_div_scalef(x, y, true, &scaled);
  float r = __builtin_amdgcn_rcpf(denominator);
  r = fma(fma(-denominator, r, 1.0f), r, r);
  float q = numerator * r;
  q = fma(fma(-denominator, q, numerator), r, q);
  const float rest = fma(-denominator, q, numerator);
  return __builtin_amdgcn_div_fixupf(__builtin_amdgcn_div_fmasf(rest, r, q, scaled), y, x);
}
RDNAKIT_DEVICE double divide(double x, double y) {
  RDNAKIT_AS_WRITTEN
  bool scaled, ignored;
  const double denominator = __builtin_amdgcn_div_scale(x, y, false, &ignored);
  const double numerator = __builtin_amdgcn_div_scale(x, y, true, &scaled);
  double r = __builtin_amdgcn_rcp(denominator);
  for (int i = 0; i < 2; ++i)
    r = fma(fma(-denominator, r, 1.0), r, r);
  const double q = numerator * r;
  const double rest = fma(-denominator, q, numerator);
  return __builtin_amdgcn_div_fixup(__builtin_amdgcn_div_fmas(rest, r, q, scaled), y, x);
}

/// Correctly rounded (0.5 ulp). Clang 16's own for f32 is the instruction with its error of 1 ulp.
RDNAKIT_DEVICE float squareRoot(float x) {
  RDNAKIT_AS_WRITTEN
  // The instruction takes denormals for 0.
  const bool tiny = x < 0x1p-96f;
  const float scaled = tiny ? x * 0x1p+32f : x;
  const float s = __builtin_amdgcn_sqrtf(scaled);
  const float below = fromBits(bitsOf(s) - 1u), above = fromBits(bitsOf(s) + 1u);
  // The root lies above a midpoint if the product of the neighbours does not reach x.
  float result = fma(-below, s, scaled) <= 0.0f ? below : s;
  result = fma(-above, s, scaled) > 0.0f ? above : result;
  result = tiny ? result * 0x1p-16f : result;
  const bool itself = x == 0.0f || bitsOf(x) == 0x7f800000u || isNan(x);
  return itself ? x : x < 0.0f ? quietNan(x) : result;
}
RDNAKIT_DEVICE double squareRoot(double x) { return __builtin_sqrt(x); }

/// Newton's step towards 1 / sqrt(x), with a residue that is exact but for its last rounding.
template <class T> RDNAKIT_DEVICE T betterReciprocalRoot(T x, T r) {
  RDNAKIT_AS_WRITTEN
  const Pair<T> product = exactProduct(x, r);
  const T residue = fma(-product.low, r, fma(-product.high, r, T(1)));
  return fma(T(0.5) * residue, r, r);
}
/// 1 ulp.
RDNAKIT_DEVICE float reciprocalRoot(float x) {
  RDNAKIT_AS_WRITTEN
  // The instruction takes denormals for 0.
  const bool tiny = x < 0x1p-96f;
  const float scaled = tiny ? x * 0x1p+32f : x;
  const float first = __builtin_amdgcn_rsqf(scaled);
  const bool special = isInfinite(scaled) || scaled == 0.0f;
  const float r = special ? first : betterReciprocalRoot(scaled, first);
  return tiny ? r * 0x1p+16f : r;
}
RDNAKIT_DEVICE double reciprocalRoot(double x) {
  RDNAKIT_AS_WRITTEN
  const bool tiny = x < 0x1p-960;
  const double scaled = tiny ? x * 0x1p+100 : x;
  const double first = __builtin_amdgcn_rsq(scaled);
  const bool special = isInfinite(scaled) || scaled == 0.0;
  const double second = betterReciprocalRoot(scaled, first);
  const double r = special ? first : betterReciprocalRoot(scaled, second);
  return tiny ? r * 0x1p+50 : r;
}

/// 1 ulp.
RDNAKIT_DEVICE float cubeRoot(float x) {
  RDNAKIT_AS_WRITTEN
  const int e = exponentOf(x);
  const int third = (e + 300) / 3 - 100;
  const float a = scale(absolute(x), -3 * third);
  // A third of the exponent, then Halley's iteration, then Newton's with an exact residue.
  float r = fromBits(bitsOf(a) / 3u + 0x2a5137a0u);
  for (int i = 0; i < 2; ++i) {
    const float cube = r * r * r;
    r = r * quotient(fma(2.0f, a, cube), fma(2.0f, cube, a));
  }
  const Pair<float> square = exactProduct(r, r);
  const float error = fma(-square.low, r, fma(-square.high, r, a));
  r = fma(error, reciprocal(3.0f * square.high), r);
  return x == 0.0f || isInfinite(x) || isNan(x) ? x : withSign(scale(r, third), x);
}

/// 1 ulp.
template <class T> RDNAKIT_DEVICE T hypotenuse(T x, T y) {
  RDNAKIT_AS_WRITTEN
  const T a = absolute(x), b = absolute(y), high = larger(a, b);
  const int e = exponentOf(high);
  const T p = scale(larger(a, b), -e), q = scale(smaller(a, b), -e);
  const Pair<T> square = exactProduct(p, p), other = exactProduct(q, q);
  const Pair<T> sum = quickSum(square.high, other.high);
  const T root = squareRoot(sum.high);
  const T rest = fma(-root, root, sum.high) + (sum.low + (square.low + other.low));
  const T result = scale(fma(rest, T(0.5) * reciprocal(root), root), e);
  if (isInfinite(x) || isInfinite(y))
    return infinity(x);
  return isNan(x) || isNan(y) ? quietNan(x) : high == T(0) ? T(0) : result;
}

/// Exact: x - n y for the whole n towards 0. One step for each 24 or 53 bits of the quotient would
/// need a division; here a step takes what the mantissas allow, a bit at a time.
RDNAKIT_DEVICE float remainder0(float x, float y) {
  RDNAKIT_AS_WRITTEN
  const unsigned divisor = bitsOf(y) & 0x7fffffffu, sign = bitsOf(x) & 0x80000000u;
  const unsigned dividend = bitsOf(x) & 0x7fffffffu;
  if (dividend >= 0x7f800000u || divisor > 0x7f800000u || divisor == 0)
    return quietNan(x);
  if (dividend < divisor)
    return x;
  const unsigned m = static_cast<unsigned>(scale(mantissaOf(absolute(y)), 24));
  unsigned rest = static_cast<unsigned>(scale(mantissaOf(absolute(x)), 24));
  int steps = exponentOf(x) - exponentOf(y);
  rest = rest >= m ? rest - m : rest;
  for (; steps > 0 && rest != 0; --steps) {
    rest <<= 1;
    rest = rest >= m ? rest - m : rest;
  }
  return fromBits(bitsOf(scale(static_cast<float>(rest), exponentOf(y) - 24)) | sign);
}
RDNAKIT_DEVICE double remainder0(double x, double y) {
  RDNAKIT_AS_WRITTEN
  typedef unsigned long long Wide;
  const Wide divisor = bitsOf(absolute(y)), dividend = bitsOf(absolute(x));
  const Wide sign = bitsOf(x) & 0x8000000000000000ull;
  if (dividend >= 0x7ff0000000000000ull || divisor > 0x7ff0000000000000ull || divisor == 0)
    return quietNan(x);
  if (dividend < divisor)
    return x;
  const Wide m = static_cast<Wide>(scale(mantissaOf(absolute(y)), 53));
  Wide rest = static_cast<Wide>(scale(mantissaOf(absolute(x)), 53));
  int steps = exponentOf(x) - exponentOf(y);
  rest = rest >= m ? rest - m : rest;
  for (; steps > 0 && rest != 0; --steps) {
    rest <<= 1;
    rest = rest >= m ? rest - m : rest;
  }
  return fromBits(bitsOf(scale(static_cast<double>(rest), exponentOf(y) - 53)) | sign);
}

} // namespace rdnakit
