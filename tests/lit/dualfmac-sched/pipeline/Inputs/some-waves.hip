// Two of eight waves fill the tile of b.
#include "hip/hip_runtime.h"

extern "C" __global__ __launch_bounds__(256) void some_waves(const float *a, const float *b,
                                                             float *c, int k) {
  __shared__ float as[8 * 256], bs[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int s = 0; s < k; s += 8) {
    for (int i = 0; i < 8; ++i)
      as[i * 256 + t] = a[(s + i) * 256 + t];
    if (t < 64)
      bs[t] = b[s * 8 + t];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += as[(i % 8) * 256 + (t ^ 32)] * bs[i];
    __syncthreads();
  }
  c[blockIdx.x * 256 + t] = sum;
}
