//===- tile_3x5.hip - odd tile ---------------------------------------------===//
//
// Fragments of three and five registers: b96 or b64 and b32.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(tile_3x5) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[15] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *a = lds + t / 8 * 3 + round * 16;
    const float *b = lds + 2048 + t % 8 * 5 + round * 16;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 5; ++j)
          sum[i * 5 + j] += a[k * 128 + i] * b[k * 128 + j];
  }
  drain(out, sum);
}
