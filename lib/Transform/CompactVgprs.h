//===- CompactVgprs.h - fewer registers where that gives another wave ------===//
//
// Values get other registers in the whole function, without a move, so that the highest number
// falls. Nothing that VOPD law, bank conflicts or parity hazards look at changes: factors keep
// their number modulo 4, destinations and sums theirs modulo 2, tuples stay together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/Pass.h"

namespace rdna {

llvm::Expected<PassResult> compactVgprs(const PassSite &site, PassState &state);

} // namespace rdna
