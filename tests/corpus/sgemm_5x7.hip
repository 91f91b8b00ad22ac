//===- sgemm_5x7.hip - SGEMM, 5 x 7 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_5x7, 5, 7, )
