//===- kahan.hip - compensated sum of products ----------------------------===//
//
// Each accumulator is read, and its error estimated, in every round.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) kahan(const float *__restrict__ x, const float *__restrict__ y,
                                float *__restrict__ result, int rounds, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float sum[4] = {}, error[4] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned at = (round * 4 + i) * lanes + id;
      float term = x[at] * y[at] - error[i];
      float next = sum[i] + term;
      error[i] = (next - sum[i]) - term;
      sum[i] = next;
    }
  for (unsigned i = 0; i < 4; ++i) {
    result[(2 * i) * lanes + id] = sum[i];
    result[(2 * i + 1) * lanes + id] = error[i];
  }
}
