//===- tile_4x4.hip - short steps, many free registers ---------------------===//
//
// Eight steps of 16 products. A step is shorter than the latency of LDS.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(tile_4x4) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *a = lds + t / 8 * 4 + round * 16;
    const float *b = lds + 2048 + t % 8 * 4 + round * 16;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 4; ++i)
        for (unsigned j = 0; j < 4; ++j)
          sum[i * 4 + j] += a[k * 128 + i] * b[k * 128 + j];
  }
  drain(out, sum);
}
