//===- some_lanes.hip - steps in some lanes only ----------------------------===//
//
// EXEC is narrowed around the steps.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(some_lanes) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    if ((t & 7) > unsigned(round)) {
      const float *a = lds + t * 4 + round, *b = lds + 2048 + t % 8 * 4 + round;
#pragma unroll 1
      for (unsigned k = 0; k < 8; ++k)
        for (unsigned i = 0; i < 16; ++i)
          sum[i] += a[k * 64 + i / 4] * b[k * 64 + i % 4];
    }
  drain(out, sum);
}
