//===- Recolour.h - one value after the other to a better register ---------===//
#pragma once

#include "Transform/FmacWebs.h"
#include "Transform/PairedFunction.h"

namespace rdna {

/// Gives values of operations that lack a partner, or have conflicts, registers of other banks, one
/// after the other, where that makes the function cheaper and nothing worse than in `old`. Whatever
/// the operations are: BankChoice and TupleBanks know the shapes of tiles, this only asks what a
/// register would change. The number of registers asked about is bounded, so the result is the same
/// on every machine.
Candidate recolour(const FactorSite &site, const PairedFunction &function, Candidate from,
                   const Candidate &old);

} // namespace rdna
