//===- assembly_wait.hip - functions with waits in inline assembly ------===//
//
// One waits for a load that it has made itself in assembly, one for everything.
//
//===----------------------------------------------------------------------===//
#include "function.h"

FUNCTION float fetch(const float *at, float factor) {
  float value;
  asm volatile("global_load_b32 %0, %1, off\n\t"
               "s_waitcnt vmcnt(0)"
               : "=&v"(value)
               : "v"(at)
               : "memory");
  return value * factor + 0.5f * factor;
}

FUNCTION float pause(float a, float b) {
  float s = a * b + a;
  asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)" : "+v"(s));
  return s * b - a;
}

KERNEL void WORKGROUP(64)
    assembly_wait(const float *__restrict__ x, float *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  float sum = 1;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum = pause(fetch(x + round * 2 * lanes + id, sum), x[(round * 2 + 1) * lanes + id]);
  result[id] = sum;
}
