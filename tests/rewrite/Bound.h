//===- Bound.h - what no rewrite of a block can beat ----------------------===//
//
// Computed from the block's own dependences and the encoding law alone, so that a pass is judged by
// something that it had no part in. The bound is about the operations that the block has: nothing
// is added, left out, reassociated or turned into another operation. Registers may be chosen anew
// for every value (only true dependences count), scalar registers keep their places.
//
// It is a bound, not always an optimum: pairs that are possible one by one may exclude each other,
// by a cycle of dependences (which the search of small blocks sees, the matching does not), by the
// parity of shared registers, or by the number of registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

namespace rdna::rewrite {

/// The counts of code that is best in one of them, and as good as that allows in the other. They
/// can contradict each other: two FMACs that take along an operation each, instead of pairing with
/// each other, save an instruction and are two singles.
struct BestCounts {
  unsigned valu = 0;       ///< VALU instructions.
  unsigned singleFmac = 0; ///< As Metrics counts them.
  enum class Method : uint8_t {
    Matching, ///< A maximum matching of the operations that may share an instruction.
    Search,   ///< Every order of issue of a small block.
  } method = Method::Matching;
};

struct BlockBound {
  unsigned laneOperations = 0; ///< That a VOPD slot knows; two for every VOPD.
  unsigned fmas = 0;           ///< F32 FMAC, FMA with dst = addend, FMAAK, FMAMK.
  BestCounts fewestValu, fewestSingles;
};

BlockBound boundOf(const Module &module, const Cfg &cfg, uint32_t block);

} // namespace rdna::rewrite
