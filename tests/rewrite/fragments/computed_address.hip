//===- computed_address.hip - addresses computed between the steps ---------===//
//
// Where a step loads depends on the lane and on the step in a way that no offset can express.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(computed_address) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      unsigned at = (t * 4 ^ k * 36) + round * 4;
      float4 a = *reinterpret_cast<const float4 *>(lds + at);
      float4 b = *reinterpret_cast<const float4 *>(lds + 2048 + (at ^ 64));
      for (unsigned i = 0; i < 16; ++i)
        sum[i] += a[i / 4] * b[i % 4];
    }
  drain(out, sum);
}
