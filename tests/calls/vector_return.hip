//===- vector_return.hip - vectors by value, in both directions ---------===//
//
// Four floats in one load, one argument and one result.
//
//===----------------------------------------------------------------------===//
#include "function.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

FUNCTION Float4 step(float a, Float4 x, Float4 y) { return a * x + y * y.wzyx; }

KERNEL void WORKGROUP(64) vector_return(const Float4 *__restrict__ x, Float4 *__restrict__ result,
                                        int rounds, int lanes) {
  unsigned id = workItem();
  Float4 sum = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    Float4 v = x[round * lanes + id];
    sum = step(v.x, sum, v);
  }
  result[id] = sum;
}
