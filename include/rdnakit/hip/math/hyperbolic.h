//===- hyperbolic.h - f32 and f64: asinh, acosh, atanh ---------------------===//
#pragma once

#include "log64.h"

namespace rdnakit {

/// From here on x^2 + 1 is x^2.
RDNAKIT_DEVICE float largeFor(float) { return 0x1p+14f; }
RDNAKIT_DEVICE double largeFor(double) { return 0x1p+30; }
RDNAKIT_DEVICE float ln2(float) { return 0x1.62e43p-1f; }
RDNAKIT_DEVICE double ln2(double) { return 0x1.62e42fefa39efp-1; }

/// 3 ulp: log(a + sqrt(a^2 + 1)) as log1p of what is small for small a.
template <class T> RDNAKIT_DEVICE T asinh(T x) {
  RDNAKIT_AS_WRITTEN
  const T a = absolute(x), bounded = smaller(a, largeFor(x));
  const T square = bounded * bounded;
  const T part = log1p(bounded + quotient(square, T(1) + squareRoot(square + T(1))));
  const T result = a < largeFor(x) ? part : log(a) + ln2(x);
  // The square of a small number may vanish.
  return isNan(x) ? x : withSign(a < T(1) / largeFor(x) ? a : result, x);
}
/// 3 ulp.
template <class T> RDNAKIT_DEVICE T acosh(T x) {
  RDNAKIT_AS_WRITTEN
  const T t = smaller(x, largeFor(x)) - T(1);
  const T part = log1p(t + squareRoot(fma(t, t, T(2) * t)));
  const T result = x < largeFor(x) ? part : log(x) + ln2(x);
  return isNan(x) ? x : x < T(1) ? quietNan(x) : result;
}
/// 3 ulp: log((1 + a) / (1 - a)) / 2.
template <class T> RDNAKIT_DEVICE T atanh(T x) {
  RDNAKIT_AS_WRITTEN
  const T a = absolute(x), bounded = smaller(a, T(1) - T(1) / (largeFor(x) * largeFor(x)));
  const T part = T(0.5) * log1p(T(2) * quotient(bounded, T(1) - bounded));
  const T result = a < T(1) ? part : a == T(1) ? infinity(x) : quietNan(x);
  return isNan(x) ? x : withSign(a < T(1) / largeFor(x) ? a : result, x);
}

} // namespace rdnakit
