//===- double_arithmetic.hip - functions with double-precision arithmetic -===//
//
// Pairs of registers for arguments and results.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION double horner(double x, double a, double b) {
  double s = (a * x + b) * x - a;
  return (s * x + a * b) * 0.5 + x;
}

KERNEL void WORKGROUP(64) double_arithmetic(const double *__restrict__ x,
                                            double *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  double sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum = sum * 0.5 + horner(x[round * 2 * lanes + id], x[(round * 2 + 1) * lanes + id], sum);
  result[id] = sum;
}
