#include "Tune/Space.h"

#include "Support/Diagnostic.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace rdna::tune::tuneSpaceTest {
namespace {

std::string messageOf(llvm::Error error) {
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const InputError &input) {
    text = input.diagnostics().front().message;
  });
  return text;
}

/// All axes, but not as long as they are: a point takes milliseconds.
Space smallSpace() {
  Space space;
  space.blockRows = {32, 128};
  space.blockColumns = {64, 256};
  space.scalarTiles = {{32, 4}, {23, 8}};
  space.bk = {8};
  return space;
}

generate::KernelSpec withScalars() {
  generate::KernelSpec spec;
  spec.a = generate::Transpose::Yes;
  return spec;
}

TEST(TuneSpace, EveryPointIsLegalOrCounted) {
  const Problem problem{512, 512, 512};
  const Space space = smallSpace();
  const Points points = enumerate(space, withScalars(), problem);
  size_t cut = 0;
  for (const auto &[reason, count] : points.cut)
    cut += count;
  EXPECT_EQ(points.all, points.legal.size() + cut);
  const size_t ofTile = space.bk.size() * space.stages.size() * space.fragments.size() *
                        space.swizzle.size() * space.hints.size();
  EXPECT_EQ(points.all, ofTile * (space.blockRows.size() * space.blockColumns.size() *
                                      space.threadTiles.size() +
                                  2 * space.scalarTiles.size() * space.waves.size()));
  EXPECT_GT(points.legal.size(), points.all / 4);
  std::set<std::string> keys;
  for (const Point &point : points.legal) {
    keys.insert(keyOf(point));
    auto shape = generate::shapeOf(point.spec);
    ASSERT_TRUE(bool(shape)) << llvm::toString(shape.takeError());
  }
  EXPECT_EQ(keys.size(), points.legal.size()); // Nothing twice.
}

TEST(TuneSpace, ScalarTiles) {
  Space space;
  space.elements = {Elements::Direct};
  space.scalarTiles = {{23, 8}};
  space.waves = {{2, 1}};
  space.bk = {16};
  space.stages = {1};
  space.fragments = {4};
  space.swizzle = {2};
  space.hints = {generate::Hints::None};
  const Points points = enumerate(space, withScalars(), {4096, 4096, 4096});
  ASSERT_EQ(points.legal.size(), 1u);
  EXPECT_EQ(keyOf(points.legal[0]), "46x256 23x8 direct k16 s1 f4 w2 z1 bare none");
  // With matrices by columns the scalar elements are B's.
  generate::KernelSpec turned;
  turned.order = generate::Order::Column;
  turned.b = generate::Transpose::Yes;
  const Points others = enumerate(space, turned, {4096, 4096, 4096});
  ASSERT_EQ(others.legal.size(), 1u);
  EXPECT_EQ(keyOf(others.legal[0]), "256x46 8x23 direct k16 s1 f4 w2 z1 bare none");
  const ScalarTile tile = scalarTileOf(others.legal[0].spec);
  EXPECT_EQ(tile.tile, Space::Tile(23, 8));
  EXPECT_EQ(tile.waves, Space::Tile(2, 1));
  EXPECT_TRUE(enumerate(space, {}, {4096, 4096, 4096}).legal.empty()); // A is not transposed.
}

TEST(TuneSpace, LimitsOfTheSize) {
  Space space;
  space.elements = {Elements::Lds};
  space.blockRows = space.blockColumns = {32};
  space.threadTiles = {{4, 4}};
  space.bk = {8};
  space.stages = space.fragments = {1};
  space.swizzle = {1, 4};
  space.splitK = {1, 8};
  // Two rows of blocks cannot be started four at a time, and 24 is three steps, not eight.
  const Points points = enumerate(space, {}, {64, 512, 24});
  ASSERT_EQ(points.legal.size(), 1u);
  EXPECT_EQ(keyOf(points.legal[0]), "32x32 4x4 k8 s1 f1 w1 z1 none");
  EXPECT_EQ(points.cut.at("--split-k is more than there are steps of K"), 1u);
  EXPECT_EQ(points.cut.at("--swizzle is more than there are rows of blocks"), 2u);
  generate::KernelSpec exact;
  exact.edges = generate::Edges::Exact;
  EXPECT_EQ(enumerate(space, exact, {65, 512, 64}).legal.size(), 0u);
}

TEST(TuneSpace, ReasonsHaveNoNumbers) {
  const Points points = enumerate(smallSpace(), {}, {4096, 4096, 4096});
  ASSERT_FALSE(points.cut.empty());
  for (const auto &[reason, count] : points.cut)
    EXPECT_EQ(reason.find_first_of("0123456789"), std::string::npos) << reason;
}

TEST(TuneSpace, FromAFile) {
  auto space = readSpace(R"({"block_rows": [64], "thread_tiles": ["8x16", "4x4"],
                             "rewrite": ["none", "all", "waits+unroll"]})",
                         "s.json");
  ASSERT_TRUE(bool(space)) << messageOf(space.takeError());
  EXPECT_EQ(space->blockRows, std::vector<unsigned>{64});
  EXPECT_EQ(space->blockColumns, Space().blockColumns);
  EXPECT_EQ(space->threadTiles, (std::vector<Space::Tile>{{8, 16}, {4, 4}}));
  EXPECT_EQ(space->rewrites.size(), 3u);
}

TEST(TuneSpace, BadFiles) {
  for (const auto &[text, says] : std::vector<std::pair<const char *, const char *>>{
           {"{", "this is no JSON"},
           {"[]", "a space is an object of lists"},
           {R"({"bks": [8]})", "\"bks\" is no axis"},
           {R"({"bk": 8})", "a list with at least one value"},
           {R"({"bk": []})", "a list with at least one value"},
           {R"({"bk": [8, 8]})", "stands there twice"},
           {R"({"bk": [-8]})", "is no number from 1 to 1024"},
           {R"({"bk": [8.5]})", "is no number from 1 to 1024"},
           {R"({"thread_tiles": ["8*16"]})", "is not of the form"},
           {R"({"thread_tiles": [8]})", "is not of the form"},
           {R"({"elements": ["sgpr"]})", "'sgpr' is none of lds, scalar, direct"},
           {R"({"hints": ["some"]})", "'some' is none of all, none"},
           {R"({"hints": ["all", "all"]})", "stands there twice"},
           {R"({"waves": [2]})", "is not of the form"},
           {R"({"waves": ["2x2048"]})", "is not of the form"},
           {R"({"rewrite": ["fastest"]})", "there is no pass 'fastest'"},
           {R"({"rewrite": [1]})", "is no text"}}) {
    auto space = readSpace(text, "s.json");
    ASSERT_FALSE(bool(space)) << text;
    const std::string message = messageOf(space.takeError());
    EXPECT_NE(message.find(says), std::string::npos) << text << ": " << message;
  }
}

TEST(TuneSpace, Problems) {
  auto problem = parseProblem("4096x16x1", "--size");
  ASSERT_TRUE(bool(problem));
  EXPECT_EQ(toString(*problem), "4096x16x1");
  for (const char *text :
       {"", "4096", "1x2", "1x2x3x4", "0x1x1", "1xx1", "-1x1x1", "1x1x1000000"}) {
    auto bad = parseProblem(text, "--size");
    EXPECT_FALSE(bool(bad)) << text;
    llvm::consumeError(bad.takeError());
  }
}

} // namespace
} // namespace rdna::tune::tuneSpaceTest
