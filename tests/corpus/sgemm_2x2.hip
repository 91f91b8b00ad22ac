//===- sgemm_2x2.hip - SGEMM, 2 x 2 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_2x2, 2, 2, )
