//===- int64_arithmetic.hip - functions with 64-bit integers ------------===//
//
// Products, sums with carries and shifts of register pairs.
//
//===----------------------------------------------------------------------===//
#include "function.h"

typedef unsigned long Word;

FUNCTION Word mix(Word x, Word y, unsigned z) {
  x = x * 0x9e3779b97f4a7c15ul + y;
  x ^= x >> 29;
  return (x + z) * (y | 1) + (x << 7);
}

KERNEL void WORKGROUP(64) int64_arithmetic(const unsigned *__restrict__ x,
                                           unsigned *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  Word state = id;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    state = mix(state, state >> 11, x[round * lanes + id]);
  result[id] = static_cast<unsigned>(state);
  result[lanes + id] = static_cast<unsigned>(state >> 32);
}
