//===- Device.h - what the device library's files share -------------------===//
//
// The functions that HIP's headers and clang's code for printf call and that AMD's device library
// has, for gfx1100 and its siblings, waves of 32 lanes. Written from the interface; linked into
// kernels as bitcode (-mlink-builtin-bitcode), where what is not called disappears. Nothing here is
// "used": that would keep it, and every program would carry the whole library.
//
//===----------------------------------------------------------------------===//
#pragma once

#define DEVICE_FUNCTION __attribute__((device))
#define DEVICE_HELPER static inline __attribute__((device, always_inline))

typedef unsigned u32;
typedef unsigned long u64;

/// The arguments behind the explicit ones, as code object 5 and 6 lay them out.
template <class T> DEVICE_HELPER const __attribute__((address_space(4))) T *hiddenArguments() {
  return (const __attribute__((address_space(4))) T *)__builtin_amdgcn_implicitarg_ptr();
}

DEVICE_HELPER u32 laneNumber() { return __builtin_amdgcn_mbcnt_lo(~0u, 0); }
DEVICE_HELPER u32 activeLanes() { return __builtin_amdgcn_ballot_w32(true); }
