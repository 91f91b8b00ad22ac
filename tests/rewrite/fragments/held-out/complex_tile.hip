//===- complex_tile.hip - complex tile -------------------------------------===//
//
// Pairs of registers, four products for each.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(complex_tile) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[32] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float2 *a = reinterpret_cast<const float2 *>(lds) + t / 8 * 4 + round * 4;
    const float2 *b = reinterpret_cast<const float2 *>(lds) + 1024 + t % 8 * 4 + round * 4;
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned i = 0; i < 16; ++i) {
        float2 u = a[k * 64 + i / 4], v = b[k * 64 + i % 4];
        sum[2 * i] += u.x * v.x;
        sum[2 * i] -= u.y * v.y;
        sum[2 * i + 1] += u.x * v.y;
        sum[2 * i + 1] += u.y * v.x;
      }
  }
  drain(out, sum);
}
