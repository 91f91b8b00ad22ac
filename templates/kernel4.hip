//===- kernel4.hip - SGEMM, global loads ahead of the computation ---------===//
//
// Kernel 3 with a double buffer in registers: the next step's parts of A and B are loaded into
// VGPRs while this step is computed from LDS, and stored to LDS after the barrier.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned BlockTile = 128, Step = 8;

KERNEL void WORKGROUP(256)
    sgemm_kernel4(const float *A, const float *B, float *C, int N, float alpha, float beta) {
  LDS float As[Step][BlockTile];
  LDS float Bs[Step][BlockTile];
  unsigned t = threadX(), n = N;
  unsigned lane = t % 32, wave = t / 32;
  unsigned tileRow = groupY() * BlockTile, tileColumn = groupX() * BlockTile;
  unsigned row = (wave / 2) * 32 + (lane / 8) * 4;
  unsigned column = (wave % 2) * 64 + (lane % 8) * 4;
  unsigned aRow = t / Step, aColumn = t % Step;
  unsigned bRow = t / BlockTile, bColumn = t % BlockTile;

  for (unsigned i = 0; i < 4; ++i) {
    As[aColumn][aRow + 32 * i] = A[(tileRow + aRow + 32 * i) * n + aColumn];
    Bs[bRow + 2 * i][bColumn] = B[(bRow + 2 * i) * n + tileColumn + bColumn];
  }
  barrier();

  float sum[8][8] = {};
  for (unsigned k = 0; k < n; k += Step) {
    float nextA[4], nextB[4];
    // Not k < n - 1: the last step has no successor, and its loads would pass the matrices' ends.
    bool more = k < n - Step;
    if (more)
      for (unsigned i = 0; i < 4; ++i) {
        nextA[i] = A[(tileRow + aRow + 32 * i) * n + k + Step + aColumn];
        nextB[i] = B[(k + Step + bRow + 2 * i) * n + tileColumn + bColumn];
      }
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
    if (more)
      for (unsigned i = 0; i < 4; ++i) {
        As[aColumn][aRow + 32 * i] = nextA[i];
        Bs[bRow + 2 * i][bColumn] = nextB[i];
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
