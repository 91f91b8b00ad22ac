//===- Ids.hip - ids, sizes, lanes and fences for HIP's own headers -------===//
//
// What the headers of HIP 5 and 6 call instead of builtins. Sizes are those of code object 5 and 6:
// clang 18 and later.
//
//===----------------------------------------------------------------------===//
#include "Device.h"

extern "C" {

DEVICE_FUNCTION u64 __ockl_get_local_id(u32 dimension) {
  switch (dimension) {
  case 0:
    return __builtin_amdgcn_workitem_id_x();
  case 1:
    return __builtin_amdgcn_workitem_id_y();
  case 2:
    return __builtin_amdgcn_workitem_id_z();
  default:
    return 0;
  }
}

DEVICE_FUNCTION u64 __ockl_get_group_id(u32 dimension) {
  switch (dimension) {
  case 0:
    return __builtin_amdgcn_workgroup_id_x();
  case 1:
    return __builtin_amdgcn_workgroup_id_y();
  case 2:
    return __builtin_amdgcn_workgroup_id_z();
  default:
    return 0;
  }
}

DEVICE_FUNCTION u64 __ockl_get_local_size(u32 dimension) {
  switch (dimension) {
  case 0:
    return __builtin_amdgcn_workgroup_size_x();
  case 1:
    return __builtin_amdgcn_workgroup_size_y();
  case 2:
    return __builtin_amdgcn_workgroup_size_z();
  default:
    return 1;
  }
}

DEVICE_FUNCTION u64 __ockl_get_num_groups(u32 dimension) {
  return dimension < 3 ? hiddenArguments<u32>()[dimension] : 1;
}

DEVICE_FUNCTION u64 __ockl_get_global_size(u32 dimension) {
  return __ockl_get_num_groups(dimension) * __ockl_get_local_size(dimension);
}

DEVICE_FUNCTION u64 __ockl_get_global_id(u32 dimension) {
  return __ockl_get_group_id(dimension) * __ockl_get_local_size(dimension) +
         __ockl_get_local_id(dimension);
}

DEVICE_FUNCTION u64 __ockl_get_global_offset(u32) { return 0; }

DEVICE_FUNCTION u64 __ockl_get_enqueued_local_size(u32 dimension) {
  return __ockl_get_local_size(dimension);
}

DEVICE_FUNCTION u32 __ockl_get_work_dim(void) { return 3; }

DEVICE_FUNCTION u64 __ockl_get_local_linear_id(void) {
  return (__ockl_get_local_id(2) * __ockl_get_local_size(1) + __ockl_get_local_id(1)) *
             __ockl_get_local_size(0) +
         __ockl_get_local_id(0);
}

DEVICE_FUNCTION u64 __ockl_get_global_linear_id(void) {
  return (__ockl_get_global_id(2) * __ockl_get_global_size(1) + __ockl_get_global_id(1)) *
             __ockl_get_global_size(0) +
         __ockl_get_global_id(0);
}

DEVICE_FUNCTION u32 __ockl_lane_u32(void) { return laneNumber(); }
DEVICE_FUNCTION u32 __ockl_activelane_u32(void) {
  return __builtin_amdgcn_mbcnt_lo(activeLanes(), 0);
}
DEVICE_FUNCTION bool __ockl_wfany_i32(int predicate) {
  return __builtin_amdgcn_ballot_w32(predicate != 0) != 0;
}
DEVICE_FUNCTION bool __ockl_wfall_i32(int predicate) {
  return __builtin_amdgcn_ballot_w32(predicate != 0) == activeLanes();
}

// The clock counts in the emulator's own time.
DEVICE_FUNCTION u64 __ockl_memtime_u64(void) { return __builtin_readcyclecounter(); }
DEVICE_FUNCTION u64 __ockl_memrealtime_u64(void) { return __builtin_readcyclecounter(); }
DEVICE_FUNCTION u64 __ockl_cyclectr_u64(void) { return __builtin_readcyclecounter(); }
DEVICE_FUNCTION u64 __ockl_steadyctr_u64(void) { return __builtin_readcyclecounter(); }

/// Orders everything, whatever subset was asked for. The scopes are OpenCL's.
DEVICE_FUNCTION void __atomic_work_item_fence(u32, int, int scope) {
  constexpr int workItem = 0, workGroup = 1, device = 2;
  if (scope == workItem)
    return;
  if (scope == workGroup)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  else if (scope == device)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  else
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

} // extern "C"
