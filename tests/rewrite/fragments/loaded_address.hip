//===- loaded_address.hip - addresses loaded from LDS ----------------------===//
//
// A step begins with an index from LDS, which its other loads need.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(loaded_address) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll 1
    for (unsigned k = 0; k < 8; ++k) {
      unsigned at = __builtin_bit_cast(unsigned, lds[k * 64 + t + round]) >> 8 & 2044;
      float4 a = *reinterpret_cast<const float4 *>(lds + at);
      float4 b = *reinterpret_cast<const float4 *>(lds + 2048 + at);
      for (unsigned i = 0; i < 16; ++i)
        sum[i] += a[i / 4] * b[i % 4];
    }
  drain(out, sum);
}
