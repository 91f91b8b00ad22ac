//===- softmax.hip - softmax of rows --------------------------------------===//
//
// One wave per row: maximum, sum of exponentials, division; lanes exchange values through LDS.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(32)
    softmax(const float *__restrict__ x, float *__restrict__ y, int columns, float scale) {
  LDS float shared[32];
  unsigned lane = threadX();
  const float *row = x + groupX() * columns;
  float high = row[lane];
#pragma unroll 1
  for (int k = lane + 32; k < columns; k += 32)
    high = __builtin_fmaxf(high, row[k]);
  shared[lane] = high;
  barrier();
  for (unsigned i = 0; i < 32; ++i)
    high = __builtin_fmaxf(high, shared[i]);
  barrier();

  float sum = 0;
#pragma unroll 1
  for (int k = lane; k < columns; k += 32)
    sum += __builtin_exp2f((row[k] - high) * (scale * 1.44269504f));
  shared[lane] = sum;
  barrier();
  float total = 0;
  for (unsigned i = 0; i < 32; ++i)
    total += shared[i];

#pragma unroll 1
  for (int k = lane; k < columns; k += 32)
    y[groupX() * columns + k] = __builtin_exp2f((row[k] - high) * (scale * 1.44269504f)) / total;
}
