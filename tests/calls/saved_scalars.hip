//===- saved_scalars.hip - SGPRs that are live over calls ---------------===//
//
// Uniform values and a loop counter in SGPRs, which the function keeps in the lanes of a VGPR.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION unsigned scramble(unsigned x, unsigned y) {
  x = x * 5 + y;
  x ^= x >> 13;
  return x * 9 + (y << 3);
}

INLINE unsigned uniform(unsigned x) { return __builtin_amdgcn_readfirstlane(x); }

FUNCTION unsigned middle(unsigned x, unsigned p, unsigned q, unsigned r, unsigned s) {
  unsigned a = uniform(p), b = uniform(q), c = uniform(r), d = uniform(s);
#pragma unroll 1
  for (unsigned i = 0; i < (a & 7) + 1; ++i) {
    x = scramble(x ^ b, a + i * c);
    x = scramble(x + d, b);
  }
  return x * a + b * c + d;
}

KERNEL void WORKGROUP(64)
    saved_scalars(const unsigned *__restrict__ x, unsigned *__restrict__ result, int rounds) {
  unsigned id = workItem();
  unsigned sum = id;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const unsigned *at = x + 4 * round;
    sum += middle(sum, at[0], at[1], at[2], at[3]);
  }
  result[id] = sum;
}
