//===- TupleBanks.h - tuples of factors that begin in other banks ----------===//
//
// Where all that an LDS load brings goes along the steps of a product, neighbours in a tuple meet
// in none: `a[i][k] * b[k]`. Then no bank can be kept for a side (BankChoice), but tuples as wholes
// can begin in other ones, so that what meets does not collide. No load is taken apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/FmacWebs.h"

namespace rdna {

/// Registers for the factors of FMACs and what they are added to. Everything stays at home if no
/// tuple gains by moving, or if there is no room. Linear in the number of FMACs.
Registers moveTuples(const FactorSite &site);

} // namespace rdna
