//===- callee_atomics.hip - atomics within callees ----------------------===//
//
// A histogram in LDS, added to one in memory; both with and without the returned value.
//
//===----------------------------------------------------------------------===//
#include "function.h"

LDS unsigned bins[16];

FUNCTION unsigned count(unsigned value) {
  unsigned bin = (value * 9 + (value >> 16)) % 16;
  return __hip_atomic_fetch_add(&bins[bin], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

FUNCTION void add(unsigned *to, unsigned value) {
  __hip_atomic_fetch_add(to, value * 3 + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

KERNEL void WORKGROUP(64) callee_atomics(const unsigned *__restrict__ x,
                                         unsigned *__restrict__ result, int rounds, int lanes) {
  unsigned id = workItem();
  unsigned lane = threadX(), largest = 0;
  if (lane < 16)
    bins[lane] = 0;
  barrier();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    unsigned before = count(x[round * lanes + id]);
    largest = before > largest ? before : largest;
  }
  barrier();
  if (lane < 16)
    add(result + lane, bins[lane]);
  // Which lane came last is not determined, but it has counted all but itself.
  if (largest >= 64u * rounds)
    add(result + 16, largest);
}
