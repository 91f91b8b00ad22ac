//===- two_kernels.h - one function, called from two kernels --------------===//
#pragma once

#include "function.h"

FUNCTION float shared(float a, float b, float c) {
  float s = a * b + c, t = b * c + a;
  return (s * t + a) * 0.5f + s * c;
}

KERNEL void WORKGROUP(64)
    two_kernels_first(const float *__restrict__ x, float *__restrict__ result, int lanes) {
  unsigned id = workItem();
  float v = x[id], w = x[lanes + id];
  result[id] = shared(v, w, v * w) + shared(w, v, 0.5f);
}

KERNEL void WORKGROUP(64) two_kernels_second(const float *__restrict__ x,
                                             float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum[4] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = shared(x[round * lanes + id], sum[0], sum[1]);
    for (unsigned i = 0; i < 4; ++i)
      sum[i] = sum[i] * 0.5f + v * x[(round + i) * lanes + id];
  }
  for (unsigned i = 0; i < 4; ++i)
    result[i * lanes + id] = sum[i];
}
