//===- sgemm_1x8.hip - SGEMM, 1 x 8 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_1x8, 1, 8, )
