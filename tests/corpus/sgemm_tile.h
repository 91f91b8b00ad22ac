//===- sgemm_tile.h - SGEMM with a register tile of any shape -------------===//
//
// C = alpha * A * B + beta * C, row-major; A is M x K, B is K x N; M a multiple of 8 * Rows, N of
// 8 * Columns, K of 8. A workgroup of 64 threads, 8 x 8, computes a tile of 8 * Rows by 8 * Columns
// from LDS; a thread computes Rows x Columns neighbouring elements. The loop over k stays rolled:
// it is the FMA loop that the corpus is about.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "device.h"

constexpr unsigned Threads = 8, Step = 8;

template <unsigned Rows, unsigned Columns>
INLINE void sgemmTile(const float *A, const float *B, float *C, unsigned n, unsigned depth,
                      float alpha, float beta, float (*As)[Threads * Rows],
                      float (*Bs)[Threads * Columns]) {
  unsigned x = threadX() % Threads, y = threadX() / Threads;
  const float *a = A + groupY() * Threads * Rows * depth;
  const float *b = B + groupX() * Threads * Columns;

  float sum[Rows][Columns] = {};
#pragma unroll 1
  for (unsigned k = 0; k < depth; k += Step) {
    for (unsigned i = 0; i < Rows; ++i)
      As[x][y + Threads * i] = a[(y + Threads * i) * depth + k + x];
    for (unsigned j = 0; j < Columns; ++j)
      Bs[y][x + Threads * j] = b[(k + y) * n + x + Threads * j];
    barrier();
#pragma unroll 1
    for (unsigned s = 0; s < Step; ++s) {
      float left[Rows], right[Columns];
      for (unsigned i = 0; i < Rows; ++i)
        left[i] = As[s][y * Rows + i];
      for (unsigned j = 0; j < Columns; ++j)
        right[j] = Bs[s][x * Columns + j];
      for (unsigned i = 0; i < Rows; ++i)
        for (unsigned j = 0; j < Columns; ++j)
          sum[i][j] += left[i] * right[j];
    }
    barrier();
  }

  for (unsigned i = 0; i < Rows; ++i)
    for (unsigned j = 0; j < Columns; ++j) {
      unsigned row = (groupY() * Threads + y) * Rows + i;
      unsigned column = (groupX() * Threads + x) * Columns + j;
      C[row * n + column] = alpha * sum[i][j] + beta * C[row * n + column];
    }
}

// The kernel itself. LDS variables belong to a kernel, hence a macro around the function.
#define SGEMM_TILE(name, rows, columns, attributes)                                                \
  KERNEL void WORKGROUP(64) attributes name(const float *A, const float *B, float *C, int n,       \
                                            int depth, float alpha, float beta) {                  \
    LDS float As[Step][Threads * rows];                                                            \
    LDS float Bs[Step][Threads * columns];                                                         \
    sgemmTile<rows, columns>(A, B, C, n, depth, alpha, beta, As, Bs);                              \
  }
