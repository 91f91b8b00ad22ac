//===- exp.h - f32: exp, exp2, exp10, expm1, sinh, cosh, tanh --------------===//
#pragma once

#include "primitives.h"

namespace rdnakit {

/// e^(r + below) - 1 for |r| <= ln(2) / 2.
RDNAKIT_DEVICE float exponentialPart(float r, float below) {
  RDNAKIT_AS_WRITTEN
  const float p =
      polynomial(r, 0x1.6a21fp-10f, 0x1.123b6ap-7f, 0x1.5558fap-5f, 0x1.55549p-3f, 0x1.fffffcp-2f);
  return r + fma(r * r, p, fma(r, below, below));
}

/// x = n ln(2) + r + below.
struct ReducedFloat {
  float r, below, n;
};
RDNAKIT_DEVICE ReducedFloat byLn2(float x) {
  RDNAKIT_AS_WRITTEN
  const float n = nearest(x * 0x1.715476p+0f);
  const float first = fma(-n, 0x1.62e4p-1f, x); // exact
  const float r = fma(-n, 0x1.7f7d1cp-20f, first);
  return {r, fma(-n, 0x1.7f7d1cp-20f, first - r), n};
}

/// 1 ulp.
RDNAKIT_DEVICE float exp(float x) {
  RDNAKIT_AS_WRITTEN
  const ReducedFloat reduced = byLn2(smaller(larger(x, -150.0f), 150.0f));
  const float result =
      scale(1.0f + exponentialPart(reduced.r, reduced.below), static_cast<int>(reduced.n));
  return isNan(x) ? x : result;
}

/// 2^(high + low), |low| far below 1 and |high|.
RDNAKIT_DEVICE float exp2Pair(float high, float low) {
  RDNAKIT_AS_WRITTEN
  const float bounded = smaller(larger(high, -200.0f), 200.0f);
  const float n = nearest(bounded);
  const Pair<float> binary = exactSum(bounded - n, low);
  const Pair<float> r = exactProduct(binary.high, 0x1.62e43p-1f);
  const float below = fma(binary.high, -0x1.05c61p-29f, fma(binary.low, 0x1.62e43p-1f, r.low));
  return scale(1.0f + exponentialPart(r.high, below), static_cast<int>(n));
}
/// 1 ulp.
RDNAKIT_DEVICE float exp2(float x) { return isNan(x) ? x : exp2Pair(x, 0.0f); }

/// 1 ulp.
RDNAKIT_DEVICE float exp10(float x) {
  RDNAKIT_AS_WRITTEN
  const float bounded = smaller(larger(x, -60.0f), 60.0f);
  const float n = nearest(bounded * 0x1.a934fp+1f);
  const float first = fma(-n, 0x1.344p-2f, bounded); // exact
  const float difference = fma(-n, 0x1.3509f8p-18f, first);
  const float lost = fma(-n, 0x1.3509f8p-18f, first - difference);
  const Pair<float> r = exactProduct(difference, 0x1.26bb1cp+1f);
  const float below = fma(difference, -0x1.12aabap-25f, fma(lost, 0x1.26bb1cp+1f, r.low));
  const float result = scale(1.0f + exponentialPart(r.high, below), static_cast<int>(n));
  return isNan(x) ? x : result;
}

/// 2 ulp. 2^n p + (2^n - 1), of which the second is exact where it matters.
RDNAKIT_DEVICE float expm1(float x) {
  RDNAKIT_AS_WRITTEN
  const ReducedFloat reduced = byLn2(smaller(larger(x, -30.0f), 89.0f));
  const float p = exponentialPart(reduced.r, reduced.below);
  // Half of it, because 2^128 is no float.
  const int n = static_cast<int>(reduced.n) - 1;
  const float power = scale(1.0f, n);
  const float result = 2.0f * fma(power, p, power - 0.5f);
  return reduced.n == 0.0f ? (absolute(x) < 0x1p-25f ? x : p) : isNan(x) ? x : result;
}

/// 2 ulp.
RDNAKIT_DEVICE float sinh(float x) {
  RDNAKIT_AS_WRITTEN
  const float a = absolute(x), square = x * x;
  const float p =
      polynomial(square, 0x1.7a2adp-19f, 0x1.9ffe06p-13f, 0x1.111136p-7f, 0x1.555556p-3f);
  const float small = fma(a * square, p, a);
  const ReducedFloat reduced = byLn2(smaller(a, 100.0f));
  const int n = static_cast<int>(reduced.n);
  const float e = 1.0f + exponentialPart(reduced.r, reduced.below);
  const float large = scale(e, n - 1) - scale(reciprocal(e), -n - 1);
  return isNan(x) ? x : withSign(a < 1.0f ? small : large, x);
}

/// 2 ulp.
RDNAKIT_DEVICE float cosh(float x) {
  RDNAKIT_AS_WRITTEN
  const ReducedFloat reduced = byLn2(smaller(absolute(x), 100.0f));
  const int n = static_cast<int>(reduced.n);
  const float e = 1.0f + exponentialPart(reduced.r, reduced.below);
  const float result = scale(e, n - 1) + scale(reciprocal(e), -n - 1);
  return isNan(x) ? x : result;
}

/// 2 ulp.
RDNAKIT_DEVICE float tanh(float x) {
  RDNAKIT_AS_WRITTEN
  const float a = absolute(x), square = x * x;
  const float p = polynomial(square, 0x1.203e02p-9f, -0x1.0dd9fcp-7f, 0x1.63e786p-6f,
                             -0x1.b9f67p-5f, 0x1.11108cp-3f, -0x1.555554p-2f);
  const float small = fma(a * square, p, a);
  const float large = 1.0f - 2.0f * reciprocal(exp(2.0f * smaller(a, 10.0f)) + 1.0f);
  return isNan(x) ? x : withSign(a < 0.6f ? small : large, x);
}

} // namespace rdnakit
