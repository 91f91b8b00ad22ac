//===- predicated.hip - a loop with divergent branches --------------------===//
//
// Lanes whose sample is above the threshold load a weight row and accumulate eight products; the
// others count.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    predicated(const float *__restrict__ x, const float *__restrict__ weights,
               float *__restrict__ result, int samples, int lanes, float threshold) {
  unsigned id = groupX() * 64 + threadX();
  float sum[8] = {}, below = 0;
#pragma unroll 1
  for (int k = 0; k < samples; ++k) {
    float v = x[k * lanes + id];
    if (v > threshold) {
      for (unsigned i = 0; i < 8; ++i)
        sum[i] += v * weights[(k * 8 + i) * lanes + id];
    } else {
      below += 1;
    }
  }
  for (unsigned i = 0; i < 8; ++i)
    result[i * lanes + id] = sum[i];
  result[8 * lanes + id] = below;
}
