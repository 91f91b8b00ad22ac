//===- Interval.h - integers between two bounds, at equal steps ------------===//
#pragma once

#include <cstdint>
#include <optional>

namespace rdna::verify {

/// least, least + step, ... most; none at all if least > most. A step of 0 is that of one number.
struct Interval {
  int64_t least = 0, most = 0xffffffff;
  uint64_t step = 1;

  static Interval dword() { return {}; }
  static Interval none() { return {1, 0, 0}; }
  static Interval of(int64_t value) { return {value, value, 0}; }
  static Interval upTo(int64_t most) { return between(0, most); }
  static Interval between(int64_t least, int64_t most) {
    return Interval{least, most, 1}.normalised();
  }

  bool isNone() const { return least > most; }
  bool isDword() const { return least >= 0 && most <= 0xffffffff; }
  bool contains(const Interval &other) const;
  bool operator==(const Interval &other) const = default;
  /// The same numbers, with `most` one of them.
  Interval normalised() const;
  /// Those up to, or from a bound.
  Interval atMost(int64_t bound) const;
  Interval atLeast(int64_t bound) const;
  /// Without a number, if it is the first or the last one.
  Interval without(int64_t number) const;
};

/// Numbers of both, and perhaps more.
Interval join(const Interval &a, const Interval &b);
/// Nothing if a bound leaves 63 bits.
std::optional<Interval> add(const Interval &a, const Interval &b);
std::optional<Interval> multiply(const Interval &a, const Interval &b);
/// What 32-bit registers hold of such integers.
Interval moduloDword(const Interval &a);

} // namespace rdna::verify
