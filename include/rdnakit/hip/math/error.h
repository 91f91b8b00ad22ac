//===- error.h - f32 and f64: erf, erfc ------------------------------------===//
#pragma once

#include "exp.h"
#include "exp64.h"

namespace rdnakit {

/// erf(a) for 0 <= a <= 1.
RDNAKIT_DEVICE float errorPart(float a) {
  const float p = polynomial(a * a, 0x1.496a16p-14f, -0x1.a3f6f6p-11f, 0x1.5405bp-8f,
                             -0x1.b7f90cp-6f, 0x1.ce2cf8p-4f, -0x1.81273ep-2f, 0x1.06eba8p-3f);
  return fma(a, p, a);
}
RDNAKIT_DEVICE double errorPart(double a) {
  const double p = polynomial(a * a, -0x1.2928feef972bdp-38, 0x1.7ecbfcc534ea3p-34,
                              -0x1.4e55cda45004cp-30, 0x1.fc411750efd1fp-27, -0x1.5f6d6b55a6f19p-23,
                              0x1.b9e64d082b047p-20, -0x1.f4d255e14d15ep-17, 0x1.f9a326bfb7602p-14,
                              -0x1.c02db3fed8f8ap-11, 0x1.565bcd0e64ab8p-8, -0x1.b82ce3128899bp-6,
                              0x1.ce2f21a042bddp-4, -0x1.812746b0379e7p-2, 0x1.06eba8214db69p-3);
  return fma(a, p, a);
}

/// erfc(a) for a of 1/2 to 11: e^(-a^2) / (1 + 2 a) times a polynomial in (a - 3) / (a + 3).
RDNAKIT_DEVICE float complementPart(float a) {
  RDNAKIT_AS_WRITTEN
  const float t = quotient(a - 3.0f, a + 3.0f);
  const float p = polynomial(t, -0x1.76fbaap-13f, -0x1.6738aap-11f, 0x1.ff7e4ap-10f, 0x1.47e0bcp-9f,
                             -0x1.85c13ap-6f, 0x1.17ce1ep-4f, -0x1.e8893cp-4f, 0x1.098348p-3f,
                             -0x1.85a18cp-5f, -0x1.15c084p-3f, 0x1.40c522p+0f);
  const Pair<float> square = exactProduct(a, a);
  const ReducedFloat reduced = byLn2(-square.high);
  const Pair<float> r = quickSum(reduced.r, reduced.below - square.low);
  const float e = 1.0f + exponentialPart(r.high, r.low);
  return scale(e * quotient(p, fma(2.0f, a, 1.0f)), static_cast<int>(reduced.n));
}
/// erfc(a) for a of 1/2 to 28: the same with (a - 4) / (a + 4).
RDNAKIT_DEVICE double complementPart(double a) {
  RDNAKIT_AS_WRITTEN
  const double t = quotient(a - 4.0, a + 4.0);
  const double p = polynomial(
      t, 0x1.fc0ff13f25388p-30, -0x1.4e09e0550cc6fp-27, -0x1.35ddeaa65d357p-26,
      0x1.bc567c690eb0dp-24, 0x1.41cdb391c0e44p-24, -0x1.b819cce62b13cp-21, 0x1.3b1fc18756b4dp-22,
      0x1.7ef7afce9e828p-18, -0x1.788ac4b33cab6p-17, -0x1.99552826a6dffp-16, 0x1.3be05b6327facp-13,
      -0x1.a1df424be17a2p-13, -0x1.8d4a9b5fd5628p-11, 0x1.49c672a6b4aacp-8, -0x1.09623883a93b7p-6,
      0x1.3079edf62903ap-5, -0x1.0fb06dfe4f85dp-4, 0x1.7fee004e147a3p-4, -0x1.9ddb23c3e8d54p-4,
      0x1.16ecefcfa52d3p-4, 0x1.f7f5df66fd75ap-7, -0x1.1df1ad154a28ep-3, 0x1.3ba5916e9fd7fp+0);
  const Pair<double> square = exactProduct(a, a);
  const ReducedDouble reduced = byLn2(-square.high);
  const Pair<double> r = quickSum(reduced.r, reduced.below - square.low);
  const double e = 1.0 + exponentialPart(r.high, r.low);
  return scale(e * quotient(p, fma(2.0, a, 1.0)), static_cast<int>(reduced.n));
}

/// 2 ulp.
RDNAKIT_DEVICE float erf(float x) {
  RDNAKIT_AS_WRITTEN
  const float a = absolute(x);
  // 1 - e^-q.
  const float q =
      polynomial(a, -0x1.0ddfdep-22f, 0x1.a8b716p-16f, -0x1.e65174p-12f, 0x1.18a686p-8f,
                 -0x1.9fb872p-6f, 0x1.bcfc42p-4f, 0x1.441dc4p-1f, 0x1.21317ap+0f, -0x1.ac9364p-13f);
  const float upper = a < 4.0f ? 1.0f - exp(-q) : 1.0f;
  return isNan(x) ? x : withSign(a < 1.0f ? errorPart(a) : upper, x);
}
/// 2 ulp.
RDNAKIT_DEVICE double erf(double x) {
  RDNAKIT_AS_WRITTEN
  const double a = absolute(x);
  const double upper = 1.0 - complementPart(smaller(larger(a, 0.5), 7.0));
  return isNan(x) ? x : withSign(a < 1.0 ? errorPart(a) : upper, x);
}
/// 5 ulp.
template <class T> RDNAKIT_DEVICE T complementOfError(T x, T last) {
  RDNAKIT_AS_WRITTEN
  const T a = absolute(x);
  const T part = complementPart(smaller(larger(a, T(0.5)), last));
  const T near = T(1) - withSign(errorPart(smaller(a, T(1))), x);
  const T result = a < T(0.5) ? near : x < T(0) ? T(2) - part : part;
  return isNan(x) ? x : result;
}
RDNAKIT_DEVICE float erfc(float x) { return complementOfError(x, 11.0f); }
RDNAKIT_DEVICE double erfc(double x) { return complementOfError(x, 28.0); }

} // namespace rdnakit
