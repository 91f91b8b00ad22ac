//===- sgemm_8x8.hip - SGEMM, 8 x 8 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_8x8, 8, 8, )
