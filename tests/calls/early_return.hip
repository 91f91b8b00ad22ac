//===- early_return.hip - functions with several returns ----------------===//
//
// Lanes leave the function at three places, one of them within its loop.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float search(float x, float y, int limit) {
  if (x < -0.5f)
    return x * y;
  float state = x;
#pragma unroll 1
  for (int i = 0; i < limit; ++i) {
    state = state * 0.75f + y * y;
    if (state > 1)
      return state * x + 2;
  }
  return state * y + x;
}

KERNEL void WORKGROUP(64)
    early_return(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum += search(x[round * 2 * lanes + id], x[(round * 2 + 1) * lanes + id], 8);
  result[id] = sum;
}
