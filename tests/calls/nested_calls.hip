//===- nested_calls.hip - three calls deep ------------------------------===//
//
// Each level computes before and behind the call that it makes.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float inner(float x, float y) { return (x * y + 0.5f) * x + y; }

FUNCTION float middle(float x, float y) {
  float s = inner(x * 0.5f, y) * x + y;
  return inner(s, x) * 0.25f + s * y;
}

FUNCTION float outer(float x, float y) {
  float s = middle(x, y);
  return s * x + middle(y, x) * y;
}

KERNEL void WORKGROUP(64)
    nested_calls(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum += outer(x[round * 2 * lanes + id], x[(round * 2 + 1) * lanes + id]);
  result[id] = sum;
}
