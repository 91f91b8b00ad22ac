//===- tail_call.hip - functions that end with a call -------------------===//
//
// The compilers may jump to the last function, which then returns to the kernel.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float last(float a, float b, float c) { return (a * b + c) * a - b * c; }

FUNCTION float second(float a, float b, float c) { return last(a * b + c, b * c + a, a); }

FUNCTION float first(float a, float b, float c) {
  float t = a * c + b;
  if (t > 0)
    return second(t, a, b);
  return last(t, b, c);
}

KERNEL void WORKGROUP(64)
    tail_call(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *at = x + round * 3 * lanes + id;
    sum = sum * 0.5f + first(at[0], at[lanes], at[2 * lanes]);
  }
  result[id] = sum;
}
