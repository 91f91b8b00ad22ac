//===- arc64.h - f64: asin, acos, atan, atan2 ------------------------------===//
#pragma once

#include "basic.h"

namespace rdnakit {

/// (asin(s) - s) / s^3 for z = s^2 up to 1/4.
RDNAKIT_DEVICE double arcSineTail(double z) {
  return polynomial(z, 0x1.0b4b398409d36p-5, -0x1.580c97125a061p-6, 0x1.63a7bce1ab251p-6,
                    0x1.e5ce0c8a68351p-9, 0x1.613f587316fbcp-7, 0x1.7584ffd4fff9bp-7,
                    0x1.ca1f9fcccebf7p-7, 0x1.1c49ef843f767p-6, 0x1.6e8bdeedd0dabp-6,
                    0x1.f1c71a9464be3p-6, 0x1.6db6db72142ddp-5, 0x1.333333332e101p-4,
                    0x1.5555555555577p-3);
}
/// sqrt(z) in two parts.
RDNAKIT_DEVICE Pair<double> rootPair(double z) {
  RDNAKIT_AS_WRITTEN
  const double s = squareRoot(z);
  const double low = 0.5 * fma(-s, s, z) * __builtin_amdgcn_rcp(s);
  return {s, s == 0.0 ? 0.0 : low};
}
/// 1 ulp. Above 1/2 as pi / 2 - 2 asin(sqrt((1 - x) / 2)).
RDNAKIT_DEVICE double asin(double x) {
  RDNAKIT_AS_WRITTEN
  const double a = absolute(x);
  const bool small = a <= 0.5;
  const double z = small ? a * a : fma(-0.5, a, 0.5);
  const Pair<double> root = rootPair(z);
  const double s = small ? a : root.high;
  const double tail = s * z * arcSineTail(z);
  const Pair<double> head = quickSum(0x1.921fb54442d18p+0, -2.0 * s);
  const double rest = fma(2.0, tail + root.low, -0x1.1a62633145c07p-54);
  const double result = small ? a + tail : head.high + (head.low - rest);
  return isNan(x) ? x : a > 1.0 ? quietNan(x) : withSign(result, x);
}
/// 1 ulp.
RDNAKIT_DEVICE double acos(double x) {
  RDNAKIT_AS_WRITTEN
  const double a = absolute(x);
  const bool small = a <= 0.5;
  const double z = small ? a * a : fma(-0.5, a, 0.5);
  const Pair<double> root = rootPair(z);
  const double s = small ? x : root.high;
  const double tail = fma(s * z, arcSineTail(z), small ? 0.0 : root.low);
  const Pair<double> middle = quickSum(0x1.921fb54442d18p+0, -s),
                     lower = quickSum(0x1.921fb54442d18p+1, -2.0 * s);
  const double below = small ? middle.low - (tail + -0x1.1a62633145c07p-54)
                             : lower.low - fma(2.0, tail, -0x1.1a62633145c07p-53);
  const double left = (small ? middle.high : lower.high) + below;
  const double result = small || x < 0.0 ? left : 2.0 * (s + tail);
  return isNan(x) ? x : a > 1.0 ? quietNan(x) : result;
}

/// atan(low / high) for 0 <= low <= high, high neither 0 nor large nor small. Above tan(pi / 8) as
/// pi / 4 + atan((low - high) / (low + high)).
RDNAKIT_DEVICE double arcTangentOfQuotient(double low, double high) {
  RDNAKIT_AS_WRITTEN
  const bool upper = low > 0x1.a827999fcef32p-2 * high;
  const double q = quotient(upper ? low - high : low, upper ? low + high : high);
  const double z = q * q;
  const double p = polynomial(z, -0x1.2558a77ed8b6ap-6, 0x1.37ccf734694cfp-5, -0x1.9ccf0cc7965ap-5,
                              0x1.df0e677afedfap-5, -0x1.10eba722eccfbp-4, 0x1.3b1117715a331p-4,
                              -0x1.745cf8c18683fp-4, 0x1.c71c70e4fdfc1p-4, -0x1.24924922aa271p-3,
                              0x1.99999999957c7p-3, -0x1.555555555553dp-2);
  return upper ? 0x1.921fb54442d18p-1 + (q + fma(q * z, p, 0x1.1a62633145c07p-55))
               : fma(q * z, p, q);
}
/// 2 ulp.
RDNAKIT_DEVICE double atan(double x) {
  RDNAKIT_AS_WRITTEN
  const double a = smaller(absolute(x), 0x1p+200);
  const bool large = a > 1.0;
  const double part = arcTangentOfQuotient(large ? 1.0 : a, large ? a : 1.0);
  const double result = large ? 0x1.921fb54442d18p+0 - (part - 0x1.1a62633145c07p-54) : part;
  return isNan(x) ? x : withSign(a < 0x1p-30 ? a : result, x);
}
/// 3 ulp.
RDNAKIT_DEVICE double atan2(double y, double x) {
  RDNAKIT_AS_WRITTEN
  const double ax = absolute(x), ay = absolute(y);
  const double high = larger(ax, ay), low = smaller(ax, ay);
  // Both near 1, so that the quotient's error is a normal number wherever the quotient counts.
  const int e = exponentOf(high);
  double angle = arcTangentOfQuotient(scale(low, -e), scale(high, -e));
  angle = isInfinite(low) ? 0x1.921fb54442d18p-1 : isInfinite(high) || high == 0.0 ? 0.0 : angle;
  angle = ay > ax ? 0x1.921fb54442d18p+0 - (angle - 0x1.1a62633145c07p-54) : angle;
  angle = bitsOf(x) >> 63 ? 0x1.921fb54442d18p+1 - (angle - 0x1.1a62633145c07p-53) : angle;
  return isNan(x) || isNan(y) ? quietNan(x) : withSign(angle, y);
}

} // namespace rdnakit
