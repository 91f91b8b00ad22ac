//===- sgemm.hip - C = alpha A B + beta C in ordinary HIP ------------------===//
//
// N x N, row-major, N a multiple of 64. A block of 64 threads computes a tile of 64 x 64, a thread
// 8 x 8 of it. docs/howto-hip.md takes this file through the tools.
//
//===----------------------------------------------------------------------===//
#include <hip/hip_runtime.h>

constexpr int Tile = 64, Depth = 8, Each = 8;

extern "C" __global__ void __launch_bounds__(64)
    sgemm(const float *A, const float *B, float *C, int N, float alpha, float beta) {
  __shared__ float rows[Depth][Tile], columns[Depth][Tile];
  const int t = threadIdx.x, row = t / 8 * Each, column = t % 8 * Each;
  A += blockIdx.y * Tile * N;
  B += blockIdx.x * Tile;
  C += blockIdx.y * Tile * N + blockIdx.x * Tile;
  float sums[Each][Each] = {};
  for (int k = 0; k < N; k += Depth) {
    for (int i = 0; i < Depth; i += 4) {
      const float4 a = *reinterpret_cast<const float4 *>(&A[t * N + k + i]);
      rows[i][t] = a.x;
      rows[i + 1][t] = a.y;
      rows[i + 2][t] = a.z;
      rows[i + 3][t] = a.w;
    }
    for (int i = 0; i < Depth; i += 4)
      *reinterpret_cast<float4 *>(&columns[i + t / 16][t % 16 * 4]) =
          *reinterpret_cast<const float4 *>(&B[(k + i + t / 16) * N + t % 16 * 4]);
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < Depth; ++i)
      for (int y = 0; y < Each; ++y)
        for (int x = 0; x < Each; ++x)
          sums[y][x] = fmaf(rows[i][row + y], columns[i][column + x], sums[y][x]);
    __syncthreads();
  }
  for (int y = 0; y < Each; ++y)
    for (int x = 0; x < Each; ++x) {
      float &c = C[(row + y) * N + column + x];
      c = alpha * sums[y][x] + beta * c;
    }
}
