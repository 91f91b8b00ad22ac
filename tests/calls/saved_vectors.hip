//===- saved_vectors.hip - VGPRs that are live over calls ---------------===//
//
// The middle function calls twice and needs its own values behind both calls.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float leaf(float x, float y) {
  float s = x * y + x;
  return s * y - x * s;
}

FUNCTION float middle(float a, float b, float c, float d, float e, float f) {
  float p = a * b + c, q = c * d + e, r = e * f + a, s = b * e + d;
  float u = leaf(p, q);
  float v = leaf(r, s);
  return (p * u + q * v) + (r * u + s * v) + (a * f + b * d);
}

KERNEL void WORKGROUP(64)
    saved_vectors(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const float *at = x + round * 6 * lanes + id;
    sum = sum * 0.5f +
          middle(at[0], at[lanes], at[2 * lanes], at[3 * lanes], at[4 * lanes], at[5 * lanes]);
  }
  result[id] = sum;
}
