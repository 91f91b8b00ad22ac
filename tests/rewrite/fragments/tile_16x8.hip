//===- tile_16x8.hip - steps of 128 products -------------------------------===//
//
// So many sums that a second set of fragments costs a wave.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(tile_16x8) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[128] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *a = lds + t / 8 * 16 + round * 16;
    const float *b = lds + 2048 + t % 8 * 8 + round * 16;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 16; ++i)
        for (unsigned j = 0; j < 8; ++j)
          sum[i * 8 + j] += a[k * 128 + i] * b[k * 128 + j];
  }
  drain(out, sum);
}
