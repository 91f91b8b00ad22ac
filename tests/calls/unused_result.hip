//===- unused_result.hip - a call whose result nobody uses --------------===//
//
// The function stores a row and returns a sum that only one of its callers wants.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float store(float *to, float a, float b) {
  float s = a * b + a;
  *to = s * 0.5f + b;
  return s * s - b;
}

KERNEL void WORKGROUP(64)
    unused_result(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = x[round * lanes + id];
    store(result + (1 + round) * lanes + id, v, 0.75f);
    if (round % 2 == 0)
      sum += store(result + (1 + rounds + round) * lanes + id, v, sum);
  }
  result[id] = sum;
}
