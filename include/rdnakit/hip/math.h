//===- math.h - sqrtf, exp, sin ... under C's names ------------------------===//
//
// Overloads for float and double, the names with f, and the same in namespace std. They lie in
// inline namespaces, so that it does not matter whether <cmath> comes before or behind: clang
// prefers a device's function to one for both sides.
//
// Bounds of the error in ulp, f32 and f64 alike (0.5: correctly rounded; tests/device-math):
//
//   sqrt, fma, fmod, floor ...                                     0.5 or exact
//   exp exp2 exp10 log log2 log10 log1p                            1
//   sin cos sincos sinpif cospif, of any argument                  1
//   asin acos rsqrt cbrt hypot                                     1
//   pow tan atan expm1 sinh cosh tanh erf                          2
//   atan2 asinh acosh atanh                                        3
//   erfc                                                           5
//
// With -ffast-math they hold for finite numbers, except where math/fast.h takes over (below) and
// for sqrt and division, which are the compiler's then.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "math/arc.h"
#include "math/arc64.h"
#include "math/basic.h"
#include "math/error.h"
#include "math/exp.h"
#include "math/exp64.h"
#include "math/fast.h"
#include "math/hyperbolic.h"
#include "math/log.h"
#include "math/log64.h"
#include "math/trig.h"
#include "math/trig64.h"

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__) || defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)
// -ffast-math: what hipcc makes of these then.
#define RDNAKIT_FAST_OR(fast, exact) fast
#else
#define RDNAKIT_FAST_OR(fast, exact) exact
#endif

namespace rdnakit {
template <bool condition> struct IfIntegral {};
template <> struct IfIntegral<true> {
  typedef double Result;
};
template <class T> constexpr bool isIntegral = __is_integral(T);
} // namespace rdnakit

inline namespace rdnakit_device {

// A function of one argument: for float under both names, for double, for integers.
#define RDNAKIT_UNARY_FAST(name, fast, function)                                                   \
  RDNAKIT_DEVICE float name##f(float x) { return RDNAKIT_FAST_OR(fast, rdnakit::function)(x); }    \
  RDNAKIT_DEVICE float name(float x) { return name##f(x); }                                        \
  RDNAKIT_DEVICE double name(double x) { return rdnakit::function(x); }                            \
  template <class T>                                                                               \
  RDNAKIT_DEVICE typename rdnakit::IfIntegral<rdnakit::isIntegral<T>>::Result name(T x) {          \
    return rdnakit::function(static_cast<double>(x));                                              \
  }
#define RDNAKIT_UNARY(name, function) RDNAKIT_UNARY_FAST(name, rdnakit::function, function)
#define RDNAKIT_BINARY_FAST(name, fast, function)                                                  \
  RDNAKIT_DEVICE float name##f(float x, float y) {                                                 \
    return RDNAKIT_FAST_OR(fast, rdnakit::function)(x, y);                                         \
  }                                                                                                \
  RDNAKIT_DEVICE float name(float x, float y) { return name##f(x, y); }                            \
  RDNAKIT_DEVICE double name(double x, double y) { return rdnakit::function(x, y); }               \
  RDNAKIT_DEVICE double name(float x, double y) { return rdnakit::function(double(x), y); }        \
  RDNAKIT_DEVICE double name(double x, float y) { return rdnakit::function(x, double(y)); }
#define RDNAKIT_BINARY(name, function) RDNAKIT_BINARY_FAST(name, rdnakit::function, function)

RDNAKIT_UNARY_FAST(exp, __expf, exp)
RDNAKIT_UNARY(exp2, exp2)
RDNAKIT_UNARY_FAST(exp10, __exp10f, exp10)
RDNAKIT_UNARY(expm1, expm1)
RDNAKIT_UNARY_FAST(log, __logf, log)
RDNAKIT_UNARY_FAST(log2, __log2f, log2)
RDNAKIT_UNARY_FAST(log10, __log10f, log10)
RDNAKIT_UNARY(log1p, log1p)
RDNAKIT_UNARY_FAST(sin, __sinf, sin)
RDNAKIT_UNARY_FAST(cos, __cosf, cos)
RDNAKIT_UNARY(tan, tan)
RDNAKIT_UNARY(asin, asin)
RDNAKIT_UNARY(acos, acos)
RDNAKIT_UNARY(atan, atan)
RDNAKIT_UNARY(sinh, sinh)
RDNAKIT_UNARY(cosh, cosh)
RDNAKIT_UNARY(tanh, tanh)
RDNAKIT_UNARY(asinh, asinh)
RDNAKIT_UNARY(acosh, acosh)
RDNAKIT_UNARY(atanh, atanh)
RDNAKIT_UNARY(erf, erf)
RDNAKIT_UNARY(erfc, erfc)
RDNAKIT_UNARY(cbrt, cubeRoot)
RDNAKIT_UNARY(rsqrt, reciprocalRoot)
RDNAKIT_BINARY(atan2, atan2)
RDNAKIT_BINARY(hypot, hypotenuse)
RDNAKIT_BINARY(fmod, remainder0)
RDNAKIT_BINARY_FAST(pow, __powf, pow)

// Integer exponents; an int is exact as a double, and up to 2^24 as a float.
RDNAKIT_DEVICE float pow(float x, int n) { return powf(x, static_cast<float>(n)); }
RDNAKIT_DEVICE double pow(double x, int n) { return rdnakit::pow(x, static_cast<double>(n)); }

#if __clang_major__ >= 18
RDNAKIT_DEVICE float sqrtf(float x) { return __builtin_sqrtf(x); }
#elif defined(__FAST_MATH__)
RDNAKIT_DEVICE float sqrtf(float x) { return __builtin_amdgcn_sqrtf(x); }
#else
RDNAKIT_DEVICE float sqrtf(float x) { return rdnakit::squareRoot(x); }
#endif
RDNAKIT_DEVICE float sqrt(float x) { return sqrtf(x); }
RDNAKIT_DEVICE double sqrt(double x) { return rdnakit::squareRoot(x); }
template <class T>
RDNAKIT_DEVICE typename rdnakit::IfIntegral<rdnakit::isIntegral<T>>::Result sqrt(T x) {
  return rdnakit::squareRoot(static_cast<double>(x));
}
RDNAKIT_DEVICE float __fsqrt_rn(float x) { return rdnakit::squareRoot(x); }
RDNAKIT_DEVICE double __dsqrt_rn(double x) { return rdnakit::squareRoot(x); }
RDNAKIT_DEVICE float __frsqrt_rn(float x) { return rdnakit::reciprocalRoot(x); }

RDNAKIT_DEVICE void sincosf(float x, float *sine, float *cosine) {
  RDNAKIT_FAST_OR(__sincosf, rdnakit::sincos)(x, sine, cosine);
}
RDNAKIT_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
RDNAKIT_DEVICE void sincos(double x, double *sine, double *cosine) {
  rdnakit::sincos(x, sine, cosine);
}
RDNAKIT_DEVICE float sinpif(float x) { return rdnakit::sinpi(x); }
RDNAKIT_DEVICE float cospif(float x) { return rdnakit::cospi(x); }
RDNAKIT_DEVICE float normf2(float x, float y) { return rdnakit::hypotenuse(x, y); }
RDNAKIT_DEVICE float rhypotf(float x, float y) { return 1.0f / rdnakit::hypotenuse(x, y); }

// What is exact, or rounded once, by builtins of clang.
#define RDNAKIT_BUILTIN_1(name)                                                                    \
  RDNAKIT_DEVICE float name##f(float x) { return __builtin_##name##f(x); }                         \
  RDNAKIT_DEVICE float name(float x) { return __builtin_##name##f(x); }                            \
  RDNAKIT_DEVICE double name(double x) { return __builtin_##name(x); }
#define RDNAKIT_BUILTIN_2(name)                                                                    \
  RDNAKIT_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); }             \
  RDNAKIT_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }                \
  RDNAKIT_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }
RDNAKIT_BUILTIN_1(fabs)
RDNAKIT_BUILTIN_1(floor)
RDNAKIT_BUILTIN_1(ceil)
RDNAKIT_BUILTIN_1(trunc)
RDNAKIT_BUILTIN_1(rint)
// Clang 16 makes +0 of -0.
RDNAKIT_DEVICE float roundf(float x) { return __builtin_copysignf(__builtin_roundf(x), x); }
RDNAKIT_DEVICE float round(float x) { return roundf(x); }
RDNAKIT_DEVICE double round(double x) { return __builtin_copysign(__builtin_round(x), x); }
RDNAKIT_BUILTIN_1(nearbyint)
RDNAKIT_BUILTIN_2(fmin)
RDNAKIT_BUILTIN_2(fmax)
RDNAKIT_BUILTIN_2(copysign)
RDNAKIT_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
RDNAKIT_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
RDNAKIT_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
RDNAKIT_DEVICE float fdimf(float x, float y) {
  return x > y ? x - y : rdnakit::isNan(x) || rdnakit::isNan(y) ? rdnakit::quietNan(x) : 0.0f;
}
RDNAKIT_DEVICE float fdim(float x, float y) { return fdimf(x, y); }
RDNAKIT_DEVICE double fdim(double x, double y) {
  return x > y ? x - y : rdnakit::isNan(x) || rdnakit::isNan(y) ? rdnakit::quietNan(x) : 0.0;
}
RDNAKIT_DEVICE float fdividef(float x, float y) { return x / y; }
RDNAKIT_DEVICE long lrintf(float x) { return static_cast<long>(__builtin_rintf(x)); }
RDNAKIT_DEVICE long lrint(double x) { return static_cast<long>(__builtin_rint(x)); }
RDNAKIT_DEVICE long lroundf(float x) { return static_cast<long>(__builtin_roundf(x)); }
RDNAKIT_DEVICE long lround(double x) { return static_cast<long>(__builtin_round(x)); }

RDNAKIT_DEVICE float ldexpf(float x, int n) { return rdnakit::scale(x, n); }
RDNAKIT_DEVICE float ldexp(float x, int n) { return rdnakit::scale(x, n); }
RDNAKIT_DEVICE double ldexp(double x, int n) { return rdnakit::scale(x, n); }
RDNAKIT_DEVICE float scalbnf(float x, int n) { return rdnakit::scale(x, n); }
RDNAKIT_DEVICE double scalbn(double x, int n) { return rdnakit::scale(x, n); }
#define RDNAKIT_SPLIT(T, frexpName, modfName, truncate)                                            \
  RDNAKIT_DEVICE T frexpName(T x, int *exponent) {                                                 \
    *exponent = rdnakit::exponentOf(x);                                                            \
    return rdnakit::mantissaOf(x);                                                                 \
  }                                                                                                \
  RDNAKIT_DEVICE T modfName(T x, T *whole) {                                                       \
    *whole = truncate(x);                                                                          \
    return rdnakit::withSign(rdnakit::isInfinite(x) ? T(0) : x - *whole, x);                       \
  }
RDNAKIT_SPLIT(float, frexpf, modff, __builtin_truncf)
RDNAKIT_SPLIT(float, frexp, modf, __builtin_truncf)
RDNAKIT_SPLIT(double, frexp, modf, __builtin_trunc)

RDNAKIT_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
RDNAKIT_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
RDNAKIT_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
RDNAKIT_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
RDNAKIT_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
RDNAKIT_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
RDNAKIT_DEVICE bool isnormal(float x) { return __builtin_isnormal(x); }
RDNAKIT_DEVICE bool isnormal(double x) { return __builtin_isnormal(x); }
RDNAKIT_DEVICE bool signbit(float x) { return __builtin_signbitf(x); }
RDNAKIT_DEVICE bool signbit(double x) { return __builtin_signbit(x); }

#undef RDNAKIT_SPLIT
#undef RDNAKIT_BUILTIN_2
#undef RDNAKIT_BUILTIN_1
#undef RDNAKIT_BINARY
#undef RDNAKIT_BINARY_FAST
#undef RDNAKIT_UNARY
#undef RDNAKIT_UNARY_FAST

} // namespace rdnakit_device

#include "math/minmax.h"
#include "math/std.h"
