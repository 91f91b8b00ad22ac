//===- sgemm_guarded.hip - SGEMM of any size, A transposed ----------------===//
//
// C = alpha * A^T * B + beta * C, row-major; A is K x M, B is K x N, of any size: what lies outside
// is loaded as 0 and not stored. A thread computes 4 x 4 elements of a 64 x 64 tile; sixteen steps
// are unrolled. The guards change EXEC inside the loop over k, so that no value of the FMA block
// can be moved around that loop.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Step = 16, Tile = 64, Threads = 256;

KERNEL WORKGROUP(Threads) void sgemm_guarded(const float *__restrict A, const float *__restrict B,
                                             float *__restrict C, int m, int n, int depth,
                                             float alpha, float beta) {
  LDS static float As[Step][Tile], Bs[Step][Tile];
  const unsigned x = threadX() % 16, y = threadX() / 16;
  const int row = groupY() * Tile, column = groupX() * Tile;
  float sum[4][4] = {};
  for (int k = 0; k < depth; k += Step) {
    for (unsigned i = threadX(); i < Step * Tile; i += Threads) {
      const int s = i / Tile, at = i % Tile;
      As[s][at] = k + s < depth && row + at < m ? A[(unsigned long)(k + s) * m + row + at] : 0;
      Bs[s][at] =
          k + s < depth && column + at < n ? B[(unsigned long)(k + s) * n + column + at] : 0;
    }
    barrier();
#pragma unroll
    for (unsigned s = 0; s < Step; ++s)
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
#pragma unroll
        for (unsigned j = 0; j < 4; ++j)
          sum[i][j] += As[s][y * 4 + i] * Bs[s][x * 4 + j];
    barrier();
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const int r = row + y * 4 + i, c = column + x * 4 + j;
      if (r < m && c < n)
        C[(unsigned long)r * n + c] =
            alpha * sum[i][j] + (beta != 0 ? beta * C[(unsigned long)r * n + c] : 0);
    }
}
