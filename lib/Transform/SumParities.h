//===- SumParities.h - as many sums in even registers as in odd ones -------===//
//
// Two FMACs share an instruction only if one result's register is even and the other's odd. What a
// block adds up in sums that enter and leave it is therefore halved at best if their registers are
// half even, half odd, and compilers do not see to that. A sum that changes its register does so in
// the whole function, so there are no moves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/FmacWebs.h"

namespace rdna {

/// Registers in which the FMACs of each block, heavy blocks first, have results of both parities as
/// equally as may be; the fewest sums change. All at home if nothing gains or there is no room.
/// \param weights how much an FMAC counts, by block.
Registers balanceSums(const FactorSite &site, llvm::ArrayRef<uint64_t> weights);

} // namespace rdna
