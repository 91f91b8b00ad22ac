//===- sgemm_7x6.hip - SGEMM, 7 x 6 elements per lane ---------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_7x6, 7, 6, )
