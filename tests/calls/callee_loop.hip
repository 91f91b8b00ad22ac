//===- callee_loop.hip - a loop of FMAs in the callee -------------------===//
//
// The loop that a rewriter would like to improve is in the function.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float column(const float *x, const float *y, int count, int stride) {
  float sum[4] = {};
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    float v = x[i * stride];
    for (int e = 0; e < 4; ++e)
      sum[e] += v * y[(i + e) * stride];
  }
  return (sum[0] + sum[1]) * (sum[2] - sum[3]);
}

KERNEL void WORKGROUP(64)
    callee_loop(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  const float *at = x + id, *other = x + rounds * lanes + id;
  result[id] = column(at, other, rounds, lanes) + column(other, at, rounds / 2, lanes);
}
