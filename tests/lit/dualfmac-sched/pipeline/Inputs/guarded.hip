// A tile of each matrix in LDS, zero outside of them; 16 x 16 work-items with four products each.
#include "hip/hip_runtime.h"

extern "C" __global__ void guarded(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][33], bs[16][33];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  float sum[2][2] = {};
  for (int t = 0; t < k; t += 16) {
    for (int i = 0; i < 2; ++i) {
      const int r = row + 16 * i, q = column + 16 * i;
      as[x][y + 16 * i] = r < m && t + x < k ? a[r * k + t + x] : 0.0f;
      bs[y][x + 16 * i] = q < n && t + y < k ? b[(t + y) * n + q] : 0.0f;
    }
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      for (int i = 0; i < 4; ++i)
        sum[i / 2][i % 2] += as[j][y + 16 * (i / 2)] * bs[j][x + 16 * (i % 2)];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int r = row + 16 * (i / 2), q = column + 16 * (i % 2);
    if (r < m && q < n)
      c[r * n + q] = sum[i / 2][i % 2];
  }
}
