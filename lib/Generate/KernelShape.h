//===- KernelShape.h - what follows from a kernel's specification ---------===//
//
// Everything that is no register: how lanes and waves tile the block, how the tiles lie in LDS, who
// loads what. Internally C is row-major. A column-major product is the row-major one of the
// transposed matrices, with A and B, M and N exchanged.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Generate/Specification.h"
#include "Isa/Occupancy.h"
#include "Isa/Processor.h"

#include <array>
#include <functional>
#include <vector>

namespace rdna::generate {

enum class Order { Row, Column };
enum class Transpose { No, Yes };
enum class Edges { Guarded, Exact };
enum class Batches { One, Strided };
/// Clauses, priorities and delays: the rewriter's, or none, for they are bytes to fetch as well.
enum class Hints { All, None };

struct KernelSpec {
  unsigned blockRows = 128, blockColumns = 128;
  unsigned threadRows = 8, threadColumns = 16;
  unsigned bk = 8;
  std::optional<unsigned> waves;
  Transpose a = Transpose::No, b = Transpose::No;
  Order order = Order::Row;
  unsigned stages = 1;
  /// 0: 1, or 2 if A is scalar. Of lanes that load their own: so many steps' elements.
  unsigned fragments = 0;
  /// Elements of A (of B, if C is column-major) come from LDS, or a wave loads them into SGPRs.
  Source source = Source::Lds;
  /// Those of the other matrix come from LDS, or each lane loads its own (Source::Vgpr): if that is
  /// so beside scalar ones, nothing is in LDS and waves wait for nobody.
  Source otherSource = Source::Lds;
  unsigned splitK = 1;  ///< Parts of K that are summed by themselves, in the grid's z.
  unsigned swizzle = 1; ///< Rows of blocks that are started side by side.
  Edges edges = Edges::Guarded;
  Hints hints = Hints::All;
  Batches batches = Batches::One;
  Processor processor = Processor::Gfx1100;
  std::string name; ///< Empty: made of the rest.
};

/// Which index of a matrix has its elements side by side in memory: the one that is summed over, or
/// the row of A and the column of B.
enum class Along { K, Edge };

/// A tile of A or of B.
struct TileShape {
  unsigned extent = 0; ///< Rows of A, columns of B.
  Along along = Along::K;
  unsigned bk = 0;
  unsigned stride = 0; ///< Of LDS: dwords from one k to the next.
  unsigned base = 0;   ///< Of LDS, in bytes.
  unsigned line() const { return along == Along::K ? bk : extent; }
  unsigned lines() const { return along == Along::K ? extent : bk; }
};

/// How the threads share the loads of a tile: thread t makes the loads of vectors t, t + threads,
/// ... of `width` elements each.
struct LoadShape {
  unsigned width = 1, threads = 32;
  TileShape tile;
  unsigned perLine() const { return tile.line() / width; }
  unsigned total() const { return perLine() * tile.lines(); }
  unsigned count() const { return (total() + threads - 1) / threads; }
  /// The last load is one of some threads only.
  bool isPartial() const { return total() % threads != 0; }
  unsigned stores() const { return tile.along == Along::K ? width : 1; }
  /// Where in LDS element `part` of a thread's load goes, in bytes.
  unsigned ldsAddress(unsigned thread, unsigned load, unsigned part) const;
};

struct KernelShape {
  KernelSpec spec;  ///< As it was asked for.
  std::string name; ///< Of the kernel.
  unsigned blockRows = 0, blockColumns = 0, threadRows = 0, threadColumns = 0, bk = 0;
  unsigned laneRows = 0, laneColumns = 0, waveRows = 0, waveColumns = 0;
  TileShape a, b;
  unsigned stageBytes = 0;       ///< LDS of one stage.
  unsigned wideA = 1, wideB = 1; ///< Elements of a load where everything is aligned.
  unsigned waves() const { return waveRows * waveColumns; }
  unsigned threads() const { return 32 * waves(); }
  unsigned ldsBytes() const { return stageBytes * spec.stages; }
  Interleave rows() const { return {threadRows, laneRows}; }
  Interleave columns() const { return {threadColumns, laneColumns}; }
  bool isSplit() const { return spec.splitK > 1; }
  bool isScalar() const { return spec.source == Source::Scalar; }
  /// Does nothing go through LDS?
  bool isDirect() const { return spec.otherSource == Source::Vgpr; }
  bool hasWidePath() const { return wideA > 1 || wideB > 1 || columns().group() > 1; }
  /// Of the thread's registers.
  TileSpec tile() const;
  /// The kernel runs in CU mode: a workgroup is on two SIMDs.
  OccupancyQuery occupancyWith(unsigned vgprs) const {
    return {vgprs, ldsBytes(), threads(), WorkgroupMode::Cu, spec.processor};
  }
};

/// Steps whose elements are in flight or in use where lanes load their own.
inline unsigned setsOf(const KernelSpec &spec) { return spec.fragments == 0 ? 4 : spec.fragments; }
/// Failure::BadInput with the limit that breaks and what would fit.
llvm::Expected<KernelShape> shapeOf(const KernelSpec &spec);

/// Passes of LDS for the elements of one step of one wave.
unsigned readPasses(const KernelShape &shape);

/// How many times LDS is accessed by an instruction of 32 lanes that each touch `dwords` at their
/// address: a pass serves each of 32 banks once, for as many lanes as 32 dwords are.
unsigned ldsPasses(const std::array<unsigned, 32> &addresses, unsigned dwords);

} // namespace rdna::generate
