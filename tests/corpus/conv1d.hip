//===- conv1d.hip - one-dimensional convolution ---------------------------===//
//
// y[i] = sum of filter[t] * x[i + t] over the taps. A workgroup stages its inputs in LDS; a lane
// computes 8 neighbouring outputs; the filter arrives in SGPRs.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Outputs = 8, Lanes = 64, MostTaps = 64;

KERNEL void WORKGROUP(Lanes) conv1d(const float *__restrict__ x, const float *__restrict__ filter,
                                    float *__restrict__ y, int taps) {
  LDS float window[Outputs * Lanes + MostTaps];
  unsigned t = threadX(), first = groupX() * Outputs * Lanes;
  for (unsigned i = t; i < Outputs * Lanes + MostTaps; i += Lanes)
    window[i] = x[first + i];
  barrier();
  float sum[Outputs] = {};
#pragma unroll 1
  for (int tap = 0; tap < taps; ++tap)
    for (unsigned i = 0; i < Outputs; ++i)
      sum[i] += window[t * Outputs + i + tap] * filter[tap];
  for (unsigned i = 0; i < Outputs; ++i)
    y[first + t * Outputs + i] = sum[i];
}
