//===- MostPairs.h - How many of a block's operations can go two at a time ===//
//
// Two operations can share an instruction if neither needs the other's result, directly or by way
// of others. The most pairs that one order of the block can have follow from that alone: it is the
// shortest schedule of jobs of one length on two machines, which the algorithm of Coffman and
// Graham finds (Optimal scheduling for two-processor systems, Acta Informatica 1, 1972). That the
// matching that it gives is the largest there is, is due to Fujii, Kasami and Ninomiya (1969).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

namespace rdna {

/// `needs[i]`: the operations before `i` that it needs, those that they need included. Exact.
/// Takes time and memory by the square of the number of operations.
unsigned mostPairs(llvm::ArrayRef<llvm::BitVector> needs);

} // namespace rdna
