//===- kernel2.hip - SGEMM, tiled in LDS ----------------------------------===//
//
// C = alpha * A * B + beta * C, N x N, row-major, N a multiple of 32. A workgroup of 32 x 32
// threads computes a 32 x 32 tile and reads A and B once per tile, row by row (coalesced).
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Tile = 32;

KERNEL void WORKGROUP(1024)
    sgemm_kernel2(const float *A, const float *B, float *C, int N, float alpha, float beta) {
  LDS float As[Tile][Tile];
  LDS float Bs[Tile][Tile];
  unsigned x = threadX(), y = threadY(), n = N;
  unsigned row = groupY() * Tile + y;
  unsigned column = groupX() * Tile + x;
  float sum = 0;
  for (unsigned k = 0; k < n; k += Tile) {
    As[y][x] = A[row * n + k + x];
    Bs[y][x] = B[(k + y) * n + column];
    barrier();
    for (unsigned i = 0; i < Tile; ++i)
      sum += As[y][i] * Bs[i][x];
    barrier();
  }
  C[row * n + column] = alpha * sum + beta * C[row * n + column];
}
