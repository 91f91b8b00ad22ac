//===- Specification.h - what a person asks for ----------------------------===//
//
// Checked here and nowhere else: what is valid can be generated unless registers run out, which
// TilePlan finds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Diagnostic.h"

#include <optional>
#include <string>

namespace rdna::generate {

enum class Source { Lds, Scalar, Vgpr };

/// One lane's part of a product: an outer product of a column of A and a row of B in each step.
struct TileSpec {
  unsigned rows = 0, columns = 0;
  Source a = Source::Lds, b = Source::Lds;
  /// Sets of registers for the elements of A and B: with 2, those of the next step are loaded while
  /// one computes. 0: 1, or 2 if A is scalar, whose loads come back in any order.
  unsigned fragments = 0;
  unsigned steps = 1;       ///< That elements from VGPRs are there for.
  unsigned firstScalar = 8; ///< SGPRs for A, if it is scalar: two sets.
  /// Elements of B that are in neighbouring registers, and so may be one load's: 2, or 4 if A is
  /// scalar and they are so many. Beside A from VGPRs four would be in banks of A.
  unsigned together = 2;
};

/// VGPRs that a tile takes; TilePlan takes no more.
unsigned tileVgprs(const TileSpec &spec);
/// SGPRs of one set of A's elements: multiples of 4, so that loads of several are aligned.
unsigned scalarsPerSet(const TileSpec &spec);

enum class Syntax { Block, Macro };

struct LoopSpec {
  TileSpec tile; ///< `steps` are those of the loop.
  unsigned laneRows = 4, laneColumns = 8;
  /// Bytes from one step's elements to the next one's.
  std::optional<unsigned> aStride, bStride;
  unsigned firstVgpr = 0, lastVgpr = 255;
  Syntax syntax = Syntax::Block;
  std::string name = "dual_fmac_loop"; ///< Of the macro.
};

/// Fills in what is not said.
llvm::Expected<LoopSpec> checked(LoopSpec spec);

/// How the elements of a lane lie among those of the lanes beside it: neighbouring elements in
/// groups, group by group the lanes in turn; the last one of an odd number by itself.
struct Interleave {
  unsigned elements = 0, lanes = 1;
  unsigned group() const { return elements % 4 == 0 && elements > 0 ? 4 : elements >= 2 ? 2 : 1; }
  bool hasLast() const { return elements % 2 == 1; }
  /// Of an element, relative to the place of the lane's first one (of its last one, if that is
  /// asked for).
  unsigned offset(unsigned element) const;
  /// Of lane 0's last element, if the number is odd.
  unsigned lastBase() const { return lanes * (elements - 1); }
  unsigned position(unsigned element, unsigned lane) const;
};

} // namespace rdna::generate
