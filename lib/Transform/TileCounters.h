//===- TileCounters.h - what a tile's use counts for itself -----------------===//
#pragma once

#include "Asm/Lane.h"
#include "Transform/FreeSgprs.h"
#include "Transform/FreeVgprs.h"
#include "Transform/TileLoop.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace rdna {

struct TileCountersOutcome {
  TileCounters counters; ///< Empty if the use reads nothing that differs from tile to tile.
  std::optional<StagesLeft> left;
};

/// `tile` has everything else.
TileCountersOutcome findTileCounters(const Module &module, const Cfg &cfg, const TileLoop &tile);

/// Registers of the same kind for them, neighbours for neighbours; nothing if there is no SGPR
/// left. `taken` and `freeVgpr` as for takeFreeVgprs.
std::optional<std::map<uint16_t, RegUnit>>
nameCounters(const TileCounters &counters, FreeSgprs &sgprs, VgprSet &taken, unsigned &freeVgpr);

/// A lane operation of other registers.
LaneOp renamedLane(LaneOp lane, llvm::function_ref<RegUnit(RegUnit)> rename);

} // namespace rdna
