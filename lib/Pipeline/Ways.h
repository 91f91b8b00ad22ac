//===- Ways.h - the best of several ways through the passes ----------------===//
#pragma once

#include "Pipeline/Turns.h"

namespace rdna {

/// The pipeline's passes take turns. Where that leaves FMAs single that could have partners, or
/// conflicts, its other ways are tried: other orders of the passes from the text that was given,
/// and those with passes of their own from the best end so far, until none of them gains. What a
/// way costs is judged at its end, by weight of the loops; no count may be worse than in the text
/// that was given. A second run changes nothing.
llvm::Error takeBestWay(const Pipeline &pipeline, Passage &passage);

} // namespace rdna
