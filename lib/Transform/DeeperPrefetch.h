//===- DeeperPrefetch.h - tiles on their way in more registers --------------===//
//
// With n sets of registers n tiles are on their way from memory while one is used. The loop is
// written out for n steps, which take turns with the sets. A step asks whether there is a tile n -
// 1 steps further, loads it into the set that the step before has stored, uses its own tile, and
// stores the next one. Where there is no further tile, the steps that are left store what is on its
// way; then the original loop goes on, or the code behind it.
//
//   enter:        guard, out to the original loop; load(0); n - 2 times: advance, guard; load
//   n steps b:    advance, guard, out to drain(b, n - 1); load(b - 1); use; store(b)
//   drain(b, m):  use; store(b); on to drain(b + 1, m - 1), or out
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Edit.h"
#include "Transform/PrefetchLoop.h"

namespace rdna {

struct DeeperPrefetch {
  std::vector<TextEdit> edits;
  unsigned instructions = 0; ///< Copied.
  unsigned bytes = 0;        ///< Of code, copied.
  unsigned registers = 0;    ///< Of a tile.
  unsigned vgprs = 0;        ///< Highest that the sets take, plus one.
};

struct DeeperPrefetchOutcome {
  std::optional<DeeperPrefetch> rewrite;
  std::optional<StagesLeft> left;
};

/// `sets` is at least two; `freeVgpr` is the first VGPR that the kernel does not name.
DeeperPrefetchOutcome prefetchDeeper(const Module &module, const Cfg &cfg, const PrefetchLoop &loop,
                                     unsigned sets, unsigned freeVgpr);

} // namespace rdna
