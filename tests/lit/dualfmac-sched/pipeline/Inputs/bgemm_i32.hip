#include <hip/hip_runtime.h>
// Strided batched integer GEMM: C[b] = A[b] * B[b] (+ C[b] if accumulate). 32x32 tiles, 32x8
// threads, every thread has four rows of the tile, eight apart. Wraps around modulo 2^32.
using i32 = int;
using i64 = long long;

constexpr int T = 32;
constexpr int TY = 8;
constexpr int PER_THREAD = T / TY;

extern "C" __global__ void bgemm_i32(const i32 *a, const i32 *b, i32 *c, int m, int n, int k,
                                     i64 strideA, i64 strideB, i64 strideC, int accumulate) {
  __shared__ i32 ta[T][T];
  __shared__ i32 tb[T][T];

  a += blockIdx.z * strideA;
  b += blockIdx.z * strideB;
  c += blockIdx.z * strideC;

  const int col = blockIdx.x * T + threadIdx.x;
  const int row = blockIdx.y * T + threadIdx.y;

  i32 sum[PER_THREAD] = {0, 0, 0, 0};

  for (int kk = 0; kk < k; kk += T) {
#pragma unroll
    for (int r = 0; r < PER_THREAD; r++) {
      const int y = threadIdx.y + r * TY;
      ta[y][threadIdx.x] = 0;
      tb[y][threadIdx.x] = 0;
      if (row + r * TY < m && kk + (int)threadIdx.x < k)
        ta[y][threadIdx.x] = a[(row + r * TY) * k + kk + threadIdx.x];
      if (kk + y < k && col < n)
        tb[y][threadIdx.x] = b[(kk + y) * n + col];
    }
    __syncthreads();

#pragma unroll 8
    for (int p = 0; p < T; p++) {
      const i32 bv = tb[p][threadIdx.x];
#pragma unroll
      for (int r = 0; r < PER_THREAD; r++)
        sum[r] += ta[threadIdx.y + r * TY][p] * bv;
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < PER_THREAD; r++) {
    if (row + r * TY < m && col < n) {
      i32 *dst = c + (row + r * TY) * n + col;
      *dst = accumulate ? *dst + sum[r] : sum[r];
    }
  }
}
