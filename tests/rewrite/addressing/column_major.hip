//===- column_major.hip - columns of a matrix summed up, lanes along columns ==//
//
// What changes from iteration to iteration is multiplied by the run-time stride, the divergent
// offset is not. Loads and stores in one loop, with an unsigned index.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) column_major(const float *__restrict__ A, float *__restrict__ prefix,
                                       unsigned rows, unsigned stride) {
  const unsigned column = groupX() * 64 + threadX();
  float sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < rows; ++k) {
    sum += A[k * stride + column];
    prefix[k * stride + column] = sum;
  }
}
