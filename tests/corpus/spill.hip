//===- spill.hip - SGEMM, 8 x 8 per lane, forced to spill -----------------===//
//
// Limited to 64 VGPRs, which the accumulators alone would fill.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(spill, 8, 8, __attribute__((amdgpu_num_vgpr(64))))
