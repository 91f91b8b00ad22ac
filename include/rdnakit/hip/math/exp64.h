//===- exp64.h - f64: exp, exp2, exp10, expm1, sinh, cosh, tanh ------------===//
#pragma once

#include "primitives.h"

namespace rdnakit {

/// e^(r + below) - 1 for |r| <= ln(2) / 2.
RDNAKIT_DEVICE double exponentialPart(double r, double below) {
  RDNAKIT_AS_WRITTEN
  const double p = polynomial(r, 0x1.ad7e30e6da5dbp-26, 0x1.28ae790ed41c9p-22,
                              0x1.71df27c7e3be1p-19, 0x1.a01998fd377dcp-16, 0x1.a01a012880ecbp-13,
                              0x1.6c16c18488a4ep-10, 0x1.111111112837p-7, 0x1.55555555506eap-5,
                              0x1.55555555554f7p-3, 0x1.000000000000ap-1);
  return r + fma(r * r, p, fma(r, below, below));
}

/// x = n ln(2) + r + below.
struct ReducedDouble {
  double r, below, n;
};
RDNAKIT_DEVICE ReducedDouble byLn2(double x) {
  RDNAKIT_AS_WRITTEN
  const double n = nearest(x * 0x1.71547652b82fep+0);
  const double first = fma(-n, 0x1.62e42feep-1, x); // exact
  const double r = fma(-n, 0x1.a39ef35793c76p-33, first);
  return {r, fma(-n, 0x1.a39ef35793c76p-33, first - r), n};
}

/// 1 ulp.
RDNAKIT_DEVICE double exp(double x) {
  RDNAKIT_AS_WRITTEN
  const ReducedDouble reduced = byLn2(smaller(larger(x, -800.0), 800.0));
  const double result =
      scale(1.0 + exponentialPart(reduced.r, reduced.below), static_cast<int>(reduced.n));
  return isNan(x) ? x : result;
}

/// 2^(high + low), |low| far below 1 and |high|.
RDNAKIT_DEVICE double exp2Pair(double high, double low) {
  RDNAKIT_AS_WRITTEN
  const double bounded = smaller(larger(high, -1200.0), 1200.0);
  const double n = nearest(bounded);
  const Pair<double> binary = exactSum(bounded - n, low);
  const Pair<double> r = exactProduct(binary.high, 0x1.62e42fefa39efp-1);
  const double below =
      fma(binary.high, 0x1.abc9e3b39803fp-56, fma(binary.low, 0x1.62e42fefa39efp-1, r.low));
  return scale(1.0 + exponentialPart(r.high, below), static_cast<int>(n));
}
/// 1 ulp.
RDNAKIT_DEVICE double exp2(double x) { return isNan(x) ? x : exp2Pair(x, 0.0); }

/// 1 ulp.
RDNAKIT_DEVICE double exp10(double x) {
  RDNAKIT_AS_WRITTEN
  const double bounded = smaller(larger(x, -400.0), 400.0);
  const double n = nearest(bounded * 0x1.a934f0979a371p+1);
  const double first = fma(-n, 0x1.34413508p-2, bounded); // exact
  const double difference = fma(-n, 0x1.f79fef311f12bp-34, first);
  const double lost = fma(-n, 0x1.f79fef311f12bp-34, first - difference);
  const Pair<double> r = exactProduct(difference, 0x1.26bb1bbb55516p+1);
  const double below =
      fma(difference, -0x1.f48ad494ea3e9p-53, fma(lost, 0x1.26bb1bbb55516p+1, r.low));
  const double result = scale(1.0 + exponentialPart(r.high, below), static_cast<int>(n));
  return isNan(x) ? x : result;
}

/// 2 ulp. 2^n p + (2^n - 1), of which the second is exact where it matters.
RDNAKIT_DEVICE double expm1(double x) {
  RDNAKIT_AS_WRITTEN
  const ReducedDouble reduced = byLn2(smaller(larger(x, -60.0), 710.0));
  const double p = exponentialPart(reduced.r, reduced.below);
  // Half of it, because 2^1024 is no double.
  const int n = static_cast<int>(reduced.n) - 1;
  const double power = scale(1.0, n);
  const double result = 2.0 * fma(power, p, power - 0.5);
  return reduced.n == 0.0 ? (absolute(x) < 0x1p-54 ? x : p) : isNan(x) ? x : result;
}

/// 2 ulp.
RDNAKIT_DEVICE double sinh(double x) {
  RDNAKIT_AS_WRITTEN
  const double a = absolute(x), square = x * x;
  const double p = polynomial(square, 0x1.b4c75c96d331bp-41, 0x1.611a561707ffcp-33,
                              0x1.ae64671b2a8f5p-26, 0x1.71de3a465b069p-19, 0x1.a01a01a02899fp-13,
                              0x1.11111111110a6p-7, 0x1.5555555555556p-3);
  const double small = fma(a * square, p, a);
  const ReducedDouble reduced = byLn2(smaller(a, 800.0));
  const int n = static_cast<int>(reduced.n);
  const double e = 1.0 + exponentialPart(reduced.r, reduced.below);
  const double large = scale(e, n - 1) - scale(reciprocal(e), -n - 1);
  return isNan(x) ? x : withSign(a < 1.0 ? small : large, x);
}

/// 2 ulp.
RDNAKIT_DEVICE double cosh(double x) {
  RDNAKIT_AS_WRITTEN
  const ReducedDouble reduced = byLn2(smaller(absolute(x), 800.0));
  const int n = static_cast<int>(reduced.n);
  const double e = 1.0 + exponentialPart(reduced.r, reduced.below);
  const double result = scale(e, n - 1) + scale(reciprocal(e), -n - 1);
  return isNan(x) ? x : result;
}

/// 2 ulp.
RDNAKIT_DEVICE double tanh(double x) {
  RDNAKIT_AS_WRITTEN
  const double a = absolute(x), square = x * x;
  const double p =
      polynomial(square, 0x1.a9aaf27797864p-18, -0x1.02b89708e4c8fp-15, 0x1.82a2b0a670bdcp-14,
                 -0x1.f1c2d3bbc6dd6p-13, 0x1.351a8edd077f9p-11, -0x1.7d9de3c6167e6p-10,
                 0x1.d6d37a714919ep-9, -0x1.226e3397a7dd8p-7, 0x1.664f4876d0cf2p-6,
                 -0x1.ba1ba1b9ec803p-5, 0x1.1111111110e25p-3, -0x1.5555555555553p-2);
  const double small = fma(a * square, p, a);
  const double large = 1.0 - 2.0 * reciprocal(exp(2.0 * smaller(a, 20.0)) + 1.0);
  return isNan(x) ? x : withSign(a < 0.6 ? small : large, x);
}

} // namespace rdnakit
