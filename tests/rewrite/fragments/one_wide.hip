//===- one_wide.hip - wide loads of one operand only -----------------------===//
//
// The other operand comes from a scalar register.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(one_wide) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[8] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float4 *a = reinterpret_cast<const float4 *>(lds) + t + round * 4;
#pragma unroll 1
    for (unsigned k = 0; k < 12; ++k) {
      float4 v = a[k * 64], w = a[k * 64 + 32];
      float scale = in[round * 12 + k];
      for (unsigned i = 0; i < 4; ++i) {
        sum[i] += v[i] * scale;
        sum[4 + i] += w[i] * scale;
      }
    }
  }
  drain(out, sum);
}
