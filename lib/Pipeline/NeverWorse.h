//===- NeverWorse.h - no step may cost anything ----------------------------===//
//
// The one place that says what "worse" is; docs/design.md, "What worse is". Passes choose by costs
// of their own, and what they made is counted here from the text that came of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/NestCounts.h"
#include "Transform/Pass.h"

namespace rdna {

/// The first count that has grown, with both numbers; nothing if none has. LDS accesses may grow by
/// what VALU instructions and conflicts have fallen by.
std::optional<std::string> whatIsWorse(const CodeCounts &was, const CodeCounts &is);

/// Parity hazards are errors, so no time pays for them.
bool hasMoreHazards(const Derived &derived);

/// What a step makes worse, of the counts of any loop or of the function as a whole, or of the
/// waves; nothing if it makes nothing worse. Code that is copied for several iterations or paths is
/// for the pass to count: a text's sums say nothing of it.
std::optional<std::string> whatIsWorse(const Derived &derived, const Proposal &proposal,
                                       const PassRequest &request);

} // namespace rdna
