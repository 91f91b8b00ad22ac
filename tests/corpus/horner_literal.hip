//===- horner_literal.hip - polynomial with literal coefficients ----------===//
//
// Degree 8, four points per lane and round: every FMA adds a 32-bit literal.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    horner_literal(const float *__restrict__ x, float *__restrict__ y, int rounds, int lanes) {
  unsigned id = groupX() * 64 + threadX();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned at = (round * 4 + i) * lanes + id;
      float v = x[at];
      float p = 2.48015873e-5f;
      p = p * v + 1.98412698e-4f;
      p = p * v + 1.38888889e-3f;
      p = p * v + 8.33333333e-3f;
      p = p * v + 4.16666667e-2f;
      p = p * v + 1.66666667e-1f;
      p = p * v + 4.99999999e-1f;
      p = p * v + 9.99999881e-1f;
      p = p * v + 1.00000024f;
      y[at] = p;
    }
}
