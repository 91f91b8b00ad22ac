#include "Analysis/Liveness.h"
#include "AsmSnippet.h"

namespace analysisLivenessTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::vector<unsigned> members(const VgprSet &set) {
  std::vector<unsigned> result;
  for (unsigned v = 0; v < 256; ++v)
    if (set.test(v))
      result.push_back(v);
  return result;
}

TEST(AnalysisLiveness, StraightLine) {
  const auto module = parseKernel("v_mov_b32 v2, v1\nv_add_f32 v3, v2, v4\n"
                                  "global_store_b32 v[6:7], v3, off");
  const Cfg cfg = buildCfg(*module, 0);
  const Liveness live = computeLiveness(*module, cfg);
  EXPECT_EQ(members(live.liveIn[0]), (std::vector<unsigned>{1, 4, 6, 7}));
  EXPECT_TRUE(live.liveOut[0].none());
}

TEST(AnalysisLiveness, AccumulatorsLiveAroundTheLoop) {
  const auto module = parseKernel("v_mov_b32 v1, 0\n"
                                  ".Lloop:\nv_fmac_f32 v1, v2, v3\ns_cbranch_scc0 .Lloop\n"
                                  "global_store_b32 v[6:7], v1, off");
  const Cfg cfg = buildCfg(*module, 0);
  const Liveness live = computeLiveness(*module, cfg);
  EXPECT_EQ(members(live.liveIn[0]), (std::vector<unsigned>{2, 3, 6, 7}));
  EXPECT_EQ(members(live.liveIn[1]), (std::vector<unsigned>{1, 2, 3, 6, 7}));
  EXPECT_EQ(members(live.liveOut[1]), (std::vector<unsigned>{1, 2, 3, 6, 7}));
}

TEST(AnalysisLiveness, WriteUnderNarrowedExecDoesNotKill) {
  // Lanes that the mask leaves out keep the old v1.
  const auto module = parseKernel("v_mov_b32 v1, v2\ns_and_saveexec_b32 s0, vcc_lo\n"
                                  "v_mov_b32 v1, v3\ns_mov_b32 exec_lo, s0\n"
                                  "global_store_b32 v[6:7], v1, off");
  const Cfg cfg = buildCfg(*module, 0);
  const Liveness live = computeLiveness(*module, cfg);
  LiveWalk walk(live, 0);
  for (uint32_t i = 4; i > 1; --i)
    walk.stepOver(module->instructions()[i]);
  EXPECT_TRUE(walk.live().test(1));
  EXPECT_NE(live.epochOf(0), live.epochOf(2));
  EXPECT_NE(live.epochOf(2), live.epochOf(4));
}

TEST(AnalysisLiveness, PartialWritesKeepTheRegisterAlive) {
  const auto module = parseKernel("global_load_d16_b16 v1, v[2:3], off\ns_waitcnt vmcnt(0)\n"
                                  "global_store_b32 v[6:7], v1, off");
  const Liveness live = computeLiveness(*module, buildCfg(*module, 0));
  EXPECT_EQ(members(live.liveIn[0]), (std::vector<unsigned>{1, 2, 3, 6, 7}));
}

TEST(AnalysisLiveness, Tuples) {
  const auto module = parseKernel("ds_load_b128 v[4:7], v1\nglobal_store_b64 v[8:9], v[5:6], off");
  const auto &all = module->instructions();
  EXPECT_EQ(members(vgprWrites(all[0])), (std::vector<unsigned>{4, 5, 6, 7}));
  EXPECT_EQ(members(vgprReads(all[1])), (std::vector<unsigned>{5, 6, 8, 9}));
  EXPECT_EQ(members(vgprFullWrites(all[0])), (std::vector<unsigned>{4, 5, 6, 7}));
}

} // namespace

} // namespace analysisLivenessTest
