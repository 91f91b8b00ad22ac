#include "Analysis/Cfg.h"
#include "AsmSnippet.h"

namespace analysisCfgTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::vector<uint32_t> successors(const Cfg &cfg, uint32_t block) {
  return {cfg.blocks[block].successors.begin(), cfg.blocks[block].successors.end()};
}

TEST(AnalysisCfg, StraightLineIsOneBlock) {
  const auto module = parseKernel("s_nop 0\n.Ltmp1:\ns_nop 1"); // nothing branches to .Ltmp1
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.blocks.size(), 1u);
  EXPECT_EQ(cfg.blocks[0].last, 3u);
  EXPECT_TRUE(cfg.loops.empty());
}

TEST(AnalysisCfg, Diamond) {
  const auto module = parseKernel("s_cbranch_scc0 .Lelse\n"   // block 0
                                  "s_nop 1\ns_branch .Lend\n" // 1
                                  ".Lelse:\ns_nop 2\n"        // 2
                                  ".Lend:\ns_nop 3");         // 3
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.blocks.size(), 4u);
  EXPECT_EQ(successors(cfg, 0), (std::vector<uint32_t>{2, 1}));
  EXPECT_EQ(successors(cfg, 1), (std::vector<uint32_t>{3}));
  EXPECT_EQ(successors(cfg, 2), (std::vector<uint32_t>{3}));
  EXPECT_EQ(cfg.blocks[3].immediateDominator, 0u);
  EXPECT_TRUE(cfg.dominates(0, 3));
  EXPECT_FALSE(cfg.dominates(1, 3));
  EXPECT_FALSE(cfg.dominates(2, 3));
  EXPECT_TRUE(cfg.dominates(3, 3));
  EXPECT_EQ(cfg.blockOf(2), 1u);
  EXPECT_FALSE(cfg.indirectJump);
}

TEST(AnalysisCfg, WhereAllWaysComeTogether) {
  const auto module = parseKernel("s_cbranch_scc0 .Lelse\n"         // block 0
                                  "s_nop 1\ns_branch .Lend\n"       // 1
                                  ".Lelse:\ns_cbranch_scc1 .Lx\n"   // 2
                                  "s_nop 2\n"                       // 3
                                  ".Lx:\ns_nop 3\n"                 // 4
                                  "s_cbranch_vccz .Lx\n"            //
                                  ".Lend:\ns_cbranch_execz .Lout\n" // 5
                                  "s_endpgm\n"                      // 6
                                  ".Lout:\ns_nop 4");               // 7
  using Blocks = std::vector<std::optional<uint32_t>>;
  EXPECT_EQ(immediatePostDominators(buildCfg(*module, 0)),
            (Blocks{5, 5, 4, 4, 5, std::nullopt, std::nullopt, std::nullopt}));
  // Of a loop that nothing leaves nothing is said.
  const auto endless = parseKernel("s_cbranch_scc0 .Lout\n.Lspin:\ns_nop 1\ns_branch .Lspin\n"
                                   ".Lout:\ns_nop 2");
  EXPECT_EQ(immediatePostDominators(buildCfg(*endless, 0))[1], std::nullopt);
}

TEST(AnalysisCfg, NestedLoopsWithTwoBackEdges) {
  const auto module = parseKernel("s_nop 0\n"                         // 0
                                  ".Louter:\ns_nop 1\n"               // 1
                                  ".Linner:\ns_nop 2\n"               // 2
                                  "s_cbranch_scc0 .Linner\n"          // 2
                                  "s_nop 3\ns_cbranch_scc1 .Linner\n" // 3
                                  "s_cbranch_vccz .Louter");          // 4
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.loops.size(), 2u);
  const Loop &outer = cfg.loops[0], &inner = cfg.loops[1];
  EXPECT_EQ(outer.label, ".Louter");
  EXPECT_EQ(outer.depth, 1u);
  EXPECT_EQ(outer.blocks, (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_FALSE(outer.isInnermost());
  EXPECT_EQ(inner.label, ".Linner");
  EXPECT_EQ(inner.depth, 2u);
  EXPECT_EQ(inner.blocks, (std::vector<uint32_t>{2, 3})); // two back edges, one loop
  EXPECT_EQ(inner.parent, 0u);
  EXPECT_TRUE(inner.isInnermost());
  EXPECT_EQ(cfg.loopOf(0), std::nullopt);
  EXPECT_EQ(cfg.loopOf(1), 0u);
  EXPECT_EQ(cfg.loopOf(3), 1u);
  EXPECT_EQ(loopInstructions(cfg, inner), (std::vector<uint32_t>{2, 3, 4, 5}));
}

TEST(AnalysisCfg, LoopIsNamedByTheLabelThatIsBranchedTo) {
  const auto module =
      parseKernel("s_nop 0\n.Ltmp0:\n.LBB0_1:\n.Ltmp1:\ns_nop 1\ns_cbranch_scc0 .LBB0_1");
  EXPECT_EQ(buildCfg(*module, 0).loops.at(0).label, ".LBB0_1");
}

TEST(AnalysisCfg, LoopThatIsClosedByFallingThrough) {
  // The header is entered by a branch from above; the latch stands right before it.
  const auto module = parseKernel("s_branch .Lhead\n"
                                  ".Llatch:\ns_nop 1\n"
                                  ".Lhead:\ns_nop 2\ns_cbranch_scc0 .Llatch");
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.loops.size(), 1u);
  EXPECT_EQ(cfg.loops[0].label, ".Lhead");
  EXPECT_EQ(cfg.loops[0].blocks, (std::vector<uint32_t>{1, 2}));
}

TEST(AnalysisCfg, LoopsOfOneBlockAndOfTheEntry) {
  const auto module = parseKernel(".Ltop:\ns_nop 1\ns_cbranch_scc0 .Ltop");
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.loops.size(), 1u);
  EXPECT_EQ(cfg.loops[0].header, 0u);
  EXPECT_EQ(cfg.loops[0].blocks, (std::vector<uint32_t>{0}));
}

TEST(AnalysisCfg, IrreducibleCycleIsNoNaturalLoop) {
  const auto module = parseKernel("s_cbranch_scc0 .Lb\n.La:\ns_nop 1\n.Lb:\ns_nop 2\n"
                                  "s_cbranch_scc1 .La");
  EXPECT_TRUE(buildCfg(*module, 0).loops.empty());
}

TEST(AnalysisCfg, UnreachableCode) {
  const auto module = parseKernel("s_endpgm\n.Ldead:\ns_nop 1\ns_cbranch_scc0 .Ldead");
  const Cfg cfg = buildCfg(*module, 0);
  EXPECT_TRUE(cfg.blocks[0].reachable);
  EXPECT_FALSE(cfg.blocks[1].reachable);
  EXPECT_TRUE(cfg.loops.empty());
}

TEST(AnalysisCfg, CallsAndIndirectJumps) {
  const auto calls = parseKernel("s_swappc_b64 s[30:31], s[4:5]\ns_nop 0");
  const Cfg withCall = buildCfg(*calls, 0);
  EXPECT_EQ(withCall.calls, (std::vector<uint32_t>{0}));
  EXPECT_FALSE(withCall.indirectJump);
  const auto jump = parseKernel("s_nop 0\ns_setpc_b64 s[4:5]");
  EXPECT_EQ(buildCfg(*jump, 0).indirectJump, 1u);
  const auto number = parseKernel("s_nop 0\ns_cbranch_scc0 4");
  EXPECT_EQ(buildCfg(*number, 0).indirectJump, 1u);
}

TEST(AnalysisCfg, LongChainsOfLoopsAreFast) {
  std::string body;
  for (int i = 0; i < 5000; ++i)
    body += fmt::format(".L{0}:\ns_nop 0\ns_cbranch_scc0 .L{0}\n", i);
  const auto module = parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  EXPECT_EQ(cfg.loops.size(), 5000u);
  EXPECT_TRUE(cfg.dominates(0, 4999));
}

} // namespace

} // namespace analysisCfgTest
