//===- Bound.h - what no rewrite of a block can beat ----------------------===//
//
// Computed from the block's own dependences and the encoding law alone, so that a pass is judged by
// something that it had no part in. The bound is about the operations that the block has: nothing
// is added, left out, reassociated or turned into another operation. Registers may be chosen anew
// for every value (only true dependences count), scalar registers keep their places.
//
// It is a bound, not always an optimum: pairs that are possible one by one may exclude each other
// (by a cycle of dependences, by the parity of registers shared, by the number of registers).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna::rewrite {

struct BlockBound {
  unsigned laneOperations = 0; ///< That a VOPD slot knows; two for every VOPD.
  unsigned fmas = 0;           ///< F32 FMAC, FMA with dst = addend, FMAAK, FMAMK.
  unsigned dualFmac = 0;       ///< At most, whatever that costs.
  unsigned valu = 0;           ///< VALU instructions, at least.
  unsigned singleFmac = 0;     ///< As Metrics counts them: at least, in code of that many VALU
                               ///< instructions. An FMAC alone costs nothing if its partner is
                               ///< another operation that would be alone without it.
};

BlockBound boundOf(const Module &module, const Block &block);

} // namespace rdna::rewrite
