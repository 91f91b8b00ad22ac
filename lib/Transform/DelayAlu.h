//===- DelayAlu.h - s_delay_alu for the code that is there now ------------===//
#pragma once

#include "Transform/Hints.h"

namespace rdna {

struct DelayEdits {
  std::vector<TextEdit> edits;
  unsigned set = 0;     ///< New, or with another content.
  unsigned removed = 0; ///< Not replaced where they stood.
  /// Instructions in front of which one would have to come, go or change and cannot: no line of its
  /// own can be put there, or the place belongs to a macro, a clause or a long branch.
  std::vector<uint32_t> left;
};

/// Gives each block the s_delay_alu that LLVM would write for it (Analysis/Delays.h); lines that
/// agree are not touched.
DelayEdits setDelays(const Module &module, const Cfg &cfg, const std::vector<uint32_t> &blocks);

} // namespace rdna
