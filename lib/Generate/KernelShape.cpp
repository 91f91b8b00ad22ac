#include "Generate/KernelShape.h"

#include "Generate/Identifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <set>

namespace rdna::generate {

template <typename... Args>
static llvm::Error refuse(fmt::format_string<Args...> text, Args &&...args) {
  return makeError(Failure::BadInput, "", fmt::format(text, std::forward<Args>(args)...));
}

unsigned ldsPasses(const std::array<unsigned, 32> &addresses, unsigned dwords) {
  const unsigned together = 32 / dwords;
  unsigned passes = 0;
  for (unsigned first = 0; first < 32; first += together) {
    std::array<std::set<unsigned>, 32> banks;
    for (unsigned lane = first; lane < first + together; ++lane)
      for (unsigned d = 0; d < dwords; ++d)
        banks[(addresses[lane] / 4 + d) % 32].insert(addresses[lane] / 4 + d);
    size_t most = 0;
    for (const auto &bank : banks)
      most = std::max(most, bank.size());
    passes += most;
  }
  return passes;
}

unsigned LoadShape::ldsAddress(unsigned thread, unsigned load, unsigned part) const {
  const unsigned index = thread + load * threads;
  const unsigned line = index / perLine(), at = index % perLine() * width;
  const unsigned k = tile.along == Along::K ? at + part : line;
  const unsigned edge = tile.along == Along::K ? line : at + part;
  return tile.base + 4 * (k * tile.stride + edge);
}

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

/// Sets of registers for elements, and what needs LDS.
static llvm::Error checkSets(const KernelSpec &s) {
  if (s.otherSource != Source::Vgpr) {
    if (s.fragments > 2)
      return refuse("--fragments {}: there may be 1 or 2", s.fragments);
    return llvm::Error::success();
  }
  if (s.source != Source::Scalar)
    return refuse("--b direct: the elements of the other matrix would have to come through LDS; "
                  "with --a scalar they need not");
  if (s.stages != 1)
    return refuse("--stages {}: with --b direct nothing is in LDS", s.stages);
  if (s.fragments != 0 && s.fragments != 2 && s.fragments != 4 && s.fragments != 8)
    return refuse(
        "--fragments {}: with --b direct the elements of 2, 4 or 8 steps can be in flight",
        s.fragments);
  if (s.bk < setsOf(s))
    return refuse("--bk {}: with --b direct the elements of {} steps are in flight, which must be "
                  "written out",
                  s.bk, setsOf(s));
  return llvm::Error::success();
}

static llvm::Error checkNumbers(const KernelSpec &s) {
  if (s.bk < 1 || s.bk > 32 || !llvm::isPowerOf2_32(s.bk))
    return refuse("--bk {}: a step is 1, 2, 4, 8, 16 or 32 deep", s.bk);
  for (const unsigned size : {s.threadRows, s.threadColumns})
    if (size < 2 || size > 64)
      return refuse("--thread-tile {}x{}: both numbers must be from 2 to 64", s.threadRows,
                    s.threadColumns);
  for (const unsigned size : {s.blockRows, s.blockColumns})
    if (size < 2 || size > 1024)
      return refuse("--block-tile {}x{}: both numbers must be from 2 to 1024", s.blockRows,
                    s.blockColumns);
  if (s.stages < 1 || s.stages > 2)
    return refuse("--stages {}: there may be 1 or 2", s.stages);
  if (llvm::Error error = checkSets(s))
    return error;
  if (s.swizzle < 1 || s.swizzle > 64 || !llvm::isPowerOf2_32(s.swizzle))
    return refuse("--swizzle {}: 1, 2, 4, 8, 16, 32 or 64 rows of blocks can take turns",
                  s.swizzle);
  if (s.splitK < 1 || s.splitK > 64 || !llvm::isPowerOf2_32(s.splitK))
    return refuse("--split-k {}: K can be in 1, 2, 4, 8, 16, 32 or 64 parts", s.splitK);
  if (s.splitK > 1 && s.batches == Batches::Strided)
    return refuse("--split-k {}: the grid's z counts parts of K or batches, not both", s.splitK);
  if (s.splitK > 1 && s.edges == Edges::Exact)
    return refuse("--split-k {}: parts of K are no multiples of a step, which --edges exact wants",
                  s.splitK);
  if (const std::string why = whyNotIdentifier(s.name); !s.name.empty() && !why.empty())
    return refuse("--name {}: {}", s.name, why);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Lanes and waves
//===----------------------------------------------------------------------===//

/// Passes of a wave's loads of the elements of one side; `laneOf` says which of its lanes a lane
/// is.
static unsigned readPasses(const Interleave &side,
                           const std::function<unsigned(unsigned)> &laneOf) {
  unsigned passes = 0;
  for (unsigned element = 0; element < side.elements; element += 2) {
    std::array<unsigned, 32> addresses;
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = 4 * side.position(element, laneOf(lane));
    passes += ldsPasses(addresses, element + 1 < side.elements ? 2 : 1);
  }
  return passes;
}

unsigned readPasses(const KernelShape &shape) {
  const Interleave rows = shape.rows(), columns = shape.columns();
  const unsigned ofRows =
      shape.isScalar() ? 0 : readPasses(rows, [&](unsigned lane) { return lane / columns.lanes; });
  if (shape.isDirect())
    return 0;
  return ofRows + readPasses(columns, [&](unsigned lane) { return lane % columns.lanes; });
}

/// Elements that a wave loads into SGPRs must lie side by side, and be no more than there are.
static llvm::Error checkScalar(const KernelShape &shape) {
  const bool isSwapped = shape.spec.order == Order::Column;
  if ((isSwapped ? shape.spec.b : shape.spec.a) == Transpose::No)
    return refuse("--a scalar: a step's elements of {} must lie side by side in memory, so it must "
                  "be given transposed",
                  isSwapped ? 'B' : 'A');
  if (shape.threadRows > 32)
    return refuse("--a scalar: two sets of {} elements do not fit the SGPRs, 32 {} of a "
                  "--thread-tile do",
                  shape.threadRows, isSwapped ? "columns" : "rows");
  if (shape.isDirect() && (isSwapped ? shape.spec.a : shape.spec.b) == Transpose::Yes)
    return refuse("--b direct: a step's elements of {} must lie side by side in memory, so it must "
                  "not be given transposed",
                  isSwapped ? 'A' : 'B');
  if (shape.isDirect() && shape.threadColumns % 2 != 0)
    return refuse("--b direct: a lane's elements are loaded in pairs, {} {} of a --thread-tile are "
                  "none",
                  shape.threadColumns, isSwapped ? "rows" : "columns");
  if (shape.spec.fragments == 1)
    return refuse("--fragments 1: scalar elements are loaded a step ahead, and the others with "
                  "them, which takes 2");
  return llvm::Error::success();
}

TileSpec KernelShape::tile() const {
  TileSpec tile;
  tile.rows = threadRows;
  tile.columns = threadColumns;
  tile.a = spec.source;
  tile.fragments = isScalar() ? 2 : std::max(spec.fragments, 1u);
  if (isDirect()) {
    tile.b = Source::Vgpr;
    tile.steps = setsOf(spec);
  }
  tile.firstScalar = 40;
  if (isScalar() && threadColumns % 4 == 0)
    tile.together = 4;
  return tile;
}

/// Elements are accessed in groups of an even number: a wave whose first one is odd would have a
/// pair of C on both sides of an edge, and pairs of A in LDS that are not aligned.
static bool splitsPairs(const KernelShape &shape, unsigned waveRows, unsigned waveColumns) {
  const bool isOddA = waveRows % 2 != 0 && shape.blockRows != waveRows && !shape.isScalar();
  return waveColumns % 2 != 0 || isOddA;
}

static llvm::Error placeLanes(KernelShape &shape) {
  std::optional<unsigned> best;
  bool isOdd = false;
  for (const unsigned laneRows : {4u, 8u, 2u, 16u, 1u, 32u}) {
    if (shape.isScalar() && laneRows != 1)
      continue;
    const unsigned laneColumns = 32 / laneRows;
    const unsigned rows = laneRows * shape.threadRows, columns = laneColumns * shape.threadColumns;
    if (shape.blockRows % rows != 0 || shape.blockColumns % columns != 0)
      continue;
    if (splitsPairs(shape, rows, columns)) {
      isOdd = true;
      continue;
    }
    KernelShape next = shape;
    next.laneRows = laneRows;
    next.laneColumns = laneColumns;
    next.waveRows = shape.blockRows / rows;
    next.waveColumns = shape.blockColumns / columns;
    const unsigned passes = readPasses(next);
    if (best && passes >= *best)
      continue;
    best = passes;
    shape = next;
  }
  const bool isSwapped = shape.spec.order == Order::Column;
  const auto user = [&](unsigned rows, unsigned columns) {
    return isSwapped ? fmt::format("{}x{}", columns, rows) : fmt::format("{}x{}", rows, columns);
  };
  if (!best && isOdd)
    return refuse("--thread-tile {}: to tile {} with it, waves would have to begin at odd places, "
                  "where pairs of elements are not aligned",
                  user(shape.threadRows, shape.threadColumns),
                  user(shape.blockRows, shape.blockColumns));
  if (!best)
    return refuse("--block-tile {}: 32 lanes of {} do not tile it in any arrangement{}",
                  user(shape.blockRows, shape.blockColumns),
                  user(shape.threadRows, shape.threadColumns),
                  shape.isScalar() ? " that shares scalar elements" : "");
  if (shape.waves() > 32)
    return refuse("--block-tile {}: with {} for a thread it takes {} waves, a workgroup has at "
                  "most 32",
                  user(shape.blockRows, shape.blockColumns),
                  user(shape.threadRows, shape.threadColumns), shape.waves());
  if (shape.spec.waves && *shape.spec.waves != shape.waves())
    return refuse("--waves {}: a block of {} with {} for a thread takes {}", *shape.spec.waves,
                  user(shape.blockRows, shape.blockColumns),
                  user(shape.threadRows, shape.threadColumns), shape.waves());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// LDS
//===----------------------------------------------------------------------===//

/// Passes of all stores of a tile by all waves.
static unsigned storePasses(const LoadShape &loads) {
  unsigned passes = 0;
  const unsigned dwords = loads.tile.along == Along::K ? 1 : loads.width;
  for (unsigned load = 0; load < loads.count(); ++load)
    for (unsigned first = 0; first < loads.threads; first += 32)
      for (unsigned part = 0; part < loads.stores(); ++part) {
        std::array<unsigned, 32> addresses;
        for (unsigned lane = 0; lane < 32; ++lane)
          addresses[lane] = loads.ldsAddress(first + lane, load, part);
        passes += ldsPasses(addresses, dwords);
      }
  return passes;
}

/// The widest load that takes fewer instructions than a narrower one.
static unsigned wideLoad(const TileShape &tile, unsigned threads) {
  unsigned best = 1;
  for (const unsigned width : {2u, 4u})
    if (tile.line() % width == 0 &&
        LoadShape{width, threads, tile}.count() < LoadShape{best, threads, tile}.count())
      best = width;
  return best;
}

/// The smallest padding with the fewest passes, of the wide loads first.
static void placeTile(TileShape &tile, unsigned width, unsigned threads) {
  const unsigned dense = llvm::alignTo(tile.extent, 4);
  std::optional<std::pair<unsigned, unsigned>> best;
  unsigned stride = dense;
  for (unsigned pad = 0; pad < 32; pad += 4) {
    tile.stride = dense + pad;
    const std::pair passes{storePasses({width, threads, tile}), storePasses({1, threads, tile})};
    if (best && passes >= *best)
      continue;
    best = passes;
    stride = tile.stride;
  }
  tile.stride = stride;
}

static const char *letter(Transpose transpose) { return transpose == Transpose::No ? "n" : "t"; }

static std::string nameOf(const KernelSpec &s) {
  if (!s.name.empty())
    return s.name;
  const std::string swizzle =
      fmt::format("{}{}", s.swizzle == 1 ? "" : fmt::format("_swizzle{}", s.swizzle),
                  s.splitK == 1 ? "" : fmt::format("_split{}", s.splitK));
  return fmt::format(
      "sgemm_{}{}{}_{}x{}_{}x{}_k{}{}{}{}{}{}{}{}", letter(s.a), letter(s.b),
      s.order == Order::Column ? "_col" : "", s.blockRows, s.blockColumns, s.threadRows,
      s.threadColumns, s.bk, s.stages == 2 ? "_stages2" : "",
      s.otherSource == Source::Vgpr ? fmt::format("_direct{}", setsOf(s))
      : s.source == Source::Scalar  ? "_scalar"
      : s.fragments == 2            ? "_fragments2"
                                    : "",
      swizzle, s.edges == Edges::Exact ? "_exact" : "",
      s.batches == Batches::Strided ? "_batched" : "", s.hints == Hints::None ? "_nohints" : "",
      s.processor == Processor::Gfx1100 ? "" : fmt::format("_{}", toString(s.processor)));
}

llvm::Expected<KernelShape> shapeOf(const KernelSpec &spec) {
  if (llvm::Error error = checkNumbers(spec))
    return error;
  KernelShape shape;
  shape.spec = spec;
  shape.name = nameOf(spec);
  shape.bk = spec.bk;
  const bool isSwapped = spec.order == Order::Column;
  shape.blockRows = isSwapped ? spec.blockColumns : spec.blockRows;
  shape.blockColumns = isSwapped ? spec.blockRows : spec.blockColumns;
  shape.threadRows = isSwapped ? spec.threadColumns : spec.threadRows;
  shape.threadColumns = isSwapped ? spec.threadRows : spec.threadColumns;
  const Transpose a = isSwapped ? spec.b : spec.a, b = isSwapped ? spec.a : spec.b;
  if (shape.isScalar())
    if (llvm::Error error = checkScalar(shape))
      return error;
  if (llvm::Error error = placeLanes(shape))
    return error;
  shape.a = {shape.blockRows, a == Transpose::No ? Along::K : Along::Edge, spec.bk, 0, 0};
  shape.b = {shape.blockColumns, b == Transpose::No ? Along::Edge : Along::K, spec.bk, 0, 0};
  shape.wideA = shape.isScalar() ? 1 : wideLoad(shape.a, shape.threads());
  shape.wideB = shape.isDirect() ? 1 : wideLoad(shape.b, shape.threads());
  if (shape.isDirect())
    return shape;
  if (!shape.isScalar()) // Else it takes no LDS.
    placeTile(shape.a, shape.wideA, shape.threads());
  placeTile(shape.b, shape.wideB, shape.threads());
  shape.b.base = llvm::alignTo(4 * shape.bk * shape.a.stride, 16);
  shape.stageBytes = llvm::alignTo(shape.b.base + 4 * shape.bk * shape.b.stride, 16);
  if (shape.ldsBytes() > 65536)
    return refuse("--bk {}: {} stage{} of the tiles take {} bytes of LDS, a workgroup has 65536",
                  spec.bk, spec.stages, spec.stages == 1 ? "" : "s", shape.ldsBytes());
  return shape;
}

} // namespace rdna::generate
