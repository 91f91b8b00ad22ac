//===- gemv.hip - matrix times vector, a wave per row ---------------------===//
//
// y = A * x, A row-major, rows x columns. Each lane adds four neighbouring columns at a time; the
// 32 partial sums meet in LDS.
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

KERNEL void WORKGROUP(32) gemv(const Float4 *__restrict__ A, const Float4 *__restrict__ x,
                               float *__restrict__ y, int columns) {
  LDS float partial[32];
  unsigned lane = threadX(), row = groupX(), quads = columns / 4;
  Float4 sum = {0, 0, 0, 0};
#pragma unroll 1
  for (unsigned q = lane; q < quads; q += 32)
    sum += A[row * quads + q] * x[q];
  partial[lane] = (sum.x + sum.y) + (sum.z + sum.w);
  barrier();
  if (lane == 0) {
    float total = 0;
    for (unsigned i = 0; i < 32; ++i)
      total += partial[i];
    y[row] = total;
  }
}
