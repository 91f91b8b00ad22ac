// May fewer, wider loads from LDS do? A ds_load_b128 puts four elements into all four banks, so an
// outer product falls into cells of 4 x 4, of four elements of A and of B. These tests are the
// answer that docs/design.md gives ("How kernels are generated"): they go through all ways to pair
// a cell's FMACs, and all orders.

#include "Isa/Vopd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace wideLoadsTest {

using namespace rdna;

namespace {

constexpr unsigned kFmacs = 16;

/// Element i of A and j of B, in banks that depend on where their registers begin.
struct Cell {
  unsigned firstA = 0, firstB = 0;
  /// Where the four sources of a pair are: each half's factors in either slot.
  std::array<Vgpr, 2> factors(unsigned fmac, unsigned isSwapped) const {
    const Vgpr a{static_cast<uint8_t>(firstA + fmac / 4)};
    const Vgpr b{static_cast<uint8_t>(64 + firstB + fmac % 4)};
    return isSwapped != 0 ? std::array{b, a} : std::array{a, b};
  }
};

struct Pair {
  uint32_t fmacs = 0;         ///< A bit for each of the two.
  std::array<Vgpr, 4> source; ///< Slot 0 and 1 of the first, of the second.
};

/// Pairs that may be encoded and have no parity hazard: in each slot, registers of different
/// parity (which are in different banks then).
std::vector<Pair> pairsOf(const Cell &cell) {
  std::vector<Pair> pairs;
  for (unsigned x = 0; x < kFmacs; ++x)
    for (unsigned y = 0; y < kFmacs; ++y)
      for (unsigned swaps = 0; swaps < 4 && x != y; ++swaps) {
        const auto fx = cell.factors(x, swaps & 1), fy = cell.factors(y, swaps & 2);
        if (fx[0].number % 2 != fy[0].number % 2 && fx[1].number % 2 != fy[1].number % 2)
          pairs.push_back({1u << x | 1u << y, {fx[0], fx[1], fy[0], fy[1]}});
      }
  return pairs;
}

/// Are two different registers in one bank? `held` are registers that no bank has to read.
bool hasConflict(const Pair &pair, const std::array<Vgpr, 4> &held) {
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = i + 1; j < 4; ++j)
      if (pair.source[i] != pair.source[j] && pair.source[i] != held[i] &&
          pair.source[j] != held[j] && bankOf(pair.source[i]) == bankOf(pair.source[j]))
        return true;
  return false;
}

constexpr std::array<Vgpr, 4> kNothing{Vgpr{255}, Vgpr{254}, Vgpr{253}, Vgpr{252}};

/// The fewest of a cell's eight pairs that have a conflict, over all ways to pair its FMACs.
unsigned fewestConflicts(const Cell &cell) {
  const std::vector<Pair> pairs = pairsOf(cell);
  constexpr unsigned many = 100;
  std::vector<unsigned> best(size_t{1} << kFmacs, many);
  best[0] = 0;
  for (uint32_t done = 0; done + 1 < best.size(); ++done) {
    if (best[done] == many)
      continue;
    const uint32_t next = 1u << std::countr_one(done);
    for (const Pair &pair : pairs)
      if ((pair.fmacs & next) != 0 && (pair.fmacs & done) == 0)
        best[done | pair.fmacs] =
            std::min(best[done | pair.fmacs], best[done] + (hasConflict(pair, kNothing) ? 1 : 0));
  }
  return best.back();
}

TEST(GenerateWideLoads, AQuarterOfTheFmacsConflictsInAnyOrder) {
  for (unsigned firstA = 0; firstA < 4; ++firstA)
    for (unsigned firstB = 0; firstB < 4; ++firstB) {
      const Cell cell{firstA, firstB};
      unsigned sameBank = 0;
      for (unsigned fmac = 0; fmac < kFmacs; ++fmac) {
        const auto [a, b] = cell.factors(fmac, 0);
        sameBank += bankOf(a) == bankOf(b);
      }
      EXPECT_EQ(sameBank, 4u);
      // Two of them share a pair: two of eight, and no fewer.
      EXPECT_EQ(fewestConflicts(cell), 2u);
    }
}

/// With 64-bit loads A is in two banks and B in the others: no pair of a cell of 2 x 2 conflicts.
TEST(GenerateWideLoads, NarrowOnesDoNot) {
  Cell cell;
  const auto pair = [&](unsigned x, unsigned y) {
    const auto source = [](unsigned fmac) {
      return std::array{Vgpr{static_cast<uint8_t>(2 + fmac / 2)},
                        Vgpr{static_cast<uint8_t>(64 + fmac % 2)}};
    };
    return Pair{0, {source(x)[0], source(x)[1], source(y)[0], source(y)[1]}};
  };
  EXPECT_FALSE(hasConflict(pair(0, 3), kNothing));
  EXPECT_FALSE(hasConflict(pair(1, 2), kNothing));
}

/// Depth first: all pairs of a cell one behind the other, where a slot holds what the same half
/// read there in the pair before.
bool hasOrder(const std::vector<Pair> &pairs, uint32_t done, const std::array<Vgpr, 4> &held) {
  if (done == (1u << kFmacs) - 1)
    return true;
  return std::any_of(pairs.begin(), pairs.end(), [&](const Pair &pair) {
    return (pair.fmacs & done) == 0 && !hasConflict(pair, held) &&
           hasOrder(pairs, done | pair.fmacs, pair.source);
  });
}

/// If a read that repeats the one before in its slot needed no bank, there would be an order. What
/// was measured of compilers' code, which repeats many, speaks against it.
TEST(GenerateWideLoads, OperandCacheWouldAllowAnOrder) {
  for (unsigned firstA = 0; firstA < 4; ++firstA)
    EXPECT_TRUE(hasOrder(pairsOf({firstA, 0}), 0, kNothing));
}

} // namespace

} // namespace wideLoadsTest
