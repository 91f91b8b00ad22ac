//===- callee_memory.hip - a callee that loads and stores global memory -===//
//
// The second call reads what the first has stored.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION void update(const float *x, float *y, float scale, int stride) {
  float a = x[0], b = x[stride], c = y[0], d = y[stride];
  y[0] = a * scale + c * 0.5f;
  y[stride] = b * scale + d * a;
}

KERNEL void WORKGROUP(64) callee_memory(const float *x, float *result, int rounds, int lanes) {
  unsigned id = workItem();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    update(x + round * 2 * lanes + id, result + id, 0.75f, lanes);
    update(result + lanes + id, result + id, -0.5f, lanes);
  }
}
