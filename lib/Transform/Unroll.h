//===- Unroll.h - loops whose trips can be counted, written out -----------===//
//
// All trips of a loop of one block, one behind the other. What only counts trips goes away, and
// what moves an LDS address by constants becomes the offset of the access.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Liveness.h"
#include "Asm/Edit.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna {

struct UnrollOptions {
  uint32_t mostBytes = 32 * 1024; ///< Of the code that a loop becomes: the instruction cache.
};

struct UnrollRewrite {
  std::vector<TextEdit> edits;
  uint64_t trips = 0;
  unsigned scalarsFolded = 0; ///< SALU instructions that are gone.
  unsigned offsetsFolded = 0; ///< LDS accesses that took over an addition.
};

/// Unrolled, or why not.
struct UnrollOutcome {
  std::optional<UnrollRewrite> rewrite;
  uint32_t line = 0;
  std::string reason;
};

UnrollOutcome unrollLoop(const Module &module, const Cfg &cfg, const Loop &loop,
                         const UnrollOptions &options);

} // namespace rdna
