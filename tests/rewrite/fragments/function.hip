//===- function.hip - steps in a device function ---------------------------===//
//
// It is called, so every register that it leaves must be as it was.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

DEVICE __attribute__((noinline)) float4 dot(const float __attribute__((address_space(3))) * a,
                                            const float __attribute__((address_space(3))) * b) {
  float4 sum = {};
#pragma unroll 1
  for (unsigned k = 0; k < 12; ++k)
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = 0; j < 4; ++j)
        sum[i] += a[k * 64 + i] * b[k * 64 + j];
  return sum;
}

STEPS(function) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  typedef const float __attribute__((address_space(3))) * Pointer;
  float sum[4] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float4 part = dot((Pointer)(lds + t * 4 + round * 4), (Pointer)(lds + 2048 + t % 8 * 4));
    for (unsigned i = 0; i < 4; ++i)
      sum[i] += part[i];
  }
  drain(out, sum);
}
