//===- TileCounters.h - what a tile's use counts for itself -----------------===//
#pragma once

#include "Transform/TileLoop.h"

namespace rdna {

struct TileCountersOutcome {
  TileCounters counters; ///< Empty if the use reads nothing that differs from tile to tile.
  std::optional<StagesLeft> left;
};

/// `tile` has everything else.
TileCountersOutcome findTileCounters(const Module &module, const Cfg &cfg, const TileLoop &tile);

} // namespace rdna
