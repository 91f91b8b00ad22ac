//===- backwards.hip - the last row first ---------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    backwards(const float *__restrict__ A, float *__restrict__ y, int rows, int columns) {
  const int column = int(groupX() * 64 + threadX());
  float value = 0;
#pragma unroll 1
  for (int k = rows - 1; k >= 0; --k)
    value = value * 0.5f + A[k * columns + column];
  y[column] = value;
}
