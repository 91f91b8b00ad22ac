#include "Analysis/Dataflow.h"
#include "Analysis/ScalarFlow.h"
#include "Analysis/Segments.h"
#include "AsmSnippet.h"

#include <algorithm>

namespace analysisDataflowTest {

using namespace rdna;
using namespace rdna::test;

namespace {

using Blocks = std::set<uint32_t>;

/// Which blocks lie on the paths to a block (or from it on).
template <Direction direction_> struct Passed {
  using State = Blocks;
  static constexpr Direction direction = direction_;
  unsigned visits = 0;

  Blocks boundary(uint32_t) const { return {}; }
  void join(Blocks &into, const Blocks &from, Edge) const { into.insert(from.begin(), from.end()); }
  void apply(uint32_t block, Blocks &state) {
    state.insert(block);
    ++visits;
  }
};

/// Two loops, one in the other, and code that nothing reaches.
const char *const kLoops = "s_mov_b32 s0, 0\n"
                           ".Louter:\ns_mov_b32 s1, 0\n"
                           ".Linner:\ns_add_i32 s1, s1, 1\ns_cbranch_scc0 .Linner\n"
                           "s_cbranch_vccnz .Louter\ns_branch .Lend\n"
                           "s_nop 0\n"
                           ".Lend:\ns_nop 1";

TEST(AnalysisDataflow, ForwardAroundLoops) {
  const auto module = parseKernel(kLoops);
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.blocks.size(), 7U);
  Passed<Direction::Forward> problem;
  const auto states = solve(cfg, problem);
  EXPECT_EQ(states.atStart[0], Blocks());
  EXPECT_EQ(states.atStart[1], (Blocks{0, 1, 2, 3}));
  EXPECT_EQ(states.atStart[2], (Blocks{0, 1, 2, 3}));
  EXPECT_EQ(states.atEnd[4], (Blocks{0, 1, 2, 3, 4}));
  EXPECT_EQ(states.atStart[5], Blocks()); // Nothing leads there, but it leads on.
  EXPECT_EQ(states.atStart[6], (Blocks{0, 1, 2, 3, 4, 5}));
}

TEST(AnalysisDataflow, BackwardAroundLoops) {
  const auto module = parseKernel(kLoops);
  Passed<Direction::Backward> problem;
  const auto states = solve(buildCfg(*module, 0), problem);
  EXPECT_EQ(states.atEnd[6], Blocks());
  EXPECT_EQ(states.atEnd[3], (Blocks{1, 2, 3, 4, 6}));
  EXPECT_EQ(states.atStart[5], (Blocks{5, 6}));
  EXPECT_EQ(states.atStart[0], (Blocks{0, 1, 2, 3, 4, 6}));
}

TEST(AnalysisDataflow, StopsWhereItIsTold) {
  const auto module = parseKernel(kLoops);
  Passed<Direction::Forward> problem;
  solve(buildCfg(*module, 0), problem, 9);
  EXPECT_EQ(problem.visits, 9U);
}

/// What comes over one edge only.
struct EdgesOnly {
  using State = std::set<std::pair<uint32_t, uint32_t>>;
  static constexpr Direction direction = Direction::Backward;
  State boundary(uint32_t) const { return {}; }
  void join(State &into, const State &, Edge edge) const { into.insert({edge.from, edge.to}); }
  void apply(uint32_t, State &) const {}
};

TEST(AnalysisDataflow, EdgesAreThoseOfTheGraph) {
  const auto module = parseKernel(kLoops);
  EdgesOnly problem;
  const auto states = solve(buildCfg(*module, 0), problem);
  EXPECT_EQ(states.atEnd[2], (EdgesOnly::State{{2, 2}, {2, 3}}));
}

TEST(AnalysisDataflow, WalksAskABlockOnce) {
  const auto module = parseKernel(kLoops);
  const Cfg cfg = buildCfg(*module, 0);
  const auto asked = [&](uint32_t start, Direction direction, uint32_t end) {
    std::vector<uint32_t> blocks;
    walkFrom(cfg, {start}, direction, [&](uint32_t b) {
      blocks.push_back(b);
      return b == end ? Walk::Stop : Walk::GoOn;
    });
    std::sort(blocks.begin(), blocks.end());
    return blocks;
  };
  EXPECT_EQ(asked(1, Direction::Forward, 4), (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(asked(3, Direction::Backward, 2), (std::vector<uint32_t>{2, 3}));
}

TEST(AnalysisDataflow, ConstantsOfEveryPath) {
  const auto module = parseKernel("s_mov_b32 s0, 3\ns_mov_b32 s1, 4\n"
                                  ".Lloop:\ns_add_i32 s1, s1, 1\ns_cbranch_scc0 .Lloop\ns_nop 0");
  const Cfg cfg = buildCfg(*module, 0);
  const auto at = [&](OwnEdges own, unsigned sgpr) {
    return scalarsAtStart(*module, cfg, 1, own)[RegUnit::scalar(sgpr).index];
  };
  EXPECT_EQ(at(OwnEdges::Follow, 0), 3U);
  EXPECT_EQ(at(OwnEdges::Follow, 1), std::nullopt);
  EXPECT_EQ(at(OwnEdges::Ignore, 1), 4U);
}

TEST(AnalysisSegments, PathsThatMeetOrPartCutThem) {
  const auto module = parseKernel("s_nop 0\ns_branch .La\n"
                                  ".La:\ns_cbranch_scc0 .Lb\n"
                                  ".Lb:\ns_branch .Lc\n"
                                  "s_nop 1\n"
                                  ".Lc:\ns_nop 2\n"
                                  ".Lloop:\ns_cbranch_scc1 .Lloop");
  const Cfg cfg = buildCfg(*module, 0);
  // Both ways of the branch lead to .Lb, and nothing leads to s_nop 1.
  ASSERT_EQ(cfg.blocks.size(), 7U);
  EXPECT_EQ(straightSegments(*module, cfg),
            (std::vector<std::vector<uint32_t>>{{0, 1}, {2}, {4}, {5}, {6}}));
}

} // namespace

} // namespace analysisDataflowTest
