//===- horner_register.hip - polynomials with coefficients in VGPRs -------===//
//
// Each lane has its own polynomial of degree 7, kept in registers and evaluated at four points per
// round.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Degree = 7;

KERNEL void WORKGROUP(64)
    horner_register(const float *__restrict__ coefficients, const float *__restrict__ x,
                    float *__restrict__ y, int rounds, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float c[Degree + 1];
  for (unsigned d = 0; d <= Degree; ++d)
    c[d] = coefficients[d * lanes + id];
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v[4], p[4];
    for (unsigned i = 0; i < 4; ++i) {
      v[i] = x[(round * 4 + i) * lanes + id];
      p[i] = c[Degree];
    }
    for (unsigned d = Degree; d-- > 0;)
      for (unsigned i = 0; i < 4; ++i)
        p[i] = p[i] * v[i] + c[d];
    for (unsigned i = 0; i < 4; ++i)
      y[(round * 4 + i) * lanes + id] = p[i];
  }
}
