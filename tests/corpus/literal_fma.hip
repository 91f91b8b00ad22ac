//===- literal_fma.hip - FMAs with a literal factor -----------------------===//
//
// Weighted sums of colour channels: every FMA multiplies by a 32-bit literal into one of six
// accumulators.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64)
    literal_fma(const float *__restrict__ rgb, float *__restrict__ sums, int pixels, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float luma[2] = {}, blue[2] = {}, red[2] = {};
#pragma unroll 1
  for (int p = 0; p < pixels; p += 2)
    for (unsigned i = 0; i < 2; ++i) {
      const float *pixel = rgb + (p + i) * 3 * lanes + id;
      float r = pixel[0], g = pixel[lanes], b = pixel[2 * lanes];
      luma[i] += 0.299f * r;
      luma[i] += 0.587f * g;
      luma[i] += 0.114f * b;
      blue[i] += -0.168736f * r;
      blue[i] += -0.331264f * g;
      blue[i] += 0.5f * b;
      red[i] += 0.5f * r;
      red[i] += -0.418688f * g;
      red[i] += -0.081312f * b;
    }
  for (unsigned i = 0; i < 2; ++i) {
    sums[(3 * i + 0) * lanes + id] = luma[i];
    sums[(3 * i + 1) * lanes + id] = blue[i];
    sums[(3 * i + 2) * lanes + id] = red[i];
  }
}
