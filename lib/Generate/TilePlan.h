//===- TilePlan.h - one lane's tile: registers and order of FMACs ---------===//
//
// docs/design.md, "How kernels are generated", says why this gives pairs without conflicts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Code/Inst.h"
#include "Generate/RegisterPool.h"
#include "Generate/Specification.h"
#include "Isa/Vopd.h"

#include <optional>
#include <variant>
#include <vector>

namespace rdna::generate {

/// One instruction of the tile.
struct FmacPair {
  VopdHalf x, y;
};
struct SingleFmac {
  VopdHalf half;
};
struct CornerMove {
  Vgpr to, from;
};
using TileOp = std::variant<FmacPair, SingleFmac, CornerMove>;
Inst instruction(const TileOp &op);

struct StepOps {
  std::vector<TileOp> carried; ///< Read operands of the step before: they come first.
  std::vector<TileOp> own;
};

class TilePlan {
public:
  /// Failure::BadInput if the registers do not suffice.
  static llvm::Expected<TilePlan> make(const TileSpec &spec, RegisterPool &pool);

  /// The instructions of a step of `steps`, which are written out one behind the other.
  StepOps ops(unsigned step, unsigned steps) const;
  /// Where an element of C is in front of a step (behind the last one: step == steps).
  Vgpr accumulator(unsigned row, unsigned column, unsigned step, unsigned steps) const;
  /// The first of two neighbouring registers of rows (columns) 2 * pair and 2 * pair + 1; both hold
  /// the last element if its number is odd.
  Vgpr aPair(unsigned pair, unsigned step) const { return a_[aSet(pair, step)][pair]; }
  Vgpr bPair(unsigned pair, unsigned step) const { return b_[bSet(pair, step)][pair]; }
  /// The first SGPR of A's elements of a step.
  unsigned aScalar(unsigned step) const;
  unsigned rowPairs() const { return (spec_.rows + 1) / 2; }
  unsigned columnPairs() const { return (spec_.columns + 1) / 2; }
  const TileSpec &spec() const { return spec_; }
  /// Both numbers odd: one accumulator has no partner within a step.
  bool hasCorner() const { return spec_.rows % 2 == 1 && spec_.columns % 2 == 1; }
  /// The element that moves back to where it was at the start, if it did not end there.
  std::optional<CornerMove> restore(unsigned steps) const;
  /// All registers that hold elements of A and B.
  void releaseFragments(RegisterPool &pool) const;

private:
  explicit TilePlan(const TileSpec &spec) : spec_(spec) {}
  /// One pair of FMACs; rows and columns of its halves.
  struct Place {
    unsigned row0, column0, row1, column1;
  };
  void walk();
  bool takeFragments(RegisterPool &pool);
  bool takeAccumulators(RegisterPool &pool);
  unsigned aSet(unsigned pair, unsigned step) const;
  unsigned bSet(unsigned pair, unsigned step) const;
  /// `parity`: which of the two registers of an odd last element.
  VopdSource a(unsigned row, unsigned parity, unsigned step) const;
  Vgpr b(unsigned column, unsigned parity, unsigned step) const;
  VopdHalf half(Vgpr c, VopdSource a, Vgpr b) const;
  FmacPair pair(const Place &place, unsigned step, unsigned steps) const;
  VopdHalf corner(unsigned step, unsigned steps, unsigned parity) const;
  /// Which of its two registers the corner is in, in front of a step.
  unsigned cornerAt(unsigned step, unsigned steps) const;

  TileSpec spec_;
  std::vector<Place> places_;
  std::vector<Vgpr> c_;                  ///< By row and column.
  Vgpr corner_[2];                       ///< Even, odd.
  std::vector<std::vector<Vgpr>> a_, b_; ///< By set and pair.
};

} // namespace rdna::generate
