//===- kernel3.hip - SGEMM, tiled in registers ----------------------------===//
//
// C = alpha * A * B + beta * C, N x N, row-major, N a multiple of 128. A workgroup of 256 threads
// (8 waves, 2 across and 4 down) computes a 128 x 128 tile in steps of 8. A wave computes 32 rows
// by 64 columns, a lane 8 x 8 of them: 2 x 2 sub-tiles of 4 x 4, the lanes 8 wide and 4 high.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned BlockTile = 128, Step = 8;

KERNEL void WORKGROUP(256)
    sgemm_kernel3(const float *A, const float *B, float *C, int N, float alpha, float beta) {
  LDS float As[Step][BlockTile]; // Transposed: a lane then reads 4 rows of A in one instruction.
  LDS float Bs[Step][BlockTile];
  unsigned t = threadX(), n = N;
  unsigned lane = t % 32, wave = t / 32;
  unsigned tileRow = groupY() * BlockTile, tileColumn = groupX() * BlockTile;
  unsigned row = (wave / 2) * 32 + (lane / 8) * 4;
  unsigned column = (wave % 2) * 64 + (lane % 8) * 4;
  unsigned aRow = t / Step, aColumn = t % Step;
  unsigned bRow = t / BlockTile, bColumn = t % BlockTile;

  float sum[8][8] = {};
  for (unsigned k = 0; k < n; k += Step) {
    for (unsigned i = 0; i < 4; ++i) {
      As[aColumn][aRow + 32 * i] = A[(tileRow + aRow + 32 * i) * n + k + aColumn];
      Bs[bRow + 2 * i][bColumn] = B[(k + bRow + 2 * i) * n + tileColumn + bColumn];
    }
    barrier();
#pragma unroll 1
    for (unsigned s = 0; s < Step; ++s) {
      float a[8], b[8];
      for (unsigned i = 0; i < 8; ++i) {
        a[i] = As[s][row + (i / 4) * 16 + i % 4];
        b[i] = Bs[s][column + (i / 4) * 32 + i % 4];
      }
      for (unsigned i = 0; i < 8; ++i)
        for (unsigned j = 0; j < 8; ++j)
          sum[i][j] += a[i] * b[j];
    }
    barrier();
  }

  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < 8; j += 4) {
      unsigned r = tileRow + row + (i / 4) * 16 + i % 4;
      float *c = C + (r * n + tileColumn + column + (j / 4) * 32);
      for (unsigned e = 0; e < 4; ++e)
        c[e] = alpha * sum[i][j + e] + beta * c[e];
    }
}
