//===- scalar_alpha.hip - vector updates with a scalar factor -------------===//
//
// y = alpha * x + decay * y, repeated over the rows of x; both factors are kernel arguments and
// stay in SGPRs.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) scalar_alpha(const float *__restrict__ x, float *__restrict__ y, int rows,
                                       int columns, float alpha, float decay) {
  unsigned id = groupX() * 256 + threadX();
  float sum[4];
  for (unsigned i = 0; i < 4; ++i)
    sum[i] = y[id + 64 * i];
#pragma unroll 1
  for (int row = 0; row < rows; ++row)
    for (unsigned i = 0; i < 4; ++i)
      sum[i] = alpha * x[row * columns + id + 64 * i] + decay * sum[i];
  for (unsigned i = 0; i < 4; ++i)
    y[id + 64 * i] = sum[i];
}
