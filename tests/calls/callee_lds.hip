//===- callee_lds.hip - callees that load and store LDS -----------------===//
//
// One function stores a row, the other reads it crosswise.
//
//===----------------------------------------------------------------------===//
#include "function.h"

LDS float rows[8][64];

FUNCTION void put(unsigned row, unsigned lane, float a, float b) {
  rows[row][lane] = a * b + 0.5f;
  rows[row + 1][lane] = a - b * b;
}

FUNCTION float get(unsigned row, unsigned lane) {
  float a = rows[row][lane], b = rows[row + 1][lane];
  return a * b + a;
}

KERNEL void WORKGROUP(64)
    callee_lds(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  unsigned lane = threadX();
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    unsigned row = round % 4 * 2;
    put(row, lane, x[round * 2 * lanes + id], x[(round * 2 + 1) * lanes + id]);
    barrier();
    sum = sum * 0.5f + get(row, (lane * 5 + 1) % 64);
    barrier();
  }
  result[id] = sum;
}
