#include <hip/hip_runtime.h>

// Tiles that are whole are loaded in another way than those at edges.

// Four at a time, turned; at an edge one by one, by other work-items.
extern "C" __global__ void __launch_bounds__(64)
    turned(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8][36];
  __shared__ __attribute__((aligned(16))) float bs[8][32];
  const int t = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  const bool isInside = row + 32 <= m && column + 32 <= n && k % 4 == 0 && n % 4 == 0;
  float sum[4][4] = {};
  for (int at = 0; at < k; at += 8) {
    if (isInside && at + 8 <= k) {
      const float4 v = *reinterpret_cast<const float4 *>(&a[(row + t / 2) * k + at + t % 2 * 4]);
      as[t % 2 * 4][t / 2] = v.x;
      as[t % 2 * 4 + 1][t / 2] = v.y;
      as[t % 2 * 4 + 2][t / 2] = v.z;
      as[t % 2 * 4 + 3][t / 2] = v.w;
      *reinterpret_cast<float4 *>(&bs[t / 8][t % 8 * 4]) =
          *reinterpret_cast<const float4 *>(&b[(at + t / 8) * n + column + t % 8 * 4]);
    } else {
      for (int i = t; i < 256; i += 64) {
        as[i % 8][i / 8] =
            row + i / 8 < m && at + i % 8 < k ? a[(row + i / 8) * k + at + i % 8] : 0.0f;
        bs[i / 32][i % 32] =
            column + i % 32 < n && at + i / 32 < k ? b[(at + i / 32) * n + column + i % 32] : 0.0f;
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          sum[y][x] += as[i][t / 8 * 4 + y] * bs[i][t % 8 * 4 + x];
    __syncthreads();
  }
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      if (row + t / 8 * 4 + y < m && column + t % 8 * 4 + x < n)
        c[(row + t / 8 * 4 + y) * n + column + t % 8 * 4 + x] = sum[y][x];
}

// Each operand by itself; weights are as long as whole tiles are.
extern "C" __global__ void __launch_bounds__(64)
    apart(const float *x, const float *w, const float *bias, float *y, int n, int hasBias) {
  __shared__ float xs[64], ws[64], bs[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int at = 0; at < n; at += 64) {
    if (at + 64 <= n)
      xs[t] = x[at + t];
    else
      xs[t] = at + t < n ? x[at + t] : 0.0f;
    ws[t] = w[blockIdx.x * 512 + at + t];
    if (hasBias)
      bs[t] = bias[at + t];
    else
      bs[t] = 1.0f;
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += xs[i] * ws[(i + t) % 64] + bs[i];
    sum *= at % 128 == 0 ? 1.25f : 0.5f + at;
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = sum;
}

// How much there is in a tile is another thing where it is not whole.
extern "C" __global__ void __launch_bounds__(64)
    counted(const float *x, const float *points, float *y, unsigned n) {
  __shared__ float xs[64];
  const unsigned t = threadIdx.x;
  const float point = points[blockIdx.x * 64 + t];
  float sum = 0;
  for (unsigned at = 0; at < n; at += 64) {
    unsigned count = n - at;
    if (count >= 64) {
      count = 64;
      xs[t] = x[at + t];
    } else if (t < count) {
      xs[t] = x[at + t] * 2.0f;
    }
    __syncthreads();
    for (unsigned i = 0; i < count; ++i)
      sum += fabsf(xs[i] - point);
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = sum;
}
