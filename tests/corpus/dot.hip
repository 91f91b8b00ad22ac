//===- dot.hip - dot product with a tree reduction ------------------------===//
//
// A workgroup of 128 threads adds its part of x . y in four sums per lane, then reduces in LDS.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(128) dot(const float *__restrict__ x, const float *__restrict__ y,
                               float *__restrict__ result, int perGroup) {
  LDS float partial[128];
  unsigned t = threadX(), first = groupX() * perGroup;
  float sum[4] = {};
#pragma unroll 1
  for (unsigned k = t; k < unsigned(perGroup); k += 512)
    for (unsigned i = 0; i < 4; ++i)
      sum[i] += x[first + k + 128 * i] * y[first + k + 128 * i];
  partial[t] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  barrier();
#pragma unroll 1
  for (unsigned half = 64; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    barrier();
  }
  if (t == 0)
    result[groupX()] = partial[0];
}
