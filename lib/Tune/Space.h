//===- Space.h - which kernels are tried, as data -------------------------===//
//
// Axes are lists of numbers; a point is one number of each, put into the specification that the
// user gave for all of them. What breaks a limit is cut, and counted by the limit.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Generate/KernelShape.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rdna::tune {

/// Of C = A * B: C is m x n, K is summed over.
struct Problem {
  unsigned m = 0, n = 0, k = 0;
  double operations() const { return 2.0 * m * n * k; }
};
std::string toString(const Problem &problem);
/// "4096x4096x4096", each from 1 to 999999; nothing if it is not of that form.
std::optional<Problem> problemOf(std::string_view text);
/// The same; `option` is named in the error.
llvm::Expected<Problem> parseProblem(std::string_view text, std::string_view option);

/// Where elements come from: both matrices' from LDS; one's in SGPRs; that, and each lane loads its
/// own of the other.
enum class Elements : uint8_t { Lds, Scalar, Direct };
Elements elementsOf(const generate::KernelSpec &spec);
std::string_view toString(Elements elements);

struct Space {
  using Tile = std::pair<unsigned, unsigned>;
  std::vector<Elements> elements{Elements::Lds, Elements::Scalar, Elements::Direct};
  /// Of elements from LDS: any block with any tile.
  std::vector<unsigned> blockRows{32, 64, 128, 256}, blockColumns{32, 64, 128, 256};
  std::vector<Tile> threadTiles{{4, 4}, {4, 8}, {8, 4}, {8, 8}, {8, 16}, {16, 8}};
  /// Of scalar elements, whose number comes first: the block follows from the tile and how many
  /// waves stand along either side of it.
  std::vector<Tile> scalarTiles{{16, 4}, {32, 4}, {16, 8}, {23, 8}}, waves{{1, 1}, {2, 1}, {4, 1}};
  std::vector<unsigned> bk{8, 16}, stages{1, 2}, fragments{1, 2, 4}, swizzle{1, 2}, splitK{1};
  std::vector<generate::Hints> hints{generate::Hints::All};
  /// Of the generated text: "none", "all" or names of passes with + in between.
  std::vector<std::string> rewrites{"none"};
};

/// {"block_rows": [64, 128], "thread_tiles": ["8x16"], "rewrite": ["none", "all"]}: what is left
/// out is as above. Unknown keys are errors, because a misspelled one would be another space.
llvm::Expected<Space> readSpace(std::string_view text, std::string_view file);

struct Point {
  generate::KernelSpec spec;
  std::string rewrite = "none";
};

/// All that tells points of one search apart, in one order: "128x128 8x16 k8 s2 f1 w4 z1 none",
/// "46x256 23x8 direct k8 s1 f4 w2 z1 bare none".
std::string keyOf(const Point &point);

/// As `dualfmac-sched generate kernel` takes it.
std::string optionsOf(const Point &point);

/// The message with # for its numbers: one limit, whatever it was broken by.
std::string limitOf(std::string_view message);

struct Points {
  std::vector<Point> legal; ///< In the order of the axes.
  size_t all = 0;
  std::map<std::string, size_t> cut; ///< How many by which limit, with # for numbers.
};

/// The specification with a tile (and block) of scalar elements: with matrices by columns they are
/// B's, so what the user calls rows and columns is exchanged.
void setScalarTile(generate::KernelSpec &spec, Space::Tile tile, Space::Tile waves);
struct ScalarTile {
  Space::Tile tile, waves;
};
/// The other way around.
ScalarTile scalarTileOf(const generate::KernelSpec &spec);

/// Why a kernel is none for this size, with # in place of numbers, or nothing.
std::string whyCut(const generate::KernelSpec &spec, const Problem &problem);

/// `base` says everything that is no axis: layout, order, edges.
Points enumerate(const Space &space, const generate::KernelSpec &base, const Problem &problem);

} // namespace rdna::tune
