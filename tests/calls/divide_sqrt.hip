//===- divide_sqrt.hip - functions with division and square root --------===//
//
// The long sequences of v_div_scale, v_div_fmas, v_div_fixup and of an exact root.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float quotient(float x, float y) { return (x * y + 0.5f) / (1.5f + x * x); }
FUNCTION float root(float x, float y) { return __builtin_sqrtf(x * x + y * y + 0.125f); }

KERNEL void WORKGROUP(64)
    divide_sqrt(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = x[round * lanes + id], q = quotient(v, sum);
    sum += q * root(v, q) / (2 + q * q);
  }
  result[id] = sum;
}
