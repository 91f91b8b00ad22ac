//===- device.h - what a HIP kernel needs, without a HIP header -----------===//
//
// HIP's own headers turn threadIdx, blockIdx and __syncthreads into calls of device-library
// functions. Compiled without that library (-nogpulib) they stay real calls: the code cannot be
// linked, and every register is caller-saved around them, so that a kernel spills for no reason of
// its own. Clang's builtins and attributes cost nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#define DEVICE __attribute__((device))
#define KERNEL extern "C" __attribute__((global))
#define LDS __attribute__((shared)) __attribute__((aligned(16)))

// The largest workgroup the kernel is launched with. Without it clang assumes 1024 work-items and
// limits every kernel to 96 VGPRs, which makes a register-tiled kernel spill 200 times.
#define WORKGROUP(size) __attribute__((amdgpu_flat_work_group_size(1, size)))

#define INLINE DEVICE inline __attribute__((always_inline))

INLINE unsigned threadX() { return __builtin_amdgcn_workitem_id_x(); }
INLINE unsigned threadY() { return __builtin_amdgcn_workitem_id_y(); }
INLINE unsigned groupX() { return __builtin_amdgcn_workgroup_id_x(); }
INLINE unsigned groupY() { return __builtin_amdgcn_workgroup_id_y(); }

// Waits for every wave of the workgroup and makes their LDS and global writes visible.
INLINE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
