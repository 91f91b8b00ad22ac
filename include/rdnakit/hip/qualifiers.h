//===- qualifiers.h - __global__ and its kin -------------------------------===//
//
// HIP's keywords are macros for Clang's attributes.
//
//===----------------------------------------------------------------------===//
#pragma once

#if !defined(__HIP__) || !defined(__clang__)
#error "rdnakit/hip.h is for Clang's HIP language: clang -x hip"
#endif
#if defined(__AMDGCN_WAVEFRONT_SIZE__) && __AMDGCN_WAVEFRONT_SIZE__ != 32
#error "rdnakit/hip.h is for waves of 32 lanes: compile without -mwavefrontsize64"
#endif

#ifndef __host__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#endif
#ifndef __managed__
#define __managed__ __attribute__((managed))
#endif
// __noinline__ is a keyword of Clang's.
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif
// __launch_bounds__(threads) or (threads, waves per SIMD), as hipcc reads it.
#ifndef __launch_bounds__
#define RDNAKIT_LAUNCH_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define RDNAKIT_LAUNCH_BOUNDS_2(threads, waves)                                                    \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define RDNAKIT_LAUNCH_BOUNDS_OF(a, b, name, ...) name
#define __launch_bounds__(...)                                                                     \
  RDNAKIT_LAUNCH_BOUNDS_OF(__VA_ARGS__, RDNAKIT_LAUNCH_BOUNDS_2, RDNAKIT_LAUNCH_BOUNDS_1)          \
  (__VA_ARGS__)
#endif

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// What this header itself defines. Calls would cost a kernel its registers, so all is inlined.
#define RDNAKIT_DEVICE static inline __device__ __attribute__((always_inline))
#define RDNAKIT_BOTH static inline constexpr __host__ __device__ __attribute__((always_inline))
