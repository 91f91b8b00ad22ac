//===- DeadCode.h - instructions whose results nobody reads ----------------===//
#pragma once

#include "Analysis/Liveness.h"
#include "Code/Edit.h"

#include <vector>

namespace rdna {

struct DeadCode {
  std::vector<TextEdit> edits;
  unsigned instructions = 0; ///< Halves of VOPD pairs count one.
};

/// VALU and SALU instructions without any other effect, until none is left. Blocks that lose one
/// lose their s_delay_alu as well: a delay counts instructions that are no longer there.
DeadCode removeDeadCode(const Module &module, const Cfg &cfg);

} // namespace rdna
