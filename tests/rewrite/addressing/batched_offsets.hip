//===- batched_offsets.hip - matrices at offsets that are in memory -------===//
//
// The offset of a workgroup's matrix is loaded: 64 bits, the same for all lanes.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    batched_offsets(const float *__restrict__ matrices, const long *__restrict__ offsets,
                    float *__restrict__ y, int rows, int columns) {
  const float *matrix = matrices + offsets[groupY()] % 2 * rows * columns;
  const int column = int(groupX() * 64 + threadX());
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < rows; ++k)
    sum += matrix[k * columns + column];
  y[int(groupY()) * columns + column] = sum;
}
