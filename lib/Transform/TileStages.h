//===- TileStages.h - tiles that are loaded and stored steps ahead ----------===//
//
// With n LDS buffers there are n - 1 tiles in LDS, or on their way there, while one is used. The
// loop is written out for n steps: a step asks whether there is another tile, loads it into
// registers of its own, uses its own tile, and stores the other one into the buffer that the step
// before has used. One barrier a step is enough. Where there is no other tile, what is left in LDS
// is used in code of its own.
//
//   n steps b:   advance, out to rest(b, n-1); load; use(b); store(b + n-1); barrier
//   rest(b, m):  use(b); [barrier]; on to rest(b + 1, m - 1)
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
  unsigned vgprs = 0; ///< Highest that the registers of the tiles take, plus one.
};

struct TileStagesOutcome {
  std::optional<TileStages> rewrite;
  std::optional<StagesLeft> left;
};

/// `ldsBytes` is the size of the one buffer with all that is in LDS, `freeVgpr` the first VGPR that
/// the kernel does not name. `buffers` is at least two.
TileStagesOutcome stageTiles(const Module &module, const Cfg &cfg, const TileLoop &tile,
                             unsigned buffers, uint32_t ldsBytes, unsigned freeVgpr);

} // namespace rdna
