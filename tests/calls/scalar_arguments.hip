//===- scalar_arguments.hip - arguments that come from scalar loads -----===//
//
// The coefficients are the same for all lanes: loaded into SGPRs, moved to VGPRs for the call.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float cubic(float x, float c0, float c1, float c2, float c3) {
  return ((c3 * x + c2) * x + c1) * x + c0;
}

KERNEL void WORKGROUP(64)
    scalar_arguments(const float *__restrict__ x, const float *__restrict__ coefficients,
                     float *__restrict__ result, int rounds) {
  unsigned id = workItem();
  float v = x[id], sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *c = coefficients + 4 * round;
    sum += cubic(v, c[0], c[1], c[2], c[3]);
  }
  result[id] = sum;
}
