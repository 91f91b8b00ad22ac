//===- horner.hip - polynomials with coefficients from LDS -----------------===//
//
// Each loaded coefficient is an addend, not a factor.
//
//===----------------------------------------------------------------------===//
#include "steps.h"

STEPS(horner) {
  LDS float lds[Words];
  unsigned t = threadX();
  fill(lds, in);

  float sum[8];
  for (unsigned i = 0; i < 8; ++i)
    sum[i] = in[t + i];
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *c = lds + t * 8 + round * 16;
    float x = in[round];
#pragma unroll 1
    for (unsigned k = 0; k < 20; ++k)
      for (unsigned i = 0; i < 8; ++i)
        sum[i] = sum[i] * x + c[k * 16 + i];
  }
  drain(out, sum);
}
