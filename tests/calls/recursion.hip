//===- recursion.hip - a function that calls itself ---------------------===//
//
// Hermite polynomials by their recurrence, of degree 0 to 6, different in each lane.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float hermite(float x, int n) {
  if (n < 2)
    return n == 0 ? 1 : 2 * x;
  return 2 * x * hermite(x, n - 1) - 2 * (n - 1) * hermite(x, n - 2);
}

KERNEL void WORKGROUP(64) recursion(const float *__restrict__ x, float *__restrict__ result) {
  unsigned id = workItem();
  result[id] = hermite(x[id], id % 7);
}
