//===- struct_return.hip - structs by value, in both directions ---------===//
//
// A chain of 2 x 2 matrix products.
//
//===----------------------------------------------------------------------===//
#include "function.h"

struct Matrix {
  float a, b, c, d;
};

FUNCTION Matrix product(Matrix m, Matrix n) {
  return {m.a * n.a + m.b * n.c, m.a * n.b + m.b * n.d, m.c * n.a + m.d * n.c,
          m.c * n.b + m.d * n.d};
}

KERNEL void WORKGROUP(64)
    struct_return(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  Matrix m = {1, 0, 0, 1};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *at = x + round * 4 * lanes + id;
    m = product(m, {at[0], at[lanes], at[2 * lanes], at[3 * lanes]});
  }
  result[id] = m.a;
  result[lanes + id] = m.b;
  result[2 * lanes + id] = m.c;
  result[3 * lanes + id] = m.d;
}
