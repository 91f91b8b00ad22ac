//===- gemv_sgpr.hip - matrix times vector, the vector in SGPRs -----------===//
//
// y = A * x, A column-major, rows x columns. x[k] is the same for all lanes and arrives through a
// scalar load: each FMA has an SGPR operand. A lane computes 8 rows.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(32) gemv_sgpr(const float *__restrict__ A, const float *__restrict__ x,
                                    float *__restrict__ y, int rows, int columns) {
  unsigned first = groupX() * 256 + threadX();
  float sum[8] = {};
#pragma unroll 1
  for (int k = 0; k < columns; ++k) {
    const float *column = A + k * rows + first;
    for (unsigned i = 0; i < 8; ++i)
      sum[i] += column[32 * i] * x[k];
  }
  for (unsigned i = 0; i < 8; ++i)
    y[first + 32 * i] = sum[i];
}
