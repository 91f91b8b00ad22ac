//===- trig64.h - f64: sin, cos, tan ---------------------------------------===//
#pragma once

#include "primitives.h"

namespace rdnakit {

/// x = (4 k + quarter) pi / 2 + r + below, |r| <= pi / 4 or a little more.
struct AngleDouble {
  double r, below;
  unsigned quarter;
};

/// For |x| up to 2^30: pi / 2 in three parts, of which the first product is exact.
RDNAKIT_DEVICE AngleDouble nearAngle(double x) {
  RDNAKIT_AS_WRITTEN
  const double n = nearest(x * 0x1.45f306dc9c883p-1);
  const double first = fma(-n, 0x1.921fb54442d18p+0, x);
  const Pair<double> product = exactProduct(n, -0x1.1a62633145c07p-54);
  const Pair<double> sum = exactSum(first, product.high);
  const double rest = fma(n, 0x1.f1976b7ed8fbcp-110, sum.low + product.low);
  const Pair<double> angle = quickSum(sum.high, rest);
  return {angle.high, angle.low, static_cast<unsigned>(static_cast<int>(n))};
}

/// Those 192 bits of 2 / pi that stand `position` bits behind a leading word of zeros, highest
/// first. No table in memory: a kernel's file stays code alone.
RDNAKIT_DEVICE void bitsOfTwoOverPi(unsigned position, unsigned (&bits)[6]) {
  unsigned words[38] = {0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
                        0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea,
                        0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026,
                        0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff,
                        0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66,
                        0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
                        0x1f8d5d08, 0x56033046};
#pragma unroll
  for (unsigned step = 16; step != 0; step /= 2)
#pragma unroll
    for (unsigned i = 0; i < 6 + step; ++i)
      words[i] = position & 32 * step ? words[i + step] : words[i];
#pragma unroll
  for (unsigned i = 0; i < 6; ++i)
    bits[i] = static_cast<unsigned>(
        (static_cast<unsigned long long>(words[i]) << 32 | words[i + 1]) << (position & 31) >> 32);
}

/// For any finite x of 2^30 and more (Payne and Hanek): x 2 / pi modulo 4 in fixed point.
RDNAKIT_DEVICE AngleDouble farAngle(double x) {
  RDNAKIT_AS_WRITTEN
  typedef unsigned long long Wide;
  const Wide mantissa = (bitsOf(x) & 0xfffffffffffffull) | 0x10000000000000ull;
  // x = mantissa 2^e; the first bit that counts has the weight 2^-(e - 2).
  const unsigned position = static_cast<unsigned>(bitsOf(x) >> 52 & 0x7ff) - 1075u - 2u + 32u;
  unsigned bits[6];
  bitsOfTwoOverPi(position, bits);
  // The product modulo 1 in 192 bits, lowest word first.
  const Wide factors[2] = {mantissa & 0xffffffffu, mantissa >> 32};
  unsigned product[6];
  Wide carry = 0;
#pragma unroll
  for (unsigned i = 0; i < 6; ++i) {
    const Wide sum = factors[0] * bits[5 - i] + carry;
    product[i] = static_cast<unsigned>(sum);
    carry = sum >> 32;
  }
  carry = 0;
#pragma unroll
  for (unsigned i = 1; i < 6; ++i) {
    const Wide sum = factors[1] * bits[6 - i] + product[i] + carry;
    product[i] = static_cast<unsigned>(sum);
    carry = sum >> 32;
  }
  const Wide turn = Wide(product[5]) << 32 | product[4];
  const Wide middle = Wide(product[3]) << 32 | product[2];
  // 128 bits of the fraction of a quarter; from one half on it is the next quarter's.
  const Wide high = turn << 2 | middle >> 62;
  const Wide low = middle << 2 | product[1] >> 30;
  const unsigned quarter = static_cast<unsigned>((turn >> 62) + (high >> 63));
  const bool negative = high >> 63;
  const Wide positiveHigh = negative ? ~high : high, positiveLow = negative ? ~low : low;
  // 53 bits from the first one that is set, and as many behind them.
  const int zeros = positiveHigh == 0 ? 63 : __builtin_clzll(positiveHigh);
  const Wide top = positiveHigh << zeros | (zeros == 0 ? 0 : positiveLow >> (64 - zeros));
  const Wide next = positiveLow << zeros;
  const double first = scale(static_cast<double>(top >> 11), 11 - 64 - zeros);
  const double second =
      scale(static_cast<double>((top & 0x7ff) << 42 | next >> 22), -42 - 64 - zeros);
  const Pair<double> r = exactProduct(first, 0x1.921fb54442d18p+0);
  const double rest = fma(second, 0x1.921fb54442d18p+0, r.low);
  const double below = fma(first, 0x1.1a62633145c07p-54, rest);
  return {negative ? -r.high : r.high, negative ? -below : below, quarter};
}

/// Of |x|.
RDNAKIT_DEVICE AngleDouble angleOf(double x) {
  const double a = absolute(x);
  AngleDouble angle = nearAngle(a);
  if (a >= 0x1p+30)
    angle = farAngle(a);
  return angle;
}

RDNAKIT_DEVICE double sinePart(const AngleDouble &angle) {
  RDNAKIT_AS_WRITTEN
  const double z = angle.r * angle.r;
  const double p =
      polynomial(z, 0x1.5d8e1bf2bd411p-33, -0x1.ae5e54d5bbc9cp-26, 0x1.71de3560b997ep-19,
                 -0x1.a01a019bf604cp-13, 0x1.111111110f793p-7, -0x1.5555555555548p-3);
  return angle.r + fma(angle.r * z, p, fma(-0.5 * z, angle.below, angle.below));
}
RDNAKIT_DEVICE double cosinePart(const AngleDouble &angle) {
  RDNAKIT_AS_WRITTEN
  const double z = angle.r * angle.r;
  const double p =
      polynomial(z, -0x1.8facf3be6cbcp-37, 0x1.1ee9e8d1369f7p-29, -0x1.27e4f8058fafbp-22,
                 0x1.a01a019cabef5p-16, -0x1.6c16c16c15145p-10, 0x1.555555555554cp-5);
  const Pair<double> head = quickSum(1.0, -0.5 * z);
  return head.high + (head.low + fma(z * z, p, -angle.r * angle.below));
}

/// `value` with its sign changed if bit 1 of `quarter` is set.
RDNAKIT_DEVICE double inQuarter(double value, unsigned quarter) {
  return fromBits(bitsOf(value) ^ static_cast<unsigned long long>(quarter & 2u) << 62);
}

/// 1 ulp, for every x.
RDNAKIT_DEVICE double sin(double x) {
  const AngleDouble angle = angleOf(x);
  const double part = angle.quarter & 1u ? cosinePart(angle) : sinePart(angle);
  const double result = inQuarter(part, angle.quarter);
  return isInfinite(x) || isNan(x) ? quietNan(x) : bitsOf(x) >> 63 ? -result : result;
}
/// 1 ulp, for every x.
RDNAKIT_DEVICE double cos(double x) {
  const AngleDouble angle = angleOf(x);
  const double part = angle.quarter & 1u ? sinePart(angle) : cosinePart(angle);
  return isInfinite(x) || isNan(x) ? quietNan(x) : inQuarter(part, angle.quarter + 1u);
}
RDNAKIT_DEVICE void sincos(double x, double *sine, double *cosine) {
  const AngleDouble angle = angleOf(x);
  const double s = sinePart(angle), c = cosinePart(angle);
  const bool bad = isInfinite(x) || isNan(x), swapped = angle.quarter & 1u;
  const double result = inQuarter(swapped ? c : s, angle.quarter);
  *sine = bad ? quietNan(x) : bitsOf(x) >> 63 ? -result : result;
  *cosine = bad ? quietNan(x) : inQuarter(swapped ? s : c, angle.quarter + 1u);
}
/// 2 ulp, for every x.
RDNAKIT_DEVICE double tan(double x) {
  RDNAKIT_AS_WRITTEN
  const AngleDouble angle = angleOf(x);
  const double z = angle.r * angle.r;
  const double p = polynomial(
      z, 0x1.475a73b980bep-17, -0x1.93fddc97b14b5p-16, 0x1.94b237b36d738p-15,
      -0x1.a62b78be5b2e2p-16, 0x1.18632f68e4d16p-14, 0x1.5f546bdf5d144p-14, 0x1.ff03e81febe64p-13,
      0x1.34bf1314000d7p-11, 0x1.7db143430761fp-10, 0x1.d6d2ecf9bf467p-9, 0x1.226e3a612831fp-7,
      0x1.664f485e231b1p-6, 0x1.ba1ba1baba966p-5, 0x1.1111111110628p-3, 0x1.555555555555ep-2);
  const double first = angle.r * z * p, guess = angle.r + first;
  const double t = angle.r + fma(fma(guess, guess, 1.0), angle.below, first);
  const double result = angle.quarter & 1u ? -reciprocal(t) : t;
  return isInfinite(x) || isNan(x) ? quietNan(x) : bitsOf(x) >> 63 ? -result : result;
}

} // namespace rdnakit
