//===- stack_pointer.hip - a function that gets a pointer into its caller's stack -===//
//
// FLAT accesses of the callee reach the scratch memory of the caller.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION void rotate(float *v, int by) {
#pragma unroll 1
  for (int i = 0; i < 8; ++i)
    v[i] = v[i] * 0.75f + v[(i + by) % 8] * 0.5f;
}

KERNEL void WORKGROUP(64)
    stack_pointer(const float *__restrict__ x, float *__restrict__ result, int lanes) {
  unsigned id = workItem();
  float v[8];
  for (int i = 0; i < 8; ++i)
    v[i] = x[i * lanes + id];
  rotate(v, id % 5 + 1);
  rotate(v, 3);
  for (int i = 0; i < 8; ++i)
    result[i * lanes + id] = v[i];
}
