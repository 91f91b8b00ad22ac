//===- Compose.h - one claim of two rewrites, one behind the other ----------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Symbolic/Claim.h"

#include "llvm/Support/Error.h"

namespace rdna {

/// What `first` claims of a function of `original`, and `second` of the same one in the text that
/// this made, as one claim about `original`: points by their labels, equations with the right sides
/// of the second put into those of the first. The error (Failure::Refused) says what cannot be said
/// as one claim. The proof believes the result no more than any other.
llvm::Expected<Correspondence> compose(const Module &original, const Cfg &cfg,
                                       const Correspondence &first, const Module &middle,
                                       const Correspondence &second);

} // namespace rdna
