//===- batched_3x3.hip - chains of 3 x 3 matrix products ------------------===//
//
// Each lane multiplies its own chain: the nine elements are accumulators that every round reads.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) batched_3x3(const float *__restrict__ matrices,
                                      float *__restrict__ products, int length, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float p[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
#pragma unroll 1
  for (int m = 0; m < length; ++m) {
    float q[3][3], r[3][3] = {};
    for (unsigned i = 0; i < 9; ++i)
      q[i / 3][i % 3] = matrices[(m * 9 + i) * lanes + id];
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned j = 0; j < 3; ++j)
        for (unsigned k = 0; k < 3; ++k)
          r[i][j] += p[i][k] * q[k][j];
    for (unsigned i = 0; i < 9; ++i)
      p[i / 3][i % 3] = r[i / 3][i % 3];
  }
  for (unsigned i = 0; i < 9; ++i)
    products[i * lanes + id] = p[i / 3][i % 3];
}
