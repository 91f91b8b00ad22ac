//===- steps.h - what the kernels with steps of LDS loads share -----------===//
//
// Each kernel fills LDS from `in`, and computes `rounds` times in steps that load from LDS and
// multiply. How the loads look and what stands between them is what the files differ in.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "device.h"

constexpr unsigned Lanes = 64, Words = 4096;

typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float3 __attribute__((ext_vector_type(3)));
typedef float float4 __attribute__((ext_vector_type(4)));

INLINE void fill(float *lds, const float *in) {
#pragma unroll 4
  for (unsigned i = threadX(); i < Words; i += Lanes)
    lds[i] = in[groupX() * Words + i];
  barrier();
}

template <unsigned Count> INLINE void drain(float *out, const float (&sum)[Count]) {
  for (unsigned i = 0; i < Count; ++i)
    out[(groupX() * Count + i) * Lanes + threadX()] = sum[i];
}

// The head of a kernel; its LDS variable belongs to it.
#define STEPS(name)                                                                                \
  KERNEL void WORKGROUP(64) name(const float *__restrict__ in, float *__restrict__ out, int rounds)
