//===- std.h - the device's functions in namespace std ---------------------===//
#pragma once

namespace std {
inline namespace rdnakit_device {
#define RDNAKIT_STD(name) using ::rdnakit_device::name;
#define RDNAKIT_STD_BOTH(name) RDNAKIT_STD(name) RDNAKIT_STD(name##f)
RDNAKIT_STD_BOTH(acos)
RDNAKIT_STD_BOTH(acosh)
RDNAKIT_STD_BOTH(asin)
RDNAKIT_STD_BOTH(asinh)
RDNAKIT_STD_BOTH(atan)
RDNAKIT_STD_BOTH(atan2)
RDNAKIT_STD_BOTH(atanh)
RDNAKIT_STD_BOTH(cbrt)
RDNAKIT_STD_BOTH(ceil)
RDNAKIT_STD_BOTH(copysign)
RDNAKIT_STD_BOTH(cos)
RDNAKIT_STD_BOTH(cosh)
RDNAKIT_STD_BOTH(erf)
RDNAKIT_STD_BOTH(erfc)
RDNAKIT_STD_BOTH(exp)
RDNAKIT_STD_BOTH(exp2)
RDNAKIT_STD_BOTH(expm1)
RDNAKIT_STD_BOTH(fabs)
RDNAKIT_STD_BOTH(fdim)
RDNAKIT_STD_BOTH(floor)
RDNAKIT_STD_BOTH(fma)
RDNAKIT_STD_BOTH(fmax)
RDNAKIT_STD_BOTH(fmin)
RDNAKIT_STD_BOTH(fmod)
RDNAKIT_STD_BOTH(frexp)
RDNAKIT_STD_BOTH(hypot)
RDNAKIT_STD_BOTH(ldexp)
RDNAKIT_STD_BOTH(log)
RDNAKIT_STD_BOTH(log10)
RDNAKIT_STD_BOTH(log1p)
RDNAKIT_STD_BOTH(log2)
RDNAKIT_STD_BOTH(lrint)
RDNAKIT_STD_BOTH(lround)
RDNAKIT_STD_BOTH(modf)
RDNAKIT_STD_BOTH(nearbyint)
RDNAKIT_STD_BOTH(pow)
RDNAKIT_STD_BOTH(rint)
RDNAKIT_STD_BOTH(round)
RDNAKIT_STD_BOTH(scalbn)
RDNAKIT_STD_BOTH(sin)
RDNAKIT_STD_BOTH(sinh)
RDNAKIT_STD_BOTH(sqrt)
RDNAKIT_STD_BOTH(tan)
RDNAKIT_STD_BOTH(tanh)
RDNAKIT_STD_BOTH(trunc)
RDNAKIT_STD(abs)
RDNAKIT_STD(isfinite)
RDNAKIT_STD(isinf)
RDNAKIT_STD(isnan)
RDNAKIT_STD(isnormal)
RDNAKIT_STD(signbit)
#undef RDNAKIT_STD_BOTH
#undef RDNAKIT_STD
} // namespace rdnakit_device
} // namespace std

// Behind the above on purpose. Files written for HIP count on what its header brings along.
#include <cmath>
#include <cstdlib>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
