//===- histogram.hip - integer histogram, no FMA --------------------------===//
//
// 64 bins in LDS with atomic adds; the second loop writes them out and clears nothing else.
//
//===----------------------------------------------------------------------===//
#include "device.h"

constexpr unsigned Bins = 64, Lanes = 64;

KERNEL void WORKGROUP(Lanes)
    histogram(const unsigned *__restrict__ data, unsigned *__restrict__ counts, int perGroup) {
  LDS unsigned bins[Bins];
  unsigned t = threadX();
  bins[t] = 0;
  barrier();
#pragma unroll 1
  for (int k = t; k < perGroup; k += Lanes) {
    unsigned v = data[groupX() * perGroup + k];
    unsigned bin = ((v ^ (v >> 15)) * 0x9E3779B1u) >> 26;
    __atomic_fetch_add(&bins[bin], 1u, __ATOMIC_RELAXED);
  }
  barrier();
  counts[groupX() * Bins + t] = bins[t];
}
