//===- sgemm_8x16.hip - SGEMM, 8 x 16 elements per lane -------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_8x16, 8, 16, )
