//===- prefix_sum.hip - integer prefix sum, no FMA ------------------------===//
//
// Inclusive scan of 256 integers per workgroup in LDS, by doubling distances.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Lanes = 256;

KERNEL void WORKGROUP(Lanes) prefix_sum(const int *__restrict__ data, int *__restrict__ sums) {
  LDS int values[Lanes];
  unsigned t = threadX(), id = groupX() * Lanes + t;
  int sum = data[id];
  values[t] = sum;
  barrier();
#pragma unroll 1
  for (unsigned distance = 1; distance < Lanes; distance *= 2) {
    int other = t >= distance ? values[t - distance] : 0;
    barrier();
    sum += other;
    values[t] = sum;
    barrier();
  }
  sums[id] = sum;
}
