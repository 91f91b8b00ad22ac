//===- sgemm_double_buffered.hip - SGEMM of any size, two tiles in LDS ----===//
//
// C = alpha * A * B + beta * C, row-major, of any size. While a thread computes its 4 x 4 elements
// of a 64 x 64 tile from one half of LDS, the loads of the next sixteen steps are in flight in
// registers. Addresses are clamped and what lies outside is replaced by 0, so that EXEC is the same
// throughout the loop over k. Its FMA block is followed by stores that the next block waits for,
// and it stands between blocks that use the same values.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr int Step = 16, Tile = 64, Threads = 256, Each = Tile * Step / Threads;

DEVICE int smaller(int a, int b) { return a < b ? a : b; }

struct Problem {
  const float *A, *B;
  int m, n, depth, row, column;
};

DEVICE void load(const Problem &p, int k, float (&a)[Each], float (&b)[Each]) {
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    const int e = threadX() + i * Threads;
    const int row = p.row + e / Step, ka = k + e % Step;
    const int column = p.column + e % Tile, kb = k + e / Tile;
    const float ofA = p.A[(long)smaller(row, p.m - 1) * p.depth + smaller(ka, p.depth - 1)];
    const float ofB = p.B[(long)smaller(kb, p.depth - 1) * p.n + smaller(column, p.n - 1)];
    a[i] = row < p.m && ka < p.depth ? ofA : 0;
    b[i] = column < p.n && kb < p.depth ? ofB : 0;
  }
}

DEVICE void store(const float (&a)[Each], const float (&b)[Each], float (&As)[Step][Tile + 4],
                  float (&Bs)[Step][Tile + 4]) {
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    const int e = threadX() + i * Threads;
    As[e % Step][e / Step] = a[i];
    Bs[e / Tile][e % Tile] = b[i];
  }
}

KERNEL WORKGROUP(Threads) void sgemm_double_buffered(const float *__restrict A,
                                                     const float *__restrict B, float *__restrict C,
                                                     int m, int n, int depth, float alpha,
                                                     float beta) {
  LDS static float As[2][Step][Tile + 4], Bs[2][Step][Tile + 4];
  const int x = threadX() % 16, y = threadX() / 16;
  const Problem p = {A, B, m, n, depth, (int)groupY() * Tile, (int)groupX() * Tile};
  float sum[4][4] = {}, a[Each], b[Each];
  load(p, 0, a, b);
  store(a, b, As[0], Bs[0]);
  barrier();
  int half = 0;
  for (int k = 0; k < depth; k += Step) {
    if (k + Step < depth)
      load(p, k + Step, a, b);
#pragma unroll
    for (int s = 0; s < Step; ++s)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += As[half][s][y * 4 + i] * Bs[half][s][x * 4 + j];
    if (k + Step < depth)
      store(a, b, As[half ^ 1], Bs[half ^ 1]);
    barrier();
    half ^= 1;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = p.row + y * 4 + i, column = p.column + x * 4 + j;
      if (row < m && column < n)
        C[(long)row * n + column] = alpha * sum[i][j] + beta * C[(long)row * n + column];
    }
}
