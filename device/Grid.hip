//===- Grid.hip - cooperative groups of a grid ----------------------------===//
//
// What cooperative_groups calls for this_grid(), and for this_multi_grid(), of which every group
// carries the code: launches on several devices are not offered.
//
//===----------------------------------------------------------------------===//
#include "Device.h"

namespace {

/// Where the runtime puts it for a cooperative launch, in the layout of AMD's library up to ROCm 6.
struct GridSync {
  u64 otherDevices;
  u32 gridNumber, grids;
  u64 workItemsBefore, workItems;
  u32 arrived; ///< Workgroups in the low half; the high half changes with every round.
  u32 unused;
  u32 workgroups;
};

using SyncPointer = __attribute__((address_space(1))) GridSync *;

constexpr int syncArgument = 88 / 8; // Of code object 5 and 6.

DEVICE_HELPER SyncPointer gridSync() { return (SyncPointer)hiddenArguments<u64>()[syncArgument]; }

/// The last one to arrive clears the low half and adds 1 to the high one, for which the others wait.
DEVICE_HELPER void arriveAndWait(SyncPointer sync) {
  constexpr u32 high = 0xffff0000;
  const u32 before = __hip_atomic_fetch_add(&sync->arrived, 1, __ATOMIC_RELAXED,
                                            __HIP_MEMORY_SCOPE_AGENT);
  if ((before & ~high) == sync->workgroups - 1) {
    __hip_atomic_fetch_add(&sync->arrived, 0x10000 - sync->workgroups, __ATOMIC_RELAXED,
                           __HIP_MEMORY_SCOPE_AGENT);
    return;
  }
  while ((__hip_atomic_load(&sync->arrived, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) & high) ==
         (before & high))
    __builtin_amdgcn_s_sleep(1);
}

} // namespace

extern "C" {

DEVICE_FUNCTION int __ockl_grid_is_valid(void) { return gridSync() != nullptr; }

DEVICE_FUNCTION void __ockl_grid_sync(void) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  __builtin_amdgcn_s_barrier();
  if (__ockl_get_local_linear_id() == 0)
    arriveAndWait(gridSync());
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}

DEVICE_FUNCTION int __ockl_multi_grid_is_valid(void) { return 0; }
DEVICE_FUNCTION u32 __ockl_multi_grid_num_grids(void) { return 1; }
DEVICE_FUNCTION u32 __ockl_multi_grid_grid_rank(void) { return 0; }
DEVICE_FUNCTION u32 __ockl_multi_grid_size(void) {
  return u32(__ockl_get_global_size(0) * __ockl_get_global_size(1) * __ockl_get_global_size(2));
}
DEVICE_FUNCTION u32 __ockl_multi_grid_thread_rank(void) {
  return u32(__ockl_get_global_linear_id());
}
DEVICE_FUNCTION void __ockl_multi_grid_sync(void) { __builtin_trap(); }

} // extern "C"
