//===- sgemm_16x8.hip - SGEMM, 16 x 8 elements per lane -------------------===//
//
// See sgemm_tile.h.
//
//===----------------------------------------------------------------------===//
#include "sgemm_tile.h"

SGEMM_TILE(sgemm_16x8, 16, 8, )
