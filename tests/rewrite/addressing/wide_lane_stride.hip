//===- wide_lane_stride.hip - a divergent offset of 64 bits ----------------------===//
//
// row * stride may exceed 32 bits whatever the row is, so it is no offset.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    wide_lane_stride(const float *__restrict__ A, float *__restrict__ y, int columns, long stride) {
  const long row = groupX() * 64 + threadX();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < columns; ++k)
    sum += A[row * stride + k];
  y[row] = sum;
}
