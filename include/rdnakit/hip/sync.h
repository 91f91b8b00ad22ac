//===- sync.h - barriers and fences ----------------------------------------===//
//
// The scopes are HIP's: a block is a workgroup, a grid runs on an agent.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "wave.h"

inline namespace rdnakit_device {

RDNAKIT_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
RDNAKIT_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
RDNAKIT_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

/// Every wave of the block has come here, and sees what the others wrote before.
RDNAKIT_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// The lanes of a wave run together; this only keeps their accesses in order.
RDNAKIT_DEVICE void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/// In how many threads of the block the predicate holds.
RDNAKIT_DEVICE int __syncthreads_count(int predicate) {
  __shared__ unsigned total;
  const bool first = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
  __syncthreads();
  if (first)
    total = 0;
  __syncthreads();
  if (predicate)
    __hip_atomic_fetch_add(&total, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  return static_cast<int>(total);
}
RDNAKIT_DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
RDNAKIT_DEVICE int __syncthreads_and(int predicate) {
  return __syncthreads_count(predicate == 0) == 0;
}

} // namespace rdnakit_device
