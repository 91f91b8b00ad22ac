//===- distances.hip - sums of squared differences -------------------------===//
//
// A subtraction stands between each load and its product.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(distances) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *a = lds + t * 4 + round * 4, *b = lds + 2048 + t % 8 * 4 + round * 4;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 16; ++i) {
        float d = a[k * 64 + i / 4] - b[k * 64 + i % 4];
        sum[i] += d * d;
      }
  }
  drain(out, sum);
}
