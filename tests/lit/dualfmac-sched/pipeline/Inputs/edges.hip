#include <hip/hip_runtime.h>

// Tiles at the edges of matrices, and what stands around them in programs.

// Rows that lanes may not have, one guard in another; sums in memory by atomics.
extern "C" __global__ void __launch_bounds__(256)
    rows(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[32][33], bs[32][33];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum[4] = {};
  for (int at = 0; at < k; at += 32) {
#pragma unroll
    for (int i = y; i < 32; i += 8) {
      const int row = blockIdx.y * 32 + i, column = blockIdx.x * 32 + i;
      as[i][x] = row < m && at + x < k ? a[row * k + at + x] : 0.0f;
      bs[i][x] = column < n && at + x < k ? b[column * k + at + x] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      for (int r = 0; r < 4; ++r)
        sum[r] += as[y + 8 * r][i] * bs[x][i];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    if (blockIdx.y * 32 + y + 8 * r < m && blockIdx.x * 32 + x < n)
      atomicAdd(&c[(blockIdx.y * 32 + y + 8 * r) * n + blockIdx.x * 32 + x], sum[r]);
}

// The last tile leaves what was there before, and nobody looks at that.
extern "C" __global__ void __launch_bounds__(64)
    nearest(const float *points, const float *queries, int *which, int n) {
  __shared__ float tile[64];
  const float mine = queries[blockIdx.x * 64 + threadIdx.x];
  float best[2] = {1e30f, 1e30f};
  int at[2] = {-1, -1};
  for (int base = 0; base < n; base += 64) {
    if (base + static_cast<int>(threadIdx.x) < n)
      tile[threadIdx.x] = points[base + threadIdx.x];
    __syncthreads();
    const int count = n - base < 64 ? n - base : 64;
    for (int i = 0; i < count; ++i) {
      const float distance = fabsf(tile[i] - mine);
      if (distance >= best[1])
        continue;
      const bool isFirst = distance < best[0];
      best[1] = isFirst ? best[0] : distance;
      at[1] = isFirst ? at[0] : base + i;
      best[0] = isFirst ? distance : best[0];
      at[0] = isFirst ? base + i : at[0];
    }
    __syncthreads();
  }
  which[blockIdx.x * 128 + 2 * threadIdx.x] = at[0];
  which[blockIdx.x * 128 + 2 * threadIdx.x + 1] = at[1];
}

__constant__ float weights[4] = {0.5f, -0.25f, 2.0f, 1.0f};

// How many steps there are is a quotient of arguments; a table lies in constant memory.
extern "C" __global__ void __launch_bounds__(64)
    grouped(const float *in, float *out, int channels, int groups) {
  __shared__ float tile[64];
  const int of = channels / groups;
  float sum = 0.0f;
  for (int c = 0; c < of; ++c) {
    const int at = (blockIdx.x * of + c) * 64 + threadIdx.x;
    tile[threadIdx.x] = in[at];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      sum += weights[i] * tile[(threadIdx.x + i) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Two loads in one guard, converted.
extern "C" __global__ void __launch_bounds__(64)
    ways(const unsigned short *a, const unsigned short *b, float *out, int n) {
  __shared__ float as[64], bs[64];
  float sum = 0.0f;
  for (int at = 0; at < n; at += 64) {
    const int i = at + threadIdx.x;
    float x = 0.0f, y = 0.0f;
    if (i < n) {
      x = __uint_as_float(static_cast<unsigned>(a[i]) << 16);
      y = __uint_as_float(static_cast<unsigned>(b[i]) << 16);
    }
    as[threadIdx.x] = x;
    bs[threadIdx.x] = y;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += as[j] * bs[(j + threadIdx.x) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A gather behind divisions, guarded by four edges.
extern "C" __global__ void __launch_bounds__(64)
    image(const float *in, const float *filter, float *out, int taps, int width, int channels) {
  __shared__ float tile[2][64];
  const int pixel = blockIdx.x * 64 + threadIdx.x;
  const bool isValid = pixel < width * width;
  const int total = channels * taps * taps;
  const int y0 = pixel / width - taps / 2, x0 = pixel % width - taps / 2;
  float sum = 0.0f;
  for (int e0 = 0; e0 < total; e0 += 2) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int e = e0 + i;
      const int c = e / (taps * taps), tap = e % (taps * taps);
      const int y = y0 + tap / taps, x = x0 + tap % taps;
      float v = 0.0f;
      if (isValid && e < total && y >= 0 && y < width && x >= 0 && x < width)
        v = in[(c * width + y) * width + x];
      tile[i][threadIdx.x] = v;
    }
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      sum += tile[i][threadIdx.x ^ 1] * filter[e0 + i];
    __syncthreads();
  }
  if (isValid)
    out[pixel] = sum;
}
