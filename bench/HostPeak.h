//===- HostPeak.h - what the host could do at most ------------------------===//
#pragma once

namespace rdna::bench {

/// FP32 FMA rate of one core in GFLOP/s with the widest vectors that it has, measured now: the
/// fastest of a few tries of independent FMAs in registers.
double hostPeakGflops();

} // namespace rdna::bench
