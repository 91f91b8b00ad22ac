#include "Generate/Specification.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace rdna::generate {

template <typename... Args>
static llvm::Error refuse(fmt::format_string<Args...> text, Args &&...args) {
  return makeError(Failure::BadInput, "", fmt::format(text, std::forward<Args>(args)...));
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

unsigned Interleave::offset(unsigned element) const {
  if (hasLast() && element + 1 == elements)
    return 0;
  return element / group() * group() * lanes + element % group();
}

unsigned Interleave::position(unsigned element, unsigned lane) const {
  if (hasLast() && element + 1 == elements)
    return lastBase() + lane;
  return offset(element) + lane * group();
}

/// Registers of the elements on one side: pairs, in sets.
static unsigned sideVgprs(Source source, unsigned elements, const TileSpec &spec) {
  if (source == Source::Scalar)
    return 0;
  const unsigned pairs = 2 * llvm::divideCeil(elements, 2u);
  if (source == Source::Vgpr)
    return pairs * spec.steps;
  const bool hasCorner = spec.rows % 2 == 1 && spec.columns % 2 == 1;
  return pairs * spec.fragments + (hasCorner && spec.fragments == 1 ? 2 : 0);
}

unsigned tileVgprs(const TileSpec &spec) {
  const unsigned corner = spec.rows % 2 * (spec.columns % 2);
  return spec.rows * spec.columns + corner + sideVgprs(spec.a, spec.rows, spec) +
         sideVgprs(spec.b, spec.columns, spec);
}

unsigned scalarsPerSet(const TileSpec &spec) { return llvm::alignTo(spec.rows, 4); }

static unsigned addressVgprs(Source source, unsigned elements) {
  return source == Source::Lds ? 1 + elements % 2 : 0;
}

static llvm::Error checkTile(const LoopSpec &spec) {
  const TileSpec &tile = spec.tile;
  for (const unsigned size : {tile.rows, tile.columns})
    if (size < 2 || size > 64)
      return refuse("a tile of {}x{}: both numbers must be from 2 to 64", tile.rows, tile.columns);
  if (tile.fragments < 1 || tile.fragments > 2)
    return refuse("{} sets of fragments: there may be 1 or 2", tile.fragments);
  if (tile.a == Source::Scalar && tile.fragments == 1)
    return refuse("one set of fragments: scalar elements of A are loaded a step ahead, and B with "
                  "them, which takes 2");
  if (spec.laneRows * spec.laneColumns != 32)
    return refuse("lanes {}x{} are {}, a wave has 32", spec.laneRows, spec.laneColumns,
                  spec.laneRows * spec.laneColumns);
  if (tile.steps < 1 || tile.steps > 256)
    return refuse("{} steps: 1 to 256 can be written out", tile.steps);
  if (tile.a == Source::Scalar && spec.laneRows != 1)
    return refuse("lanes {}x{}: scalar elements of A are those of all lanes, so lanes must be 1x32",
                  spec.laneRows, spec.laneColumns);
  const unsigned scalars = 2 * scalarsPerSet(tile);
  if (tile.a == Source::Scalar && tile.firstScalar + scalars > 104)
    return refuse("{} rows of scalar elements take {} SGPRs in two sets, from s{} on there are {}",
                  tile.rows, scalars, tile.firstScalar, 104 - tile.firstScalar);
  return llvm::Error::success();
}

static llvm::Error checkRegisters(const LoopSpec &spec) {
  const TileSpec &tile = spec.tile;
  if (spec.firstVgpr > spec.lastVgpr || spec.lastVgpr > 255)
    return refuse("VGPRs {}:{}: there are 0 to 255", spec.firstVgpr, spec.lastVgpr);
  const unsigned available = spec.lastVgpr - spec.firstVgpr + 1;
  const unsigned extra = addressVgprs(tile.a, tile.rows) + addressVgprs(tile.b, tile.columns);
  const unsigned needed = tileVgprs(tile) + extra;
  if (needed > available)
    return refuse("a tile of {}x{} takes {} VGPRs ({} accumulators, {} for elements of A and B, {} "
                  "addresses), {} are there",
                  tile.rows, tile.columns, needed, tile.rows * tile.columns,
                  tileVgprs(tile) - tile.rows * tile.columns, extra, available);
  return llvm::Error::success();
}

/// Two of the four banks belong to A, two to B.
static llvm::Error checkBanks(const LoopSpec &spec) {
  for (const auto &[name, source, elements, bank] :
       {std::tuple('A', spec.tile.a, spec.tile.rows, 2u),
        std::tuple('B', spec.tile.b, spec.tile.columns, 0u)}) {
    unsigned there = 0;
    for (unsigned v = bank; v + 1 <= spec.lastVgpr; v += 4)
      there += v >= spec.firstVgpr;
    const unsigned pairs = sideVgprs(source, elements, spec.tile) / 2;
    if (pairs > there)
      return refuse("elements of {} take {} pairs of VGPRs in banks {} and {}, {}:{} have {}", name,
                    pairs, bank, bank + 1, spec.firstVgpr, spec.lastVgpr, there);
  }
  return llvm::Error::success();
}

/// The stride of one side; what is not said is dense, or such that both halves of a load of one
/// element twice can reach it.
static llvm::Error checkStride(Source source, unsigned elements, unsigned lanes,
                               std::optional<unsigned> &stride, const LoopSpec &spec, char name) {
  if (source == Source::Vgpr) {
    if (stride)
      return refuse("--{}-stride: elements in VGPRs have none", name);
    return llvm::Error::success();
  }
  const unsigned dense = 4 * elements * (source == Source::Lds ? lanes : 1);
  const bool isOdd = source == Source::Lds && elements % 2 == 1;
  if (!stride)
    stride = llvm::alignTo(dense, isOdd ? 256 : 16);
  const unsigned unit = source == Source::Lds ? 8 : 4;
  if (*stride % unit != 0)
    return refuse("--{}-stride {}: loads of {} bytes want a multiple of {}", name, *stride, unit,
                  unit);
  const uint64_t last = uint64_t{*stride} * (spec.tile.steps - 1) + dense;
  const uint64_t most = source == Source::Lds ? 65536 : 0x100000;
  if (last > most)
    return refuse("--{}-stride {}: the last step ends at byte {}, offsets reach {}", name, *stride,
                  last, most);
  return llvm::Error::success();
}

llvm::Expected<LoopSpec> checked(LoopSpec spec) {
  if (spec.tile.fragments != 0 && spec.tile.a == Source::Vgpr && spec.tile.b == Source::Vgpr)
    return refuse("--fragments: nothing is loaded, so there are no sets of fragments");
  if (spec.tile.fragments == 0)
    spec.tile.fragments = spec.tile.a == Source::Scalar ? 2 : 1;
  if (llvm::Error error = checkTile(spec))
    return error;
  if (llvm::Error error = checkRegisters(spec))
    return error;
  if (llvm::Error error = checkBanks(spec))
    return error;
  if (llvm::Error error =
          checkStride(spec.tile.a, spec.tile.rows, spec.laneRows, spec.aStride, spec, 'a'))
    return error;
  if (llvm::Error error =
          checkStride(spec.tile.b, spec.tile.columns, spec.laneColumns, spec.bStride, spec, 'b'))
    return error;
  return spec;
}

} // namespace rdna::generate
