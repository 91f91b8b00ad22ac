//===- wide_stride.hip - a stride of 64 bits ------------------------------===//
//
// k * stride is made of 64-bit scalars; only the column is a 32-bit divergent offset.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) wide_stride(const float *__restrict__ A, float *__restrict__ y,
                                      unsigned long rows, unsigned long stride) {
  const unsigned column = groupX() * 64 + threadX();
  float sum = 0;
#pragma unroll 1
  for (unsigned long k = 0; k < rows; ++k)
    sum += A[k * stride + column];
  y[column] = sum;
}
