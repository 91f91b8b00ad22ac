//===- Ulp.h - how far a result is from the exact one ----------------------===//
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace rdna::devicemath {

/// In units of the last place that T has at `wanted`. The largest T and infinity are neighbours, as
/// rounding has it. Anything that is wrong in kind (a NaN for a number, another sign) is infinite.
template <typename T> double ulpsBetween(T got, long double wanted) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(wanted) || std::isnan(got))
    return std::isnan(wanted) && std::isnan(got) ? 0 : wrong;
  if (std::signbit(wanted) != std::signbit(got))
    return wrong;
  if (std::isinf(wanted) || wanted == 0)
    return got == static_cast<T>(wanted) ? 0 : wrong;
  using Limits = std::numeric_limits<T>;
  // 2^1024 is infinite as a double, and no more than the next step behind the largest.
  const long double beyond = std::ldexp(1.0L, Limits::max_exponent);
  const long double have = std::isinf(got) ? beyond : std::fabs(static_cast<long double>(got));
  const long double want = std::min(std::fabs(wanted), beyond);
  int exponent = 0;
  (void)std::frexp(std::min(want, static_cast<long double>(Limits::max())), &exponent);
  const int last = std::max(exponent, Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::fabs(have - want) / std::ldexp(1.0L, last));
}

} // namespace rdna::devicemath
