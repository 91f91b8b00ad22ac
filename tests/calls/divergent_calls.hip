//===- divergent_calls.hip - calls in branches that lanes take apart ----===//
//
// Different functions on the sides of a branch, and one that some lanes skip.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float above(float x, float y) { return x * y + x * x + 0.5f; }
FUNCTION float below(float x, float y) { return y * y - x * y * 0.5f; }

KERNEL void WORKGROUP(64) divergent_calls(const float *__restrict__ x, float *__restrict__ result,
                                          int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = x[round * 2 * lanes + id], w = x[(round * 2 + 1) * lanes + id];
    if (v > 0)
      sum += above(v, w);
    else
      sum = sum * 0.5f + below(v, w);
    if (w > 0.5f)
      sum -= above(w, v) * 0.25f;
  }
  result[id] = sum;
}
