//===- minmax.h - min, max and abs for numbers of all kinds ----------------===//
//
// Mixed arguments go where the usual arithmetic
// conversions would take them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "primitives.h"

inline namespace rdnakit_device {

#define RDNAKIT_EXTREMA(T, U, Result)                                                              \
  RDNAKIT_DEVICE Result min(T x, U y) {                                                            \
    return static_cast<Result>(x) < static_cast<Result>(y) ? static_cast<Result>(x)                \
                                                           : static_cast<Result>(y);               \
  }                                                                                                \
  RDNAKIT_DEVICE Result max(T x, U y) {                                                            \
    return static_cast<Result>(x) > static_cast<Result>(y) ? static_cast<Result>(x)                \
                                                           : static_cast<Result>(y);               \
  }
#define RDNAKIT_MIXED_EXTREMA(T, U, Result)                                                        \
  RDNAKIT_EXTREMA(T, U, Result) RDNAKIT_EXTREMA(U, T, Result)
RDNAKIT_EXTREMA(int, int, int)
RDNAKIT_EXTREMA(unsigned, unsigned, unsigned)
RDNAKIT_EXTREMA(long, long, long)
RDNAKIT_EXTREMA(unsigned long, unsigned long, unsigned long)
RDNAKIT_EXTREMA(long long, long long, long long)
RDNAKIT_EXTREMA(unsigned long long, unsigned long long, unsigned long long)
RDNAKIT_MIXED_EXTREMA(int, unsigned, unsigned)
RDNAKIT_MIXED_EXTREMA(int, long, long)
RDNAKIT_MIXED_EXTREMA(int, unsigned long, unsigned long)
RDNAKIT_MIXED_EXTREMA(int, long long, long long)
RDNAKIT_MIXED_EXTREMA(int, unsigned long long, unsigned long long)
RDNAKIT_MIXED_EXTREMA(unsigned, unsigned long, unsigned long)
RDNAKIT_MIXED_EXTREMA(unsigned, unsigned long long, unsigned long long)
#undef RDNAKIT_MIXED_EXTREMA
#undef RDNAKIT_EXTREMA

RDNAKIT_DEVICE float min(float x, float y) { return __builtin_fminf(x, y); }
RDNAKIT_DEVICE float max(float x, float y) { return __builtin_fmaxf(x, y); }
RDNAKIT_DEVICE double min(double x, double y) { return __builtin_fmin(x, y); }
RDNAKIT_DEVICE double max(double x, double y) { return __builtin_fmax(x, y); }
RDNAKIT_DEVICE double min(float x, double y) { return __builtin_fmin(x, y); }
RDNAKIT_DEVICE double min(double x, float y) { return __builtin_fmin(x, y); }
RDNAKIT_DEVICE double max(float x, double y) { return __builtin_fmax(x, y); }
RDNAKIT_DEVICE double max(double x, float y) { return __builtin_fmax(x, y); }

RDNAKIT_DEVICE int abs(int x) { return x < 0 ? -x : x; }
RDNAKIT_DEVICE long abs(long x) { return x < 0 ? -x : x; }
RDNAKIT_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
RDNAKIT_DEVICE long labs(long x) { return x < 0 ? -x : x; }
RDNAKIT_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
RDNAKIT_DEVICE float abs(float x) { return __builtin_fabsf(x); }
RDNAKIT_DEVICE double abs(double x) { return __builtin_fabs(x); }

} // namespace rdnakit_device
