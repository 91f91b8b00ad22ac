//===- iir.hip - recursive filter -----------------------------------------===//
//
// Two second-order sections in series per channel, four channels per lane. Every state variable is
// read in the round that follows, and each output sample is stored inside the loop.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(32) iir(const float *__restrict__ x, float *__restrict__ y, int samples,
                              int lanes, float b0, float b1, float b2, float a1, float a2) {
  unsigned id = groupX() * 32 + threadX();
  float s1[4][2] = {}, s2[4][2] = {};
#pragma unroll 1
  for (int n = 0; n < samples; ++n)
    for (unsigned c = 0; c < 4; ++c) {
      float v = x[(n * 4 + c) * lanes + id];
      for (unsigned section = 0; section < 2; ++section) {
        float out = b0 * v + s1[c][section];
        s1[c][section] = b1 * v - a1 * out + s2[c][section];
        s2[c][section] = b2 * v - a2 * out;
        v = out;
      }
      y[(n * 4 + c) * lanes + id] = v;
    }
}
