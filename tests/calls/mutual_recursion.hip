//===- mutual_recursion.hip - two functions that call each other --------===//
//
// Up to nine calls deep, different in each lane.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float odd(float x, int n);

FUNCTION float even(float x, int n) {
  if (n == 0)
    return x;
  return odd(x * 0.5f, n - 1) * x + 1;
}

FUNCTION float odd(float x, int n) {
  if (n == 0)
    return -x;
  return even(x + 0.25f, n - 1) * x - 0.5f;
}

KERNEL void WORKGROUP(64)
    mutual_recursion(const float *__restrict__ x, float *__restrict__ result) {
  unsigned id = workItem();
  result[id] = even(x[id], id % 9);
}
