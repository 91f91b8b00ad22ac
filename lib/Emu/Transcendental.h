//===- Transcendental.h - exp2, log2, sine and cosine in f64 --------------===//
//
// Hardware approximates these to about 1 ulp of f32 with tables that nobody has published; here
// they are exact to some 2^-50, which rounds to the nearest f32 but for about one argument in a
// million. Polynomials of our own and not the C library's: the same bits from every compiler, host
// and C library, and loops that vectorise.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/FloatOps.h"

namespace rdna::emu {

/// Horner's rule, highest coefficient first.
template <size_t n> RDNA_INLINE double polynomial(const double (&coefficients)[n], double x) {
  double r = coefficients[0];
  for (size_t k = 1; k < n; ++k)
    r = r * x + coefficients[k];
  return r;
}

/// 2^x, for |x| up to 1000; powers of two are exact.
RDNA_INLINE double exp2Wide(double x) {
  // ln(2)^k / k!, k = 12 .. 0: the next term is below 2^-52 for |f| <= 1/2.
  static constexpr double taylor[] = {0x1.c3bd650fc2986p-36,
                                      0x1.e8cac7351bb25p-32,
                                      0x1.e4cf5158b8ecap-28,
                                      0x1.b5253d395e7c4p-24,
                                      0x1.62c0223a5c824p-20,
                                      0x1.ffcbfc588b0c7p-17,
                                      0x1.430912f86c787p-13,
                                      0x1.5d87fe78a6731p-10,
                                      0x1.3b2ab6fba4e77p-7,
                                      0x1.c6b08d704a0cp-5,
                                      0x1.ebfbdff82c58fp-3,
                                      0x1.62e42fefa39efp-1,
                                      1};
  double whole = __builtin_roundeven(x);
  auto exponent = int32_t(whole);
  return polynomial(taylor, x - whole) * powerOfTwo64(exponent);
}

/// log2 of a positive normal number; powers of two are exact.
RDNA_INLINE double log2Wide(double x) {
  // With s = (m - 1) / (m + 1), log2(m) = 2 / ln(2) * (s + s^3/3 + s^5/5 ...), |s| < 0.172.
  static constexpr double odd[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                   1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1};
  constexpr double twoOverLn2 = 0x1.71547652b82fep+1;
  uint64_t b = bits(x);
  int32_t exponent = int32_t(b >> 52) - 1023;
  auto m = std::bit_cast<double>((b & 0xfffffffffffffu) | uint64_t(1023) << 52);
  bool upper = m > 1.4142135623730951;
  m = upper ? m * 0.5 : m;
  exponent += upper ? 1 : 0;
  double s = (m - 1) / (m + 1);
  return exponent + twoOverLn2 * (s * polynomial(odd, s * s));
}

enum class Circular { Sine, Cosine };

/// sin(2 pi x) or cos(2 pi x); quarter turns are exact, as LLVM folds them. Hardware's domain ends
/// at 256 turns; beyond it nobody says what happens, and here the period simply goes on.
template <Circular which> RDNA_INLINE double turned(double x) {
  static constexpr double sine[] = {
      -0x1.ae7f3e733b81fp-41, 0x1.6124613a86d09p-33, -0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19,
      -0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7,  -0x1.5555555555555p-3,  1};
  static constexpr double cosine[] = {0x1.ae7f3e733b81fp-45,
                                      -0x1.93974a8c07c9dp-37,
                                      0x1.1eed8eff8d898p-29,
                                      -0x1.27e4fb7789f5cp-22,
                                      0x1.a01a01a01a01ap-16,
                                      -0x1.6c16c16c16c17p-10,
                                      0x1.5555555555555p-5,
                                      -0.5,
                                      1};
  constexpr double twoPi = 0x1.921fb54442d18p+2;
  double within = x - __builtin_roundeven(x), quarters = __builtin_roundeven(within * 4);
  double t = twoPi * (within - quarters * 0.25), tt = t * t;
  double s = t * polynomial(sine, tt), c = polynomial(cosine, tt);
  // The quadrant; cosine is sine a quarter turn ahead.
  double ahead = which == Circular::Cosine ? quarters + 1 : quarters;
  double quadrant = ahead - 4 * __builtin_floor(ahead * 0.25);
  double r = quadrant == 1 || quadrant == 3 ? c : s;
  r = quadrant >= 2 ? -r : r;
  r = r == 0 ? 0 : r;
  return which == Circular::Sine && x == 0 ? x : r;
}

} // namespace rdna::emu
