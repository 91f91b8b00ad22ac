//===- inline_assembly.hip - inline assembly in the loop ------------------===//
//
// One of the products of each round is written in assembly, with side effects as far as the
// compiler knows.
//
//===----------------------------------------------------------------------===//
#include "device.h"

KERNEL void WORKGROUP(64) inline_assembly(const float *__restrict__ x, const float *__restrict__ y,
                                          float *__restrict__ result, int rounds, int lanes) {
  unsigned id = groupX() * 64 + threadX();
  float sum[6] = {};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    float a = x[round * lanes + id], b = y[round * lanes + id];
    for (unsigned i = 0; i < 4; ++i)
      sum[i] += a * y[(round + i + 1) * lanes + id];
    asm volatile("v_fmac_f32 %0, %1, %2" : "+v"(sum[4]) : "v"(a), "v"(b));
    asm volatile("v_fma_f32 %0, %1, %1, %0" : "+v"(sum[5]) : "v"(b));
  }
  for (unsigned i = 0; i < 6; ++i)
    result[i * lanes + id] = sum[i];
}
