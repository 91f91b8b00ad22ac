//===- LeastSingles.h - FMAs that nothing can put into a pair of two -------===//
//
// Whatever the registers and the order: of an odd number of FMAs one is left over, and two steps of
// one sum can never share an instruction, so a sum that has more steps than all other FMAs beside
// it together leaves some alone. The same goes for all FMAs that need each other, be it as a factor
// or by way of other instructions (Horner's rule, an exponential): `MostPairs` says exactly how
// many pairs an order can have. That registers, banks and constants allow them all is not said.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Cfg.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>

namespace rdna {

struct LeastSingles {
  uint64_t odd = 0;       ///< One of an odd number.
  uint64_t chained = 0;   ///< Steps of a sum beside which no other FMA is left.
  uint64_t dependent = 0; ///< What FMAs that need each other leave besides; in blocks of
                          ///< more than 4096, what the longest chain of them leaves.
};

/// "2 of an odd number in a block, 8 in a row on one accumulator"; empty if there are none.
std::string toText(const LeastSingles &least);

/// Of F32 FMAs that may meet: those of one block under one EXEC. `instructions` in text order.
LeastSingles leastSingles(const Module &module, const Cfg &cfg,
                          llvm::ArrayRef<uint32_t> instructions);

} // namespace rdna
