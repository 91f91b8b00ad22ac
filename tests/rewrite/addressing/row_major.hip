//===- row_major.hip - rows of a matrix times a vector, lanes along rows --===//
//
// The divergent offset of the address is multiplied by a stride that is only known at run time.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) row_major(const float *__restrict__ A, const float *__restrict__ x,
                                    float *__restrict__ y, int columns, int stride) {
  const int row = int(groupX() * 64 + threadX());
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < columns; ++k)
    sum += A[row * stride + k] * x[k];
  y[row] = sum;
}
