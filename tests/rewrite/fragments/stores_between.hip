//===- stores_between.hip - stores to LDS between the steps ----------------===//
//
// Every step stores what another lane may load later: nothing may be loaded earlier.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(stores_between) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[16] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float *a = lds + t * 64;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
      for (unsigned i = 0; i < 16; ++i)
        sum[i] += a[k * 8 + i / 4] * a[k * 8 + 4 + i % 4];
      a[k * 8 + (round & 7)] = sum[k];
    }
  }
  drain(out, sum);
}
