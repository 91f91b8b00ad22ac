//===- TightenWaits.h - waits that wait for what is needed, once -----------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Edit.h"
#include "Transform/OrderWaits.h"

#include <vector>

namespace rdna {

struct WaitEdits {
  std::vector<TextEdit> edits;
  unsigned before = 0; ///< s_waitcnt in the function.
  unsigned deleted = 0;
  unsigned changed = 0; ///< Others that wait for more or for less than before.
};

/// Exact counts, and in loops one wait for the LDS loads of a run of FMACs, if there are enough of
/// those for what is loaded. Changes only s_waitcnt that stand in one of `blocks`, and the
/// s_delay_alu that count over one that is deleted; nothing in a function that breaks the rules of
/// the counters already.
WaitEdits tightenWaits(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks,
                       PlainSync plain = PlainSync::Possible);

} // namespace rdna
