//===- inflight_arguments.hip - the arguments are still being loaded ----===//
//
// Nothing lies between the loads and the call, so what waits for them is the callee.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float blend(float a, float b, float c, float d) {
  float s = a * b + c, t = c * d + a;
  s = s * t + b;
  t = t * s + d;
  return s * t + a * d;
}

KERNEL void WORKGROUP(64) inflight_arguments(const float *__restrict__ x,
                                             float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *at = x + round * 4 * lanes + id;
    sum += blend(at[0], at[lanes], at[2 * lanes], at[3 * lanes]);
  }
  result[id] = sum;
}
