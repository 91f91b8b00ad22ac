//===- log.h - f32: log, log2, log10, log1p, pow ---------------------------===//
#pragma once

#include "exp.h"

namespace rdnakit {

/// x = (1 + f) 2^n with sqrt(1/2) <= 1 + f < sqrt(2).
struct SplitFloat {
  float f, n;
};
RDNAKIT_DEVICE SplitFloat split(float x) {
  RDNAKIT_AS_WRITTEN
  const float m = mantissaOf(x);
  const bool low = m < 0x1.6a09e6p-1f;
  return {(low ? m + m : m) - 1.0f, static_cast<float>(exponentOf(x) - (low ? 1 : 0))};
}
/// (log(1 + f) - f + f^2 / 2) / f^3.
RDNAKIT_DEVICE float logarithmTail(float f) {
  return polynomial(f, 0x1.146988p-4f, -0x1.de5384p-4f, 0x1.e6f55cp-4f, -0x1.fc1ec4p-4f,
                    0x1.2336e2p-3f, -0x1.555c5ep-3f, 0x1.99a4bcp-3f, -0x1.000006p-2f,
                    0x1.555548p-2f);
}
/// What every logarithm has in common: of 0, of negative numbers, of infinity and of NaN.
template <class T> RDNAKIT_DEVICE T logarithmOf(T x, T result) {
  result = x == T(0) ? -infinity(x) : x < T(0) ? quietNan(x) : result;
  return isNan(x) || bitsOf(x) == bitsOf(infinity(x)) ? x : result;
}

/// 1 ulp.
RDNAKIT_DEVICE float log(float x) {
  RDNAKIT_AS_WRITTEN
  const SplitFloat s = split(x);
  const float square = s.f * s.f;
  const float rest =
      fma(square * s.f, logarithmTail(s.f), fma(s.n, 0x1.7f7d1cp-20f, -0.5f * square));
  return logarithmOf(x, fma(s.n, 0x1.62e4p-1f, s.f + rest));
}

/// log(1 + f) in two parts.
RDNAKIT_DEVICE Pair<float> logarithmPair(float f) {
  RDNAKIT_AS_WRITTEN
  const Pair<float> square = exactProduct(f, f);
  const Pair<float> head = quickSum(f, -0.5f * square.high);
  return quickSum(head.high,
                  fma(square.high * f, logarithmTail(f), fma(-0.5f, square.low, head.low)));
}
/// log(1 + f) / log(base) + n * log(2) / log(base), the factors in two parts.
RDNAKIT_DEVICE float logarithmToBase(SplitFloat s, float high, float low, float per, float perLow) {
  RDNAKIT_AS_WRITTEN
  const Pair<float> natural = logarithmPair(s.f);
  const float rest = fma(natural.high, low, fma(natural.low, high, s.n * perLow));
  return fma(s.n, per, fma(natural.high, high, rest));
}
/// 1 ulp.
RDNAKIT_DEVICE float log2(float x) {
  return logarithmOf(x, logarithmToBase(split(x), 0x1.715476p+0f, 0x1.4ae0cp-26f, 1.0f, 0.0f));
}
/// 1 ulp.
RDNAKIT_DEVICE float log10(float x) {
  return logarithmOf(
      x, logarithmToBase(split(x), 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344p-2f, 0x1.3509f8p-18f));
}
/// 1 ulp.
RDNAKIT_DEVICE float log1p(float x) {
  RDNAKIT_AS_WRITTEN
  const Pair<float> sum = exactSum(1.0f, x);
  // What 1 + x lost, relative to it.
  const float lost = x > -1.0f && sum.high < 0x1p+60f ? quotient(sum.low, sum.high) : 0.0f;
  const SplitFloat s = split(sum.high);
  const float f = s.n == 0.0f ? x : s.f;
  const float square = f * f;
  const float rest = fma(square * f, logarithmTail(f), fma(s.n, 0x1.7f7d1cp-20f, -0.5f * square));
  const float result = fma(s.n, 0x1.62e4p-1f, f + (rest + (s.n == 0.0f ? 0.0f : lost)));
  return absolute(x) < 0x1p-25f ? x : logarithmOf(sum.high, result);
}

/// log2 of positive finite x to 2^-38 or so, for pow.
RDNAKIT_DEVICE Pair<float> log2Pair(float x) {
  RDNAKIT_AS_WRITTEN
  const SplitFloat s = split(x);
  // u = f / (2 + f) in two parts; log(1 + f) = 2 (u + u^3/3 + u^5/5 ...).
  const Pair<float> denominator = quickSum(2.0f, s.f);
  const float r = reciprocal(denominator.high);
  const float u = rounded(s.f * r);
  const float uLow = fma(-u, denominator.low, fma(-u, denominator.high, s.f)) * r;
  const Pair<float> square = exactProduct(u, u);
  const float squareLow = fma(2.0f * u, uLow, square.low);
  // u^2 (1/3 + u^2 (1/5 + ...)) as pair: the first term in two parts.
  const float tail =
      square.high * square.high *
      polynomial(square.high, 0x1.745d18p-4f, 0x1.c71c72p-4f, 0x1.24924ap-3f, 0x1.99999ap-3f);
  const Pair<float> third = exactProduct(square.high, 0x1.555556p-2f);
  const float thirdLow =
      fma(square.high, -0x1.555556p-27f, fma(squareLow, 0x1.555556p-2f, third.low));
  const Pair<float> factor = quickSum(third.high, thirdLow + tail);
  // u + u * factor, times 2 / ln(2).
  const Pair<float> cube = exactProduct(u, factor.high);
  const Pair<float> sum = quickSum(u, cube.high);
  const float sumLow = sum.low + fma(u, factor.low, fma(uLow, factor.high, cube.low)) + uLow;
  const Pair<float> scaled = exactProduct(sum.high, 0x1.715476p+1f);
  const float scaledLow = fma(sum.high, 0x1.4ae0cp-25f, fma(sumLow, 0x1.715476p+1f, scaled.low));
  const Pair<float> whole = exactSum(s.n, scaled.high);
  return quickSum(whole.high, whole.low + scaledLow);
}

/// What C says of pow's special cases; `magnitude` is |x|^y for finite x other than 0 and finite y.
template <class T> RDNAKIT_DEVICE T powerOf(T x, T y, T magnitude, bool whole, bool odd) {
  T result = x < T(0) ? (whole ? (odd ? -magnitude : magnitude) : quietNan(x)) : magnitude;
  const T a = absolute(x);
  if (a == T(0) || isInfinite(x)) {
    const bool grows = (a == T(0)) == (y < T(0));
    result = grows ? infinity(x) : T(0);
    result = odd ? withSign(result, x) : result;
  }
  if (isInfinite(y))
    result = a == T(1) ? T(1) : (a > T(1)) == (y > T(0)) ? infinity(x) : T(0);
  if (isNan(x) || isNan(y))
    result = quietNan(x);
  return x == T(1) || y == T(0) ? T(1) : result;
}

/// 2 ulp.
RDNAKIT_DEVICE float pow(float x, float y) {
  RDNAKIT_AS_WRITTEN
  const Pair<float> logarithm = log2Pair(absolute(x));
  // Beyond 2^9 nothing but the sign of the logarithm counts, and products would overflow.
  const float bounded = smaller(larger(y, -0x1p+40f), 0x1p+40f);
  const Pair<float> product = exactProduct(logarithm.high, bounded);
  const float low = fma(logarithm.low, bounded, product.low);
  const float magnitude = exp2Pair(product.high, absolute(product.high) < 300.0f ? low : 0.0f);
  const float half = 0.5f * y;
  const bool whole = __builtin_truncf(y) == y;
  return powerOf(x, y, magnitude, whole, whole && __builtin_truncf(half) != half);
}

} // namespace rdnakit
