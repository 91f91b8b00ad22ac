//===- Segments.h - blocks that are one straight piece of code ------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna {

/// The blocks that can be reached, in chains that are entered at their start and left at their end
/// only: from where paths meet or part to where they do so again, as the proof cuts a function. A
/// conditional branch parts paths, even if both of its ways lead to one place.
std::vector<std::vector<uint32_t>> straightSegments(const Module &module, const Cfg &cfg);

} // namespace rdna
