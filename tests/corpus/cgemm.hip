//===- cgemm.hip - complex matrix product ---------------------------------===//
//
// C = A * B, complex, row-major, n x n, n a multiple of 32. A workgroup of 64 threads, 8 x 8,
// computes 32 x 32 elements, a lane 4 x 4 of them.
//
//===----------------------------------------------------------------------===//
#include "device.h"

typedef float Complex __attribute__((ext_vector_type(2)));
constexpr unsigned Block = 32, Step = 8, Tile = 4;

KERNEL void WORKGROUP(64) cgemm(const Complex *__restrict__ A, const Complex *__restrict__ B,
                                Complex *__restrict__ C, int n) {
  LDS Complex As[Step][Block];
  LDS Complex Bs[Step][Block];
  unsigned x = threadX() % 8, y = threadX() / 8;
  unsigned row = groupY() * Block, column = groupX() * Block;
  float re[Tile][Tile] = {}, im[Tile][Tile] = {};
#pragma unroll 1
  for (int k = 0; k < n; k += Step) {
    for (unsigned i = 0; i < Tile; ++i) {
      As[x][y + 8 * i] = A[(row + y + 8 * i) * n + k + x];
      Bs[y][x + 8 * i] = B[(k + y) * n + column + x + 8 * i];
    }
    barrier();
#pragma unroll 1
    for (unsigned s = 0; s < Step; ++s) {
      Complex a[Tile], b[Tile];
      for (unsigned i = 0; i < Tile; ++i) {
        a[i] = As[s][y * Tile + i];
        b[i] = Bs[s][x * Tile + i];
      }
      for (unsigned i = 0; i < Tile; ++i)
        for (unsigned j = 0; j < Tile; ++j) {
          re[i][j] += a[i].x * b[j].x;
          re[i][j] -= a[i].y * b[j].y;
          im[i][j] += a[i].x * b[j].y;
          im[i][j] += a[i].y * b[j].x;
        }
    }
    barrier();
  }
  for (unsigned i = 0; i < Tile; ++i)
    for (unsigned j = 0; j < Tile; ++j)
      C[(row + y * Tile + i) * n + column + x * Tile + j] = Complex{re[i][j], im[i][j]};
}
