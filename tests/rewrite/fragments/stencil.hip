//===- stencil.hip - 3 x 3 stencil from LDS --------------------------------===//
//
// A loaded row is used in three steps, so its registers live across them.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(stencil) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[8] = {};
  float weight[9];
  for (unsigned i = 0; i < 9; ++i)
    weight[i] = in[i];
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *row = lds + t + round * 64;
#pragma unroll
    for (unsigned y = 0; y < 8; ++y)
      for (unsigned i = 0; i < 9; ++i)
        sum[y] += row[(y + i / 3) * 128 + i % 3] * weight[i];
  }
  drain(out, sum);
}
