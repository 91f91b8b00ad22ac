//===- kernel5.hip - SGEMM, LDS use: the input of the ISA rewriting -------===//
//
// C = alpha * A * B + beta * C, N x N, row-major, N a multiple of 128. A workgroup of 128 threads
// (4 waves) computes a 128 x 128 tile in steps of 8. A wave computes a slab of 32 rows by 128
// columns, a lane 8 x 16 of them: 2 x 4 sub-tiles of 4 x 4. The lanes form a grid 8 wide and 4
// high, so that sub-tiles repeat every 32 columns and every 16 rows.
//
// With RDNA_SPILL the kernel is limited to 168 VGPRs, which the compilers keep by spilling.
//
//===----------------------------------------------------------------------===//
#include "device.h"

#ifdef RDNA_SPILL
#define REGISTERS __attribute__((amdgpu_num_vgpr(168)))
#else
#define REGISTERS
#endif

constexpr unsigned BlockTile = 128, Step = 8;
constexpr unsigned Rows = 8, Columns = 16;         // Of C, per lane.
constexpr unsigned Loads = Step * BlockTile / 128; // Of A and of B, per thread and step.

KERNEL void WORKGROUP(128) REGISTERS
    sgemm_kernel5(const float *A, const float *B, float *C, int N, float alpha, float beta) {
  // Stored transposed, 8 columns of A by 16 rows at a time: the padding of 4 spreads one such store
  // over all LDS banks and keeps every group of 4 rows 16-byte aligned.
  LDS float As[Step][BlockTile + 4];
  LDS float Bs[Step][BlockTile];
  unsigned t = threadX(), n = N;
  unsigned lane = t % 32, wave = t / 32;
  unsigned tileRow = groupY() * BlockTile, tileColumn = groupX() * BlockTile;
  unsigned row = wave * 32 + (lane / 8) * 4;
  unsigned column = (lane % 8) * 4;
  unsigned aRow = t / Step, aColumn = t % Step;

  for (unsigned i = 0; i < Loads; ++i) {
    As[aColumn][aRow + 16 * i] = A[(tileRow + aRow + 16 * i) * n + aColumn];
    Bs[i][t] = B[i * n + tileColumn + t];
  }
  barrier();

  float sum[Rows][Columns] = {};
  for (unsigned k = 0; k < n; k += Step) {
    float nextA[Loads], nextB[Loads];
    // Not k < n - 1: the last step has no successor, and its loads would pass the matrices' ends.
    bool more = k < n - Step;
    if (more)
      for (unsigned i = 0; i < Loads; ++i) {
        nextA[i] = A[(tileRow + aRow + 16 * i) * n + k + Step + aColumn];
        nextB[i] = B[(k + Step + i) * n + tileColumn + t];
      }
    // Rolled: unrolled 8 times, all three compilers run out of registers and spill in this loop.
#pragma unroll 1
    for (unsigned s = 0; s < Step; ++s) {
      float a[Rows], b[Columns];
      for (unsigned i = 0; i < Rows; ++i)
        a[i] = As[s][row + (i / 4) * 16 + i % 4];
      for (unsigned j = 0; j < Columns; ++j)
        b[j] = Bs[s][column + (j / 4) * 32 + j % 4];
      for (unsigned i = 0; i < Rows; ++i)
        for (unsigned j = 0; j < Columns; ++j)
          sum[i][j] += a[i] * b[j];
    }
    barrier();
    if (more)
      for (unsigned i = 0; i < Loads; ++i) {
        As[aColumn][aRow + 16 * i] = nextA[i];
        Bs[i][t] = nextB[i];
      }
    barrier();
  }

  // A pointer per group of four, because an index of its own for each element could wrap around at
  // 2^32 as far as the compiler knows: it would then load and store C one dword at a time.
  for (unsigned i = 0; i < Rows; ++i)
    for (unsigned j = 0; j < Columns; j += 4) {
      unsigned r = tileRow + row + (i / 4) * 16 + i % 4;
      float *c = C + (r * n + tileColumn + column + (j / 4) * 32);
      for (unsigned e = 0; e < 4; ++e)
        c[e] = alpha * sum[i][j + e] + beta * c[e];
    }
}
