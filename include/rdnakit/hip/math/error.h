#pragma once
#include "log.h"
namespace rdnakit {
RDNAKIT_DEVICE float erfc(float x) {
  const float a = absolute(x), t = 1.0f / fma(0.5f, a, 1.0f);
  const float p = polynomial(t, 0.17087277f, -0.82215223f, 1.48851587f, -1.13520398f, 0.27886807f, -0.18628806f, 0.09678418f, 0.37409196f, 1.00002368f, -1.26551223f);
  const float r = t * exp(fma(-a, a, p));
  return x < 0.0f ? 2.0f - r : r;
}
RDNAKIT_DEVICE float erf(float x) { return 1.0f - erfc(x); }
RDNAKIT_DEVICE float sinpi(float x) { return __builtin_amdgcn_sinf(x * 0.5f); }
RDNAKIT_DEVICE float cospi(float x) { return __builtin_amdgcn_cosf(x * 0.5f); }
} // namespace rdnakit
