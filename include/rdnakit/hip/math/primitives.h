//===- primitives.h - what the math functions are made of ------------------===//
//
// Instructions that round once (or not at all), exact sums and products in two parts, and quotients
// without the long sequence of an IEEE division.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../qualifiers.h"

// First in every function that counts on what a rounding is: neither -ffast-math nor the
// contraction that is HIP's default may take its sums apart. (-ffp-contract=fast by itself may;
// there is no way to see it from here.)
#define RDNAKIT_AS_WRITTEN _Pragma("clang fp contract(off) reassociate(off)")

namespace rdnakit {

RDNAKIT_DEVICE unsigned bitsOf(float x) { return __builtin_bit_cast(unsigned, x); }
RDNAKIT_DEVICE unsigned long long bitsOf(double x) {
  return __builtin_bit_cast(unsigned long long, x);
}
RDNAKIT_DEVICE float fromBits(unsigned x) { return __builtin_bit_cast(float, x); }
RDNAKIT_DEVICE double fromBits(unsigned long long x) { return __builtin_bit_cast(double, x); }

RDNAKIT_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
RDNAKIT_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
RDNAKIT_DEVICE float absolute(float x) { return __builtin_fabsf(x); }
RDNAKIT_DEVICE double absolute(double x) { return __builtin_fabs(x); }
RDNAKIT_DEVICE float nearest(float x) { return __builtin_rintf(x); }
RDNAKIT_DEVICE double nearest(double x) { return __builtin_rint(x); }
RDNAKIT_DEVICE float withSign(float x, float s) { return __builtin_copysignf(x, s); }
RDNAKIT_DEVICE double withSign(double x, double s) { return __builtin_copysign(x, s); }
RDNAKIT_DEVICE float larger(float x, float y) { return __builtin_fmaxf(x, y); }
RDNAKIT_DEVICE double larger(double x, double y) { return __builtin_fmax(x, y); }
RDNAKIT_DEVICE float smaller(float x, float y) { return __builtin_fminf(x, y); }
RDNAKIT_DEVICE double smaller(double x, double y) { return __builtin_fmin(x, y); }

/// x * 2^n, rounded once; n of any size.
RDNAKIT_DEVICE float scale(float x, int n) { return __builtin_amdgcn_ldexpf(x, n); }
RDNAKIT_DEVICE double scale(double x, int n) { return __builtin_amdgcn_ldexp(x, n); }
/// x = mantissa * 2^exponent with a mantissa of 1/2 to 1; zero, infinities and NaN stay themselves.
RDNAKIT_DEVICE float mantissaOf(float x) { return __builtin_amdgcn_frexp_mantf(x); }
RDNAKIT_DEVICE double mantissaOf(double x) { return __builtin_amdgcn_frexp_mant(x); }
RDNAKIT_DEVICE int exponentOf(float x) { return __builtin_amdgcn_frexp_expf(x); }
RDNAKIT_DEVICE int exponentOf(double x) { return __builtin_amdgcn_frexp_exp(x); }

// By bits: -ffast-math must not decide these.
RDNAKIT_DEVICE bool isNan(float x) { return (bitsOf(x) & 0x7fffffffu) > 0x7f800000u; }
RDNAKIT_DEVICE bool isNan(double x) {
  return (bitsOf(x) & 0x7fffffffffffffffull) > 0x7ff0000000000000ull;
}
RDNAKIT_DEVICE bool isInfinite(float x) { return (bitsOf(x) & 0x7fffffffu) == 0x7f800000u; }
RDNAKIT_DEVICE bool isInfinite(double x) {
  return (bitsOf(x) & 0x7fffffffffffffffull) == 0x7ff0000000000000ull;
}
RDNAKIT_DEVICE float infinity(float) { return fromBits(0x7f800000u); }
RDNAKIT_DEVICE double infinity(double) { return fromBits(0x7ff0000000000000ull); }
RDNAKIT_DEVICE float quietNan(float) { return fromBits(0x7fc00000u); }
RDNAKIT_DEVICE double quietNan(double) { return fromBits(0x7ff8000000000000ull); }

/// Horner's rule, highest coefficient first.
template <class T> RDNAKIT_DEVICE T polynomial(T, T last) { return last; }
template <class T, class... Rest>
RDNAKIT_DEVICE T polynomial(T x, T first, T second, Rest... rest) {
  return polynomial(x, fma(first, x, second), rest...);
}

/// A number as the sum of two, of which the second is below the first's last bit.
template <class T> struct Pair {
  T high, low;
};
/// Exactly x + y, where |x| >= |y| or x is 0.
template <class T> RDNAKIT_DEVICE Pair<T> quickSum(T x, T y) {
  RDNAKIT_AS_WRITTEN
  const T sum = x + y;
  return {sum, y - (sum - x)};
}
/// Exactly x + y.
template <class T> RDNAKIT_DEVICE Pair<T> exactSum(T x, T y) {
  RDNAKIT_AS_WRITTEN
  const T sum = x + y, other = sum - x;
  return {sum, (x - (sum - other)) + (y - other)};
}
/// The number that x was rounded to, whatever is done with it. -ffast-math lets the code generator
/// contract products and sums whatever the pragma says; an empty piece of assembly hides a product
/// from it.
template <class T> RDNAKIT_DEVICE T rounded(T x) {
#ifdef __FAST_MATH__
  asm("" : "+v"(x));
#endif
  return x;
}
/// Exactly x * y.
template <class T> RDNAKIT_DEVICE Pair<T> exactProduct(T x, T y) {
  RDNAKIT_AS_WRITTEN
  const T product = rounded(x * y);
  return {product, fma(x, y, -product)};
}

/// 1 / x to the last bit or nearly so, for normal x and results that are normal.
RDNAKIT_DEVICE float reciprocal(float x) {
  RDNAKIT_AS_WRITTEN
  const float r = __builtin_amdgcn_rcpf(x);
  return fma(fma(-x, r, 1.0f), r, r);
}
RDNAKIT_DEVICE double reciprocal(double x) {
  RDNAKIT_AS_WRITTEN
  double r = __builtin_amdgcn_rcp(x);
  r = fma(fma(-x, r, 1.0), r, r);
  return fma(fma(-x, r, 1.0), r, r);
}
/// x / y to 0.51 ulp, where y, the quotient and the error of it are normal.
template <class T> RDNAKIT_DEVICE T quotient(T x, T y) {
  RDNAKIT_AS_WRITTEN
  const T r = reciprocal(y), q = x * r;
  return fma(fma(-y, q, x), r, q);
}

} // namespace rdnakit
