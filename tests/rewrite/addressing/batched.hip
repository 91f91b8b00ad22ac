//===- batched.hip - one of several matrices for each workgroup -----------===//
//
// The pointer is chosen by the workgroup: the same for all lanes, unknown to the compiler.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    batched(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c,
            float *__restrict__ y, int rows, int columns) {
  const float *matrix = groupY() == 0 ? a : groupY() == 1 ? b : c;
  const int column = int(groupX() * 64 + threadX());
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < rows; ++k)
    sum += matrix[k * columns + column];
  y[int(groupY()) * columns + column] = sum;
}
