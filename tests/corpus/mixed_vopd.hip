//===- mixed_vopd.hip - a loop of many dual-issue opcodes -----------------===//
//
// FMA, MUL, ADD, SUB, MAX, MIN and select on four independent chains.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    mixed_vopd(const float *__restrict__ x, float *__restrict__ y, int rounds, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float sum[4] = {}, high[4] = {-1, -1, -1, -1}, low[4] = {1, 1, 1, 1}, product[4] = {1, 1, 1, 1};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v[4];
    for (unsigned i = 0; i < 4; ++i)
      v[i] = x[(round * 4 + i) * lanes + id];
    for (unsigned i = 0; i < 4; ++i) {
      float next = v[(i + 1) % 4];
      sum[i] += v[i] * next;
      high[i] = __builtin_fmaxf(high[i], v[i] - next);
      low[i] = __builtin_fminf(low[i], v[i] + next);
      product[i] = product[i] * (v[i] > next ? 0.5f : v[i]);
    }
  }
  for (unsigned i = 0; i < 4; ++i) {
    y[(4 * 0 + i) * lanes + id] = sum[i];
    y[(4 * 1 + i) * lanes + id] = high[i];
    y[(4 * 2 + i) * lanes + id] = low[i];
    y[(4 * 3 + i) * lanes + id] = product[i];
  }
}
