//===- empty_function.hip - a function without any code of its own ------===//
//
// It is called between the updates of sums.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION void nothing() { asm volatile(""); }

KERNEL void WORKGROUP(64)
    empty_function(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum[4] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float v = x[round * lanes + id];
    sum[0] += v * v;
    sum[1] += v * sum[0];
    nothing();
    sum[2] += v * sum[1];
    sum[3] += sum[2] * sum[0];
  }
  for (unsigned i = 0; i < 4; ++i)
    result[i * lanes + id] = sum[i];
}
