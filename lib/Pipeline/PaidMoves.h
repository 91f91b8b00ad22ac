//===- PaidMoves.h - are moves around a loop worth their price? ------------===//
#pragma once

#include "Transform/Pass.h"

namespace rdna {

/// Does the rewrite of a block leave more VALU instructions in the text than there were, moves that
/// only the loop's iterations pay for, while --dual-issue, which makes none, does as well for the
/// loop? Or moves with which it has more than that pass alone, which does as well for the loop? Or
/// does it leave FMAs in the loop without a partner, or conflicts, of which that pass alone leaves
/// fewer, because it moves a value throughout the function where moves around the loop are none or
/// too dear? Of a block outside of loops: does that pass alone do as well as it does behind the
/// rewrite? Asked only where that pass comes behind.
enum class Alternative : uint8_t { None, WithoutMoves };
llvm::Expected<Alternative> alternativeTo(const RegionRewrite &rewrite, uint32_t block,
                                          const PassSite &site);

} // namespace rdna
