//===- divergent.hip - every other lane reads another matrix --------------===//
#include "device.h"

KERNEL void WORKGROUP(64) divergent(const float *__restrict__ a, const float *__restrict__ b,
                                    float *__restrict__ y, int rows, int columns) {
  const int column = int(groupX() * 64 + threadX());
  const float *matrix = column & 1 ? a : b;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < rows; ++k)
    sum += matrix[k * columns + column];
  y[column] = sum;
}
