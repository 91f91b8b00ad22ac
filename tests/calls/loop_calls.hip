//===- loop_calls.hip - a loop with two calls and sums of its own -------===//
//
// Sixteen accumulators of the kernel are live over the calls.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float smooth(float x, float y) { return x * (0.75f + y * y) - 0.25f * y; }
FUNCTION float rough(float x, float y) { return (x - y) * (x * y + 0.5f); }

KERNEL void WORKGROUP(64)
    loop_calls(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *at = x + round * 4 * lanes + id;
    float v = smooth(at[0], at[lanes]), w = rough(at[2 * lanes], v);
    for (unsigned i = 0; i < 16; ++i)
      sum[i] += (i % 2 ? v : w) * at[(i % 4) * lanes];
  }
  for (unsigned i = 0; i < 16; ++i)
    result[i * lanes + id] = sum[i];
}
