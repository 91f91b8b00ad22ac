#include "Analysis/Waits.h"
#include "AsmSnippet.h"

#include <array>
#include <numeric>

namespace analysisWaitsTest {

using namespace rdna;
using namespace rdna::test;

namespace {

RegRange vgpr(unsigned number) { return {RegUnit::vgpr(number), 1, Half::Whole}; }
RegRange sgpr(unsigned number) { return {RegUnit::scalar(number), 1, Half::Whole}; }

/// What is in flight behind a few lines in a kernel.
WaitState behind(std::string_view lines) {
  const auto module = parseKernel(lines);
  WaitState state;
  for (const Instruction &inst : module->instructions())
    if (inst.unit != Unit::End)
      state.step(inst);
  return state;
}

TEST(AnalysisWaits, CountsWhatIsYounger) {
  const WaitState state =
      behind("ds_load_b32 v1, v0\nds_load_b32 v2, v0\nds_store_b32 v0, v3\n"
             "global_load_b32 v4, v[8:9], off\nglobal_load_b32 v5, v[8:9], off");
  EXPECT_EQ(state.needed(vgpr(1)), (WaitCounts{{}, 2, {}}));
  EXPECT_EQ(state.needed(vgpr(2)), (WaitCounts{{}, 1, {}}));
  EXPECT_EQ(state.needed(vgpr(4)), (WaitCounts{1, {}, {}}));
  EXPECT_EQ(state.needed({vgpr(2), vgpr(5)}), (WaitCounts{0, 1, {}}));
  EXPECT_FALSE(state.needed(vgpr(3)).any());
}

TEST(AnalysisWaits, DsNopIsNotCounted) {
  EXPECT_EQ(behind("ds_load_b32 v1, v0\nds_nop").needed(vgpr(1)), (WaitCounts{{}, 0, {}}));
}

TEST(AnalysisWaits, EveryWaitCompletes) {
  for (const char *wait : {"s_waitcnt lgkmcnt(1)", "s_waitcnt_lgkmcnt null, 0x1", "s_wait_idle"}) {
    const WaitState state = behind(std::string("ds_load_b32 v1, v0\nds_load_b32 v2, v0\n") + wait);
    EXPECT_FALSE(state.needed(vgpr(1)).any()) << wait;
    EXPECT_EQ(state.isPending(2), std::string_view(wait) != "s_wait_idle") << wait;
  }
}

TEST(AnalysisWaits, ScalarLoadsHaveNoOrder) {
  const WaitState state = behind("ds_load_b32 v1, v0\ns_load_b32 s4, s[2:3], 0x0\n"
                                 "s_load_b32 s5, s[2:3], 0x0\nds_load_b32 v2, v0\n"
                                 "ds_load_b32 v3, v0\ns_waitcnt lgkmcnt(2)");
  EXPECT_TRUE(state.hasScalarLoads());
  EXPECT_FALSE(state.isPending(1)); // LDS operations are in order among themselves.
  EXPECT_EQ(state.needed(vgpr(2)), (WaitCounts{{}, 0, {}}));
  EXPECT_EQ(state.needed(sgpr(4)), (WaitCounts{{}, 0, {}}));
  const WaitState scalars = behind("s_load_b32 s4, s[2:3], 0x0\ns_load_b32 s5, s[2:3], 0x0\n"
                                   "s_waitcnt lgkmcnt(1)");
  EXPECT_EQ(scalars.needed(sgpr(4)), (WaitCounts{{}, 0, {}}));
  EXPECT_FALSE(behind("s_load_b32 s4, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)").hasScalarLoads());
}

TEST(AnalysisWaits, SamplesHaveNoOrder) {
  const WaitState state =
      behind("global_load_b32 v1, v[8:9], off\n"
             "image_sample v2, v0, s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D\n"
             "global_load_b32 v3, v[8:9], off\nglobal_load_b32 v4, v[8:9], off\n"
             "s_waitcnt vmcnt(2)");
  EXPECT_TRUE(state.hasSamples());
  EXPECT_TRUE(state.isPending(2));
  EXPECT_FALSE(state.isPending(1));
  EXPECT_EQ(state.needed(vgpr(3)), (WaitCounts{0, {}, {}}));
}

/// What was in flight where a region begins is waited for by a count only if it is in order.
TEST(AnalysisWaits, SamplesFromBeforeAreWaitedForByZeroAlone) {
  const auto module =
      parseKernel("image_sample v2, v0, s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D\n"
                  "global_load_b32 v3, v[8:9], off\ns_waitcnt vmcnt(1)\ns_waitcnt vmcnt(0)\n"
                  "global_load_b32 v3, v[8:9], off");
  const auto inst = [&](uint32_t i) -> const Instruction & { return module->instructions()[i]; };
  std::array<uint16_t, kRegUnits> same{};
  std::iota(same.begin(), same.end(), uint16_t(0));
  WaitState was, now;
  for (WaitState *state : {&was, &now}) {
    state->step(inst(0));
    state->startHere();
    state->step(inst(1));
  }
  was.step(inst(2));
  EXPECT_FALSE(now.neededToMatch(was, same).any()); // The sample may be the one in flight.
  was.step(inst(3));
  was.step(inst(4));
  EXPECT_EQ(now.neededToMatch(was, same), (WaitCounts{0, {}, {}}));
}

TEST(AnalysisWaits, FlatMayComeByEitherWay) {
  const WaitState state = behind("flat_load_b32 v1, v[8:9]\nds_load_b32 v2, v0");
  EXPECT_TRUE(state.isFlat(1));
  EXPECT_FALSE(state.isFlat(2));
  EXPECT_EQ(state.needed(vgpr(1)), (WaitCounts{0, 1, {}}));
}

TEST(AnalysisWaits, ACalleeMayLeaveAnything) {
  const WaitState state = behind("s_swappc_b64 s[30:31], s[4:5]");
  EXPECT_EQ(state.needed(vgpr(7)), (WaitCounts{0, 0, {}}));
  // What the text touches without a wait is meant to be there, until it waits for some of it.
  EXPECT_FALSE(behind("s_swappc_b64 s[30:31], s[4:5]\nv_mov_b32 v6, v7").isPending(7));
  EXPECT_TRUE(
      behind("s_swappc_b64 s[30:31], s[4:5]\ns_waitcnt vmcnt(1)\nv_mov_b32 v6, v7").isPending(7));
}

TEST(AnalysisWaits, PathsKeepTheYounger) {
  const auto module = parseKernel("ds_load_b32 v1, v0\ns_cbranch_scc0 .La\n"
                                  "ds_load_b32 v2, v0\nds_load_b32 v3, v0\n.La:\ns_nop 0");
  const Cfg cfg = buildCfg(*module, 0);
  const WaitState state = computeWaits(*module, cfg)[2];
  EXPECT_EQ(state.needed(vgpr(1)), (WaitCounts{{}, 0, {}}));
  EXPECT_EQ(state.needed(vgpr(2)), (WaitCounts{{}, 1, {}}));
}

TEST(AnalysisWaits, APlanHasItsOwnCounts) {
  const auto module = parseKernel("ds_load_b32 v1, v0\nds_load_b32 v2, v0\ns_waitcnt lgkmcnt(0)\n"
                                  ".La:\ns_cbranch_scc0 .La");
  const Cfg cfg = buildCfg(*module, 0);
  EXPECT_FALSE(computeWaits(*module, cfg)[1].isPending(2));
  const WaitPlan plan{{2, WaitCounts{{}, 1, {}}}};
  EXPECT_FALSE(computeWaits(*module, cfg, plan)[1].isPending(1));
  EXPECT_TRUE(computeWaits(*module, cfg, plan)[1].isPending(2));
}

TEST(AnalysisWaits, QueuesTellLevels) {
  OperationQueue queue;
  EXPECT_EQ(queue.inherited(), 1000000U); // Any number.
  queue.issue(3);
  queue.wait(5);
  EXPECT_EQ(queue.level(), -2);
  EXPECT_EQ(queue.inherited(), 2U);
  EXPECT_EQ(queue.outstanding(), 3U);
  queue.wait(1);
  queue.wait(2);
  EXPECT_EQ(queue.level(), 2);
  EXPECT_EQ(queue.complete(), 2U);
  EXPECT_EQ(queue.outstanding(), 1U);
  EXPECT_EQ(queue.countFor(3), 0U);
  queue.issue(100);
  EXPECT_EQ(queue.countFor(3), kHighestCount);
}

} // namespace

} // namespace analysisWaitsTest
