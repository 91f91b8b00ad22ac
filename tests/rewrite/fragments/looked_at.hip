//===- looked_at.hip - loaded values that are looked at --------------------===//
//
// The steps compare what they load: in CU mode each of these loads may be an acquire.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(looked_at) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *a = lds + t * 4 + round * 4, *b = lds + 2048 + t % 8 * 4 + round * 4;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 16; ++i)
        sum[i] += (a[k * 64 + i / 4] > 0.5f ? 2.0f : a[k * 64 + i / 4]) * b[k * 64 + i % 4];
  }
  drain(out, sum);
}
