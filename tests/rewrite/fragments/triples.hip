//===- triples.hip - tuples of three ---------------------------------------===//
//
// A step loads two float3: ds_load_b96.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(triples) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[9] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float4 *p = reinterpret_cast<const float4 *>(lds) + t + round;
#pragma unroll 1
    for (unsigned k = 0; k < 10; ++k) {
      float4 a = p[k * 64], b = p[k * 64 + 128];
      for (unsigned i = 0; i < 9; ++i)
        sum[i] += a[i / 3] * b[i % 3];
    }
  }
  drain(out, sum);
}
