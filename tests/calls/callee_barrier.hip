//===- callee_barrier.hip - barriers within a callee --------------------===//
//
// A sum over the workgroup; the function waits for the other wave in every step.
//
//===----------------------------------------------------------------------===//
#include "function.h"

LDS float sums[64];

FUNCTION float total(float value, unsigned lane) {
  sums[lane] = value * value + 0.25f * value;
  barrier();
#pragma unroll 1
  for (unsigned width = 32; width > 0; width /= 2) {
    if (lane < width)
      sums[lane] += sums[lane + width];
    barrier();
  }
  float result = sums[0];
  barrier();
  return result;
}

KERNEL void WORKGROUP(64)
    callee_barrier(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  unsigned lane = threadX();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = x[round * lanes + id];
    sum += v * total(v, lane);
  }
  result[id] = sum;
}
