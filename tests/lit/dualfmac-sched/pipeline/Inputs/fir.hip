// One wave loads the halo of its workgroup and the taps, both guarded: lanes in lanes.
#include "hip/hip_runtime.h"
extern "C" __global__ __launch_bounds__(256) void fir(const float *x, const float *h, float *y,
                                                      int n, int taps) {
  __shared__ float sx[256 + 32];
  __shared__ float sh[32];
  int t = threadIdx.x, base = blockIdx.x * 256;
  float acc = 0.f;
  for (int k0 = 0; k0 < taps; k0 += 32) {
    int g = base + t + k0;
    sx[t] = g < n ? x[g] : 0.f;
    if (t < 32) {
      int g2 = base + 256 + t + k0;
      sx[256 + t] = g2 < n ? x[g2] : 0.f;
      sh[t] = k0 + t < taps ? h[k0 + t] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k)
      acc += sx[t + k] * sh[k];
    __syncthreads();
  }
  if (base + t < n)
    y[base + t] = acc;
}
