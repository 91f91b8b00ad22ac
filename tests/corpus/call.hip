//===- call.hip - a loop with a real call ---------------------------------===//
//
// The device function is not inlined: the loop contains s_swappc.
//
//===----------------------------------------------------------------------===//
#include "device.h"

DEVICE __attribute__((noinline)) float smooth(float x) { return x / (1 + x * x); }

KERNEL void WORKGROUP(64)
    call(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float sum[4] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = smooth(x[round * lanes + id]);
    for (unsigned i = 0; i < 4; ++i)
      sum[i] = sum[i] * v + x[(round + i) * lanes + id];
  }
  for (unsigned i = 0; i < 4; ++i)
    result[i * lanes + id] = sum[i];
}
