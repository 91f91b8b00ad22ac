//===- Inputs.h - arguments that functions go wrong at ---------------------===//
#pragma once

#include "Support/Random.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace rdna::devicemath {

/// What is drawn besides corners, any bits at all and numbers of moderate size.
enum class Kind {
  Anywhere,
  Exponents, ///< Where e^x, 2^x and 10^x neither overflow nor vanish.
  Angles,    ///< Next to multiples of pi/2.
  NearOne,
  Powers,  ///< x and y for which x^y is a normal number.
  Similar, ///< Two numbers of nearly the same size.
  Whole,   ///< y is a whole number of up to 2^12.
};

template <typename T> class Inputs {
public:
  Inputs(Kind kind, uint64_t seed) : kind_(kind), random_(seed) {}

  /// `count` pairs: all corners with each other, then random ones.
  void draw(size_t count, std::vector<T> &xs, std::vector<T> &ys) {
    for (const T x : corners())
      for (const T y : corners())
        append(x, y, xs, ys);
    for (unsigned i = 0; xs.size() < count; ++i)
      drawOne(i % 4, xs, ys);
    xs.resize(count);
    ys.resize(count);
  }

private:
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

  static std::vector<T> corners() {
    std::vector<T> result;
    for (const T x : {T(0), Limits::denorm_min(), Limits::min() / 2, Limits::min(), T(0.5), T(1),
                      std::nextafter(T(1), T(0)), std::nextafter(T(1), T(2)), T(1.5), T(2), T(3),
                      T(10), std::ldexp(T(1), Limits::digits), T(1.5707963267948966L),
                      // The doubles and floats that lie nearest to a multiple of pi / 2.
                      T(0x1.6ac5b262ca1ffp+849), T(0x1.f9d038p+108), T(0x1.47d0fep+34),
                      Limits::max(), Limits::infinity(), Limits::quiet_NaN()}) {
      result.push_back(x);
      result.push_back(-x);
    }
    return result;
  }
  void append(T x, T y, std::vector<T> &xs, std::vector<T> &ys) const {
    xs.push_back(x);
    ys.push_back(kind_ != Kind::Whole ? y
                 : std::isfinite(y)   ? std::fmod(std::trunc(y), T(4096))
                                      : T(0));
  }
  T unit() { return static_cast<T>(static_cast<double>(random_.next() >> 11) * 0x1p-53); }
  T between(T low, T high) { return low + (high - low) * unit(); }
  T anyBits() { return std::bit_cast<T>(static_cast<Bits>(random_.next())); }
  T power(int low, int high) { return std::exp2(between(T(low), T(high))); }

  void drawOne(unsigned turn, std::vector<T> &xs, std::vector<T> &ys) {
    T x = turn == 0 ? anyBits() : turn == 1 ? between(-8, 8) : power(-20, 20);
    T y = turn == 0 ? anyBits() : between(-64, 64);
    if (turn == 3 && random_.below(2))
      x = -x;
    if (turn >= 2)
      special(x, y);
    append(x, y, xs, ys);
  }
  void special(T &x, T &y) {
    const T range = T(Limits::max_exponent);
    switch (kind_) {
    case Kind::Anywhere:
    case Kind::Whole:
      break;
    case Kind::Exponents:
      x = between(-range, range) * (random_.below(2) ? T(1) : T(0.69));
      break;
    case Kind::Angles: {
      const uint64_t multiple = random_.next() >> (1 + random_.below(63));
      x = static_cast<T>(static_cast<long double>(multiple) * 1.57079632679489661923L);
      break;
    }
    case Kind::NearOne:
      x = T(1) + between(-1, 1) * power(-Limits::digits, -1);
      break;
    case Kind::Powers:
      x = random_.below(2) ? power(-Limits::max_exponent, Limits::max_exponent)
                           : T(1) + between(-1, 1) * power(-Limits::digits + 4, -1);
      y = between(-range, range) / std::log2(x);
      break;
    case Kind::Similar:
      x = anyBits();
      y = x * between(-1, 1) * power(-15, 15);
      break;
    }
  }

  Kind kind_;
  Random random_;
};

} // namespace rdna::devicemath
