//===- filter.hip - window and filter from LDS -----------------------------===//
//
// Both operands come from LDS; the window slides, so that most of it stays in registers.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(filter) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[8] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *window = lds + t * 8 + round * 8;
    const float *taps = lds + 3072 + round;
#pragma unroll
    for (unsigned tap = 0; tap < 16; ++tap)
      for (unsigned i = 0; i < 8; ++i)
        sum[i] += window[i + tap] * taps[tap * 32];
  }
  drain(out, sum);
}
