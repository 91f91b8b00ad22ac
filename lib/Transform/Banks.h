//===- Banks.h - candidate bank plans for a region ------------------------===//
#pragma once

#include "Transform/Schedule.h"

#include <array>
#include <vector>

namespace rdna {

enum class SplitLoads : uint8_t { Auto, Always, Never };

/// Plans to try, most promising first. The first one keeps every register where it is.
///
/// The operand graph has a vertex for every web on a SRC0 or SRC1 port and an edge for every
/// operation with two of them. Where it can be 2-coloured (the rows and columns of a tile can), one
/// colour gets two banks and the other colour the other two:
///  - neighbouring banks ({2,3} and {0,1}, or {1,2} and {3,0}): every load of an even number of
///    registers stays a load of two, and X and Y read straight (A with SRC0, B with SRC1);
///  - equal parity ({0,2} and {1,3}): loads fall apart into single registers, but any two
///    operations can pair, X with (A, B) and Y with (B, A); odd tiles need that.
std::vector<BankPlan> bankPlans(const RegionModel &region, const Module &module, SplitLoads split);

/// Consecutive registers of a load's result under a plan: sizes of its pieces. A piece is the whole
/// load, or fetches consecutive bytes.
llvm::SmallVector<unsigned, 4> loadPieces(const Instruction &load, LoadWidth width);

/// Registers that must be consecutive under a plan: the groups of the region with the loads' pieces
/// merged in. group[web] and offset[web]; groups are numbered densely.
struct Groups {
  std::vector<uint32_t> group;
  std::vector<unsigned> offset;
  std::vector<std::vector<WebId>> members; ///< By group, in order of their offsets.
  bool consistent = true;                  ///< False if two operands want one web in two places.
};
Groups groupsOf(const RegionModel &region, const Module &module, const LoadWidths &width);

} // namespace rdna
