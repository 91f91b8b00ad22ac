//===- jacobi.hip - Jacobi iteration in LDS -------------------------------===//
//
// Sweeps of a five-point stencil over a 34 x 34 patch whose border is fixed; 64 threads, 4 x 4
// points each.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Side = 34, Points = 4;

KERNEL void WORKGROUP(64) jacobi(const float *__restrict__ start, float *__restrict__ result,
                                 int sweeps, float centre, float side) {
  LDS float grid[Side][Side];
  unsigned t = threadX(), patch = groupX() * Side * Side;
  unsigned x = 1 + (t % 8) * Points, y = 1 + (t / 8) * Points;
  for (unsigned i = t; i < Side * Side; i += 64)
    grid[i / Side][i % Side] = start[patch + i];
  barrier();
#pragma unroll 1
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    float next[Points][Points];
    for (unsigned i = 0; i < Points; ++i)
      for (unsigned j = 0; j < Points; ++j) {
        float sum = grid[y + i - 1][x + j] + grid[y + i + 1][x + j];
        sum += grid[y + i][x + j - 1] + grid[y + i][x + j + 1];
        next[i][j] = centre * grid[y + i][x + j] + side * sum;
      }
    barrier();
    for (unsigned i = 0; i < Points; ++i)
      for (unsigned j = 0; j < Points; ++j)
        grid[y + i][x + j] = next[i][j];
    barrier();
  }
  for (unsigned i = t; i < Side * Side; i += 64)
    result[patch + i] = grid[i / Side][i % Side];
}
