//===- lds_arguments.hip - arguments that come from LDS -----------------===//
//
// Each lane reads what its neighbours have stored, right before the call.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float corner(float a, float b, float c, float d) {
  float s = a * d - b * c, t = a * c + b * d;
  return s * t + a * b + c * d;
}

KERNEL void WORKGROUP(64)
    lds_arguments(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  LDS static float tile[4][64];
  unsigned lane = threadX();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < 4; ++i)
      tile[i][lane] = x[(round * 4 + i) * lanes + id];
    barrier();
    sum = sum * 0.5f + corner(tile[0][(lane + 1) % 64], tile[1][(lane + 3) % 64],
                              tile[2][(lane + 7) % 64], tile[3][lane ^ 32]);
    barrier();
  }
  result[id] = sum;
}
