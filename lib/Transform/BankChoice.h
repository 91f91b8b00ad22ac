//===- BankChoice.h - registers of factors in two banks for each side ------===//
//
// A dual FMAC reads four factors. If the two sides of every product (the rows and the columns of a
// tile) lie in two banks each, and the numbers of a side's registers alternate between even and
// odd, there are pairs without conflicts and hazards. Values change their register in the whole
// function, so there are no moves; LDS tuples are loaded two registers at a time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Transform/FunctionWebs.h"

#include <vector>

namespace rdna {

/// The new register of every web.
struct Registers {
  std::vector<Vgpr> of;
  bool isHome(const FunctionWebs &webs, WebId w) const { return of[w] == webs.home[w]; }
};

/// Every web where it is.
Registers registersAtHome(const FunctionWebs &webs);

/// May accumulators move as well, to a register of the parity that gives their FMAC a partner?
enum class Accumulators : uint8_t { Stay, Move };

/// Of the factors of F32 FMACs, as many as possible two banks a side, below `budget` registers; the
/// rest stays at home. The counts decide whether it is worth it: this only makes a proposal.
Registers chooseBanks(const Module &module, const Cfg &cfg, const Liveness &liveness,
                      const FunctionWebs &webs, unsigned budget, Accumulators accumulators);

} // namespace rdna
