//===- sgemm_3x5.hip - SGEMM, 3 x 5 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_3x5, 3, 5, )
