//===- TileStages.h - tiles that are loaded and stored steps ahead ----------===//
//
// With n LDS buffers there are n - 1 tiles in LDS while one of them is used, and with r sets of
// registers r tiles on their way there. The loop is written out for as many steps as both need to
// come round: a step asks whether there is another tile, loads it into the set that the step before
// has stored, uses its own tile, and stores the first that was loaded into the buffer that the step
// before has used. With two buffers or more one barrier a step is enough. Where there is no other
// tile, what is left is used in code of its own.
//
//   steps b:     advance, out to rest(b, a + r - 1); load(b + a + r - 1); use(b); [barrier];
//                store(b + a); barrier; a is n - 1, but 1 for one buffer; or in another order
//   rest(b, m):  use(b); [barrier; store(b + a); barrier]; on to rest(b + 1, m - 1)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/TileLoop.h"

namespace rdna {

struct TileStages {
  std::vector<TextEdit> edits;
  uint32_t distance = 0;     ///< Bytes from one buffer to the next.
  unsigned instructions = 0; ///< Copied.
  unsigned bytes = 0;        ///< Of code, copied.
  unsigned offsets = 0, additions = 0;
  unsigned vgprs = 0;     ///< Highest that the registers of the tiles take, plus one.
  unsigned registers = 0; ///< Of all sets.
  unsigned sgprs = 0;     ///< Of the kernel, with counters of the loads' own; 0 if there are none.
};

struct TileStagesOutcome {
  std::optional<TileStages> rewrite;
  std::optional<StagesLeft> left;
};

/// The order in a step of the next tile's loads, of stores to LDS, and of the use of a tile.
enum class StepOrder : uint8_t { LoadUseStore, LoadStoreUse, UseLoadStore };

/// How many LDS buffers, and how many sets of registers, each at least one.
struct TileRings {
  unsigned buffers = 2, sets = 1;
  StepOrder order = StepOrder::LoadUseStore;
  /// A tile is stored so many steps before it is used.
  unsigned storedAhead() const { return buffers > 1 ? buffers - 1 : 1; }
  unsigned loadedAhead() const { return storedAhead() + sets - 1; }
};

/// `ldsBytes` is the size of the one buffer with all that is in LDS, `freeVgpr` the first VGPR that
/// the kernel does not name.
TileStagesOutcome stageTiles(const Module &module, const Cfg &cfg, const TileLoop &tile,
                             TileRings rings, uint32_t ldsBytes, unsigned freeVgpr);

} // namespace rdna
