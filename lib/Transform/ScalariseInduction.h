//===- ScalariseInduction.h - pointers that lanes step together ------------------===//
//
// Compilers strength-reduce an access in a loop to a 64-bit pointer in VGPRs that every iteration
// adds the same amount to: two VALU instructions an iteration. If what the lanes do not share of it
// fits a 32-bit offset, the rest is a pointer in SGPRs, and scalar code steps that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Symbolic/Claim.h"
#include "Transform/SgprBase.h"

#include <map>

namespace rdna {

struct ScalarisedInduction {
  SgprBaseRewrite rewrite;
  std::map<uint32_t, std::vector<Equation>> claims; ///< By first instruction of a block.
};

/// Pointers of loops of one block among `blocks`, that nothing but global accesses reads.
ScalarisedInduction scalariseInduction(const Module &module, const Cfg &cfg,
                                       const std::vector<uint32_t> &blocks,
                                       const SgprBaseOptions &options);

} // namespace rdna
