//===- MergeStores.h - two LDS stores in one instruction -------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"

#include <vector>

namespace rdna {

struct StoreEdits {
  std::vector<TextEdit> edits;
  unsigned before = 0; ///< LDS stores in the function.
  unsigned merged = 0; ///< Pairs of them.
};

/// Combines neighbouring ds_store_b32 (or b64) whose addresses differ by constants into
/// ds_store_2addr_b32 and its relatives, in the given blocks.
///
/// Only neighbours, in their order, and the earlier one in the first offset field: lanes of one
/// wave may store to the same place by different instructions, so stores must not pass each other
/// even where each lane's own are apart. Within one instruction all lanes store by the first offset
/// before they do by the second (order of the pseudo-code). The alignment that is needed stays the
/// same: both forms need that of one element, 4 bytes or 8 (ISA guide 12.3).
StoreEdits mergeStores(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks);

} // namespace rdna
