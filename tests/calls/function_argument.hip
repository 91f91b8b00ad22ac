//===- function_argument.hip - a function that gets a function ----------===//
//
// The target of the indirect call is an argument of the caller.
//
//===----------------------------------------------------------------------===//
#include "function.h"

typedef float (*Step)(float, float);

FUNCTION float grow(float x, float y) { return x * 0.5f + y; }
FUNCTION float turn(float x, float y) { return x * y - 0.25f; }

FUNCTION float fold(Step step, float state, const float *x, int count, int stride) {
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    state = step(state, x[i * stride]) + 0.125f * state;
  return state;
}

KERNEL void WORKGROUP(64) function_argument(const float *__restrict__ x, float *__restrict__ result,
                                            int rounds, int lanes) {
  unsigned id = workItem();
  float a = fold(grow, x[id], x + lanes + id, rounds, lanes);
  float b = fold(turn, x[id], x + lanes + id, rounds, lanes);
  result[id] = a * b + x[id];
}
