//===- BankChoice.h - registers of factors in two banks for each side ------===//
//
// A dual FMAC reads four factors. If the two sides of every product (the rows and the columns of a
// tile) lie in two banks each, and the numbers of a side's registers alternate between even and
// odd, there are pairs without conflicts and hazards. Values change their register in the whole
// function, so there are no moves; LDS tuples are loaded two registers at a time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/FmacWebs.h"

namespace rdna {

/// Whose registers are chosen. Accumulators go to the parity that gives their FMACs partners: that
/// of their row in a tile, or one for each of two that often stand near each other.
enum class MovedValues : uint8_t { Factors, FactorsAndRows, FactorsAndCouples, Couples };

/// How pairs of neighbours that one LDS load brings lie: all from even registers on, or half of
/// them from odd ones. Neighbours along k meet in no product, so that aligned ones of a step would
/// all have one parity, which no two of a slot may have.
enum class Neighbours : uint8_t { Aligned, Alternating };

/// Registers for the values of F32 FMACs that `which` names: factors in two banks a side, sums by
/// parity. The rest stays at home, or all does if there is no room.
/// The counts decide whether it is worth it: this only makes a proposal.
Registers chooseBanks(const FactorSite &site, MovedValues which, Neighbours neighbours);

} // namespace rdna
