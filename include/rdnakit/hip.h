//===- hip.h - HIP kernels without ROCm ------------------------------------===//
//
// Makes ordinary HIP kernels compile to linkable assembly for RDNA3 with clang alone:
//
//   clang++ -x hip --cuda-device-only --offload-arch=gfx1100 -nogpulib -nogpuinc -O3
//           -I<prefix>/include/rdnakit/compat -S kernel.hip -o kernel.s
//
// where kernel.hip has #include <hip/hip_runtime.h>, which the folder compat forwards to here
// (or -I<prefix>/include and #include <rdnakit/hip.h>). Clang 16 and later; waves of 32 lanes.
// What is declared is meant to be what HIP's own header declares; printf and assert are missing.
// How exact the functions of math/ are is said there. docs/howto-hip.md shows the whole way.
//
//===----------------------------------------------------------------------===//
#pragma once
#pragma clang system_header

#include "hip/atomics.h"
#include "hip/bits.h"
#include "hip/coordinates.h"
#include "hip/host.h"
#include "hip/math.h"
#include "hip/qualifiers.h"
#include "hip/sync.h"
#include "hip/vectors.h"
#include "hip/wave.h"
