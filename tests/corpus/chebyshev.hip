//===- chebyshev.hip - Chebyshev series -----------------------------------===//
//
// T(n+1) = 2 x T(n) - T(n-1), summed with coefficients that arrive in SGPRs, at four points per
// lane.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) chebyshev(const float *__restrict__ x, const float *__restrict__ c,
                                    float *__restrict__ y, int terms, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float twice[4], last[4], now[4], sum[4];
  for (unsigned i = 0; i < 4; ++i) {
    float v = x[i * lanes + id];
    twice[i] = 2 * v;
    last[i] = 1;
    now[i] = v;
    sum[i] = c[0] + c[1] * v;
  }
#pragma unroll 1
  for (int n = 2; n < terms; ++n)
    for (unsigned i = 0; i < 4; ++i) {
      float next = twice[i] * now[i] - last[i];
      last[i] = now[i];
      now[i] = next;
      sum[i] += c[n] * next;
    }
  for (unsigned i = 0; i < 4; ++i)
    y[i * lanes + id] = sum[i];
}
