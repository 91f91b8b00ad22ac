//===- nested_loops.hip - FMAs at three depths ----------------------------===//
//
// An inner loop of products, its sum used by an FMA of the middle loop, and that one by the outer
// loop.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    nested_loops(const float *__restrict__ x, const float *__restrict__ w,
                 float *__restrict__ result, int outer, int middle, int inner, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float total[2] = {};
#pragma unroll 1
  for (int i = 0; i < outer; ++i) {
    float part[2] = {};
#pragma unroll 1
    for (int j = 0; j < middle; ++j) {
      float sum[4] = {};
#pragma unroll 1
      for (int k = 0; k < inner; ++k) {
        float v = x[(i * inner + k) * lanes + id];
        for (unsigned e = 0; e < 4; ++e)
          sum[e] += v * w[((j * inner + k) * 4 + e) * lanes + id];
      }
      part[0] += sum[0] * sum[1];
      part[1] += sum[2] * sum[3];
    }
    for (unsigned e = 0; e < 2; ++e)
      total[e] += part[e] * x[i * lanes + id];
  }
  for (unsigned e = 0; e < 2; ++e)
    result[e * lanes + id] = total[e];
}
