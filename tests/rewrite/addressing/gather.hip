//===- gather.hip - indices that were loaded ------------------------------===//
//
// What a load brings is no divergent offset that is known in front of the loop; it is one all the
// same.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) gather(const float *__restrict__ A, const unsigned *__restrict__ index,
                                 float *__restrict__ y, int rows, int columns) {
  const int column = int(groupX() * 64 + threadX());
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < rows; ++k)
    sum += A[index[k * columns + column] % unsigned(columns)];
  y[column] = sum;
}
