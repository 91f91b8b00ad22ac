//===- divergent_loop.hip - a loop with a call that lanes leave apart ---===//
//
// Each lane makes as many calls as its number says.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float advance(float x, float y) { return (x * 0.5f + y) * (0.75f - x * y * 0.125f); }

KERNEL void WORKGROUP(64)
    divergent_loop(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float state = x[id];
  int iterations = (id * 5) % (rounds + 1);
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    state = advance(state, x[(i + 1) * lanes + id]);
  result[id] = state;
}
