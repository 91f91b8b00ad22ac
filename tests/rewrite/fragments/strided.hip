//===- strided.hip - loads from two addresses ------------------------------===//
//
// Columns with an odd stride: ds_load_2addr_b32.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(strided) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *a = lds + t + round, *b = lds + 1024 + t * 3 + round;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 16; ++i)
        sum[i] += a[k * 68 + i / 4 * 17] * b[k * 132 + i % 4 * 33];
  }
  drain(out, sum);
}
