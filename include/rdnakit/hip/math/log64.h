//===- log64.h - f64: log, log2, log10, log1p, pow -------------------------===//
#pragma once

#include "exp64.h"
#include "log.h"

namespace rdnakit {

/// x = (1 + f) 2^n with sqrt(1/2) <= 1 + f < sqrt(2).
struct SplitDouble {
  double f, n;
};
RDNAKIT_DEVICE SplitDouble split(double x) {
  RDNAKIT_AS_WRITTEN
  const double m = mantissaOf(x);
  const bool low = m < 0x1.6a09e667f3bcdp-1;
  return {(low ? m + m : m) - 1.0, static_cast<double>(exponentOf(x) - (low ? 1 : 0))};
}

/// log(1 + f) - f + below: with s = f / (2 + f) the series is 2 s (1 + s^2 / 3 + s^4 / 5 ...), and
/// 2 s = f - s f.
RDNAKIT_DEVICE double logarithmRest(double f, double below) {
  RDNAKIT_AS_WRITTEN
  const double s = quotient(f, 2.0 + f), z = s * s, half = 0.5 * f * f;
  const double p = polynomial(z, 0x1.2f08ec080678bp-3, 0x1.39a1653dd51a9p-3, 0x1.7466420c2c751p-3,
                              0x1.c71c51faf131ep-3, 0x1.2492494201bf1p-2, 0x1.999999997fca1p-2,
                              0x1.5555555555593p-1);
  return fma(s, fma(z, p, half), below) - half;
}
/// 1 ulp.
RDNAKIT_DEVICE double log(double x) {
  RDNAKIT_AS_WRITTEN
  const SplitDouble s = split(x);
  const double rest = logarithmRest(s.f, s.n * 0x1.a39ef35793c76p-33);
  return logarithmOf(x, fma(s.n, 0x1.62e42feep-1, s.f + rest));
}
/// 1 ulp.
RDNAKIT_DEVICE double log1p(double x) {
  RDNAKIT_AS_WRITTEN
  const Pair<double> sum = exactSum(1.0, x);
  // What 1 + x lost, relative to it.
  const double lost = x > -1.0 && sum.high < 0x1p+500 ? quotient(sum.low, sum.high) : 0.0;
  const SplitDouble s = split(sum.high);
  const bool near = s.n == 0.0;
  const double f = near ? x : s.f;
  const double rest = logarithmRest(f, near ? 0.0 : fma(s.n, 0x1.a39ef35793c76p-33, lost));
  const double result = fma(s.n, 0x1.62e42feep-1, f + rest);
  return absolute(x) < 0x1p-54 ? x : logarithmOf(sum.high, result);
}

/// log2(1 + f) to 2^-66 or so, as in f32 (log.h) with more terms.
RDNAKIT_DEVICE Pair<double> log2PairOf(double f) {
  RDNAKIT_AS_WRITTEN
  const Pair<double> denominator = quickSum(2.0, f);
  const double r = reciprocal(denominator.high);
  const double u = rounded(f * r);
  const double uLow = fma(-u, denominator.low, fma(-u, denominator.high, f)) * r;
  const Pair<double> square = exactProduct(u, u);
  const double squareLow = fma(2.0 * u, uLow, square.low);
  const double tail = 0.5 * square.high * square.high *
                      polynomial(square.high, 0x1.eb17783b95daap-4, 0x1.de32add310988p-4,
                                 0x1.1120ba6e3a51dp-3, 0x1.3b1362961b92ep-3, 0x1.745d1832ca839p-3,
                                 0x1.c71c71c57f6efp-3, 0x1.249249249303dp-2, 0x1.9999999999996p-2);
  const Pair<double> third = exactProduct(square.high, 0x1.5555555555555p-2);
  const double thirdLow =
      fma(square.high, 0x1.5555555555555p-56, fma(squareLow, 0x1.5555555555555p-2, third.low));
  const Pair<double> factor = quickSum(third.high, thirdLow + tail);
  const Pair<double> cube = exactProduct(u, factor.high);
  const Pair<double> sum = quickSum(u, cube.high);
  const double sumLow = sum.low + (fma(u, factor.low, fma(uLow, factor.high, cube.low)) + uLow);
  // Times 2 / ln(2).
  const Pair<double> scaled = exactProduct(sum.high, 0x1.71547652b82fep+1);
  return quickSum(scaled.high, fma(sum.high, 0x1.777d0ffda0d24p-55,
                                   fma(sumLow, 0x1.71547652b82fep+1, scaled.low)));
}
RDNAKIT_DEVICE Pair<double> log2Pair(double x) {
  RDNAKIT_AS_WRITTEN
  const SplitDouble s = split(x);
  const Pair<double> part = log2PairOf(s.f);
  const Pair<double> whole = exactSum(s.n, part.high);
  return quickSum(whole.high, whole.low + part.low);
}
/// 1 ulp.
RDNAKIT_DEVICE double log2(double x) { return logarithmOf(x, log2Pair(x).high); }
/// 1 ulp.
RDNAKIT_DEVICE double log10(double x) {
  RDNAKIT_AS_WRITTEN
  const Pair<double> binary = log2Pair(x);
  const Pair<double> product = exactProduct(binary.high, 0x1.34413509f79ffp-2);
  const double low =
      fma(binary.high, -0x1.9dc1da994fd21p-59, fma(binary.low, 0x1.34413509f79ffp-2, product.low));
  return logarithmOf(x, product.high + low);
}

/// 2 ulp.
RDNAKIT_DEVICE double pow(double x, double y) {
  RDNAKIT_AS_WRITTEN
  const Pair<double> logarithm = log2Pair(absolute(x));
  // Where y is larger the result is 0, 1 or infinite, and products would overflow.
  const double bounded = smaller(larger(y, -0x1p+80), 0x1p+80);
  const Pair<double> product = exactProduct(logarithm.high, bounded);
  const double low = fma(logarithm.low, bounded, product.low);
  const double magnitude = exp2Pair(product.high, absolute(product.high) < 2000.0 ? low : 0.0);
  const double half = 0.5 * y;
  const bool whole = __builtin_trunc(y) == y;
  return powerOf(x, y, magnitude, whole, whole && __builtin_trunc(half) != half);
}

/// 1 ulp.
RDNAKIT_DEVICE double cubeRoot(double x) {
  RDNAKIT_AS_WRITTEN
  const int third = (exponentOf(x) + 3000) / 3 - 1000;
  const double a = scale(absolute(x), -3 * third);
  // 24 bits from f32, then Newton twice, the second time with an exact residue.
  double r = cubeRoot(static_cast<float>(a));
  r = fma(fma(-r * r, r, a), reciprocal(3.0 * r * r), r);
  const Pair<double> square = exactProduct(r, r);
  const double error = fma(-square.low, r, fma(-square.high, r, a));
  r = fma(error, reciprocal(3.0 * square.high), r);
  return x == 0.0 || isInfinite(x) || isNan(x) ? x : withSign(scale(r, third), x);
}

} // namespace rdnakit
