//===- arc.h - f32: asin, acos, atan, atan2 --------------------------------===//
#pragma once

#include "basic.h"

namespace rdnakit {

/// (asin(s) - s) / s^3 for z = s^2 up to 1/4.
RDNAKIT_DEVICE float arcSineTail(float z) {
  return polynomial(z, 0x1.33708cp-5f, 0x1.d8d722p-7f, 0x1.049628p-5f, 0x1.6cae5p-5f, 0x1.33388p-4f,
                    0x1.55554cp-3f);
}
/// sqrt(z) in two parts.
RDNAKIT_DEVICE Pair<float> rootPair(float z) {
  RDNAKIT_AS_WRITTEN
  const float s = squareRoot(z);
  const float low = 0.5f * fma(-s, s, z) * __builtin_amdgcn_rcpf(s);
  return {s, s == 0.0f ? 0.0f : low};
}
/// 1 ulp. Above 1/2 as pi / 2 - 2 asin(sqrt((1 - x) / 2)).
RDNAKIT_DEVICE float asin(float x) {
  RDNAKIT_AS_WRITTEN
  const float a = absolute(x);
  const bool small = a <= 0.5f;
  const float z = small ? a * a : fma(-0.5f, a, 0.5f);
  const Pair<float> root = rootPair(z);
  const float s = small ? a : root.high;
  const float tail = s * z * arcSineTail(z);
  const Pair<float> head = quickSum(0x1.921fb6p+0f, -2.0f * s);
  const float rest = fma(2.0f, tail + root.low, 0x1.777a5cp-25f);
  const float result = small ? a + tail : head.high + (head.low - rest);
  return isNan(x) ? x : a > 1.0f ? quietNan(x) : withSign(result, x);
}
/// 1 ulp.
RDNAKIT_DEVICE float acos(float x) {
  RDNAKIT_AS_WRITTEN
  const float a = absolute(x);
  const bool small = a <= 0.5f;
  const float z = small ? a * a : fma(-0.5f, a, 0.5f);
  const Pair<float> root = rootPair(z);
  const float s = small ? x : root.high;
  const float tail = fma(s * z, arcSineTail(z), small ? 0.0f : root.low);
  const Pair<float> middle = quickSum(0x1.921fb6p+0f, -s),
                    lower = quickSum(0x1.921fb6p+1f, -2.0f * s);
  const float below =
      small ? middle.low - (tail + 0x1.777a5cp-25f) : lower.low - fma(2.0f, tail, 0x1.777a5cp-24f);
  const float left = (small ? middle.high : lower.high) + below;
  const float result = small || x < 0.0f ? left : 2.0f * (s + tail);
  return isNan(x) ? x : a > 1.0f ? quietNan(x) : result;
}

/// atan(q) for 0 <= q <= 1.
RDNAKIT_DEVICE float arcTangentPart(float q) {
  RDNAKIT_AS_WRITTEN
  const float z = q * q;
  const float p =
      polynomial(z, -0x1.d63048p-10f, 0x1.65a694p-7f, -0x1.fed19ap-6f, 0x1.daca04p-5f,
                 -0x1.58349cp-4f, 0x1.c09a02p-4f, -0x1.2421b6p-3f, 0x1.9991fep-3f, -0x1.55553ep-2f);
  return fma(q * z, p, q);
}
/// 2 ulp.
RDNAKIT_DEVICE float atan(float x) {
  RDNAKIT_AS_WRITTEN
  const float a = absolute(x);
  const float part = arcTangentPart(a > 1.0f ? reciprocal(smaller(a, 0x1p+100f)) : a);
  const float result = a > 1.0f ? 0x1.921fb6p+0f - (part + 0x1.777a5cp-25f) : part;
  return isNan(x) ? x : withSign(result, x);
}
/// 3 ulp.
RDNAKIT_DEVICE float atan2(float y, float x) {
  RDNAKIT_AS_WRITTEN
  const float ax = absolute(x), ay = absolute(y);
  const float high = larger(ax, ay), low = smaller(ax, ay);
  // Both near 1, so that the quotient's error is a normal number wherever the quotient counts.
  const int e = exponentOf(high);
  float q = quotient(scale(low, -e), scale(high, -e));
  q = isInfinite(ax) && isInfinite(ay) ? 1.0f : isInfinite(high) || high == 0.0f ? 0.0f : q;
  float angle = arcTangentPart(q);
  angle = ay > ax ? 0x1.921fb6p+0f - (angle + 0x1.777a5cp-25f) : angle;
  angle = bitsOf(x) >> 31 ? 0x1.921fb6p+1f - (angle + 0x1.777a5cp-24f) : angle;
  return isNan(x) || isNan(y) ? quietNan(x) : withSign(angle, y);
}

} // namespace rdnakit
