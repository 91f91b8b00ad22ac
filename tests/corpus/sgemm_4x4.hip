//===- sgemm_4x4.hip - SGEMM, 4 x 4 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_4x4, 4, 4, )
