//===- several_loops.hip - three loops in one kernel ----------------------===//
//
// Moments of a signal, its products with a shifted copy, and a weighted sum backwards, one loop
// each.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    several_loops(const float *__restrict__ x, float *__restrict__ result, int samples, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float square[4] = {}, cube[4] = {}, shifted[6] = {}, weighted[2] = {};
#pragma unroll 1
  for (int k = 0; k < samples; k += 4)
    for (unsigned i = 0; i < 4; ++i) {
      float v = x[(k + i) * lanes + id];
      square[i] += v * v;
      cube[i] += v * v * v;
    }
#pragma unroll 1
  for (int k = 0; k + 6 < samples; ++k) {
    float v = x[k * lanes + id];
    for (unsigned i = 0; i < 6; ++i)
      shifted[i] += v * x[(k + 1 + i) * lanes + id];
  }
#pragma unroll 1
  for (int k = samples - 2; k >= 0; k -= 2)
    for (unsigned i = 0; i < 2; ++i)
      weighted[i] = weighted[i] * 0.75f + x[(k + i) * lanes + id];
  for (unsigned i = 0; i < 4; ++i) {
    result[i * lanes + id] = square[i];
    result[(4 + i) * lanes + id] = cube[i];
  }
  for (unsigned i = 0; i < 6; ++i)
    result[(8 + i) * lanes + id] = shifted[i];
  for (unsigned i = 0; i < 2; ++i)
    result[(14 + i) * lanes + id] = weighted[i];
}
