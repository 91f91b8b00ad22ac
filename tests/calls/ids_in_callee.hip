//===- ids_in_callee.hip - functions that ask for the ids of lane and workgroup -===//
//
// The ids are passed along in registers of their own.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float at(const float *x, int row, int lanes) {
  return x[row * lanes + groupX() * 64 + threadX()] * 0.5f + 0.25f;
}

FUNCTION float both(const float *x, int row, int lanes) {
  return at(x, row, lanes) * at(x, row + 1, lanes) + threadX() * 0.015625f;
}

KERNEL void WORKGROUP(64)
    ids_in_callee(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum += both(x, round, lanes);
  result[workItem()] = sum;
}
