// What reports show of each instruction: its kind, VGPRs in use, its source line.

#include "AsmSnippet.h"

#include "Analysis/Callees.h"
#include "Analysis/Mix.h"
#include "Analysis/Pressure.h"
#include "Analysis/SourcePlaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace rdna::analysisReportTest {
namespace {

using test::parseKernel;
using testing::ElementsAre;

TEST(Pressure, CountsWhatIsStillReadAndWhatIsWritten) {
  const auto module = parseKernel("v_mov_b32_e32 v1, 0\n"
                                  "v_mov_b32_e32 v2, 0\n"
                                  "v_add_f32_e32 v3, v1, v2\n"
                                  "v_mov_b32_e32 v9, 0\n" // Nobody reads it.
                                  "global_store_b32 v0, v3, s[0:1]\n");
  EXPECT_THAT(vgprPressure(*module, buildCfg(*module, 0)), ElementsAre(2, 3, 4, 3, 2, 0));
}

TEST(Pressure, FollowsLoops) {
  const auto module = parseKernel(".Lloop:\n"
                                  "v_mov_b32_e32 v1, 0\n"
                                  "v_add_f32_e32 v0, v0, v1\n" // v0 goes round.
                                  "s_cbranch_scc0 .Lloop\n");
  EXPECT_THAT(vgprPressure(*module, buildCfg(*module, 0)), ElementsAre(2, 2, 1, 0));
}

TEST(Pressure, IsZeroWhereNoPathLeads) {
  const auto module = parseKernel("s_branch .Lend\n"
                                  "v_mov_b32_e32 v1, v2\n"
                                  ".Lend:");
  EXPECT_THAT(vgprPressure(*module, buildCfg(*module, 0)), ElementsAre(0, 0, 0));
}

TEST(Mix, EveryInstructionHasOneKind) {
  const auto module = parseKernel("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"
                                  "v_dual_mov_b32 v0, 0 :: v_dual_fmac_f32 v1, v7, v10\n"
                                  "v_fmac_f32_e32 v0, v1, v2\n"
                                  "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]\n"
                                  "v_rcp_f32_e32 v0, v1\n"
                                  "v_add_f32_e32 v0, v1, v2\n"
                                  "s_add_u32 s0, s1, s2\n"
                                  "s_load_b32 s0, s[2:3], 0x0\n"
                                  "ds_load_b32 v0, v1\n"
                                  "global_load_b32 v0, v1, s[0:1]\n"
                                  "buffer_load_b32 v0, v1, s[0:3], 0 offen\n"
                                  "s_waitcnt lgkmcnt(0)\n"
                                  "s_barrier\n"
                                  "s_delay_alu instid0(VALU_DEP_1)\n"
                                  "s_clause 0x1\n");
  std::vector<uint32_t> all(module->instructions().size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_THAT(instructionMix(*module, all),
              ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 0));
}

TEST(SourcePlaces, FollowsTheDebugLines) {
  const auto module = parseKernel(".file 0 \"/src\" \"kernel.hip\"\n"
                                  ".file 1 \"/src\" \"/usr/include/a \\\"b\\\".h\"\n"
                                  "s_nop 0\n"
                                  ".loc 0 12 3 prologue_end\n"
                                  "s_nop 1\n"
                                  "s_nop 2\n"
                                  "\t.loc\t1 7 0\n"
                                  "s_nop 3\n"
                                  ".loc 1 0 0\n");
  const auto instructions = static_cast<uint32_t>(module->instructions().size());
  const SourcePlaces places = sourcePlaces(*module, 0, instructions);
  EXPECT_THAT(places.files, ElementsAre("/src/kernel.hip", "/usr/include/a \"b\".h"));
  std::vector<uint32_t> lines, files;
  for (const SourcePlace &place : places.of) {
    lines.push_back(place.line);
    files.push_back(place.file);
  }
  EXPECT_THAT(lines, ElementsAre(0, 12, 12, 7, 0));
  EXPECT_THAT(files, ElementsAre(0, 0, 0, 1, 0));
}

TEST(SourcePlaces, OfALoopIsTheBranchBack) {
  const auto module = parseKernel(".file 0 \"/src\" \"kernel.hip\"\n"
                                  ".loc 0 2 0\n"
                                  "s_mov_b32 s0, 0\n"
                                  ".LBB0_1:\n"
                                  ".loc 0 4 0\n"
                                  "s_add_i32 s0, s0, 1\n"
                                  ".loc 0 3 0\n"
                                  "s_cbranch_scc0 .LBB0_1\n"
                                  ".LBB0_2:\n"
                                  ".loc 0 6 0\n"
                                  "s_add_i32 s0, s0, 1\n"
                                  ".loc 0 0 0\n" // Made by the compiler: the line before counts.
                                  "s_cbranch_scc0 .LBB0_2\n");
  const auto instructions = static_cast<uint32_t>(module->instructions().size());
  const SourcePlaces places = sourcePlaces(*module, 0, instructions);
  const Cfg cfg = buildCfg(*module, 0);
  ASSERT_EQ(cfg.loops.size(), 2u);
  EXPECT_EQ(shortName(places, placeOfLoop(places, cfg, cfg.loops[0])), "kernel.hip:3");
  EXPECT_EQ(shortName(places, placeOfLoop(places, cfg, cfg.loops[1])), "kernel.hip:6");
  EXPECT_EQ(shortName(places, {}), "");
}

/// The callees of a kernel's calls.
std::vector<std::string> callees(std::string_view body) {
  const auto module = parseKernel(body);
  return calleesOf(*module, buildCfg(*module, 0));
}

TEST(Callees, AreNamedByTheirAddress) {
  EXPECT_THAT(callees("s_getpc_b64 s[0:1]\n"
                      "s_add_u32 s0, s0, _Z5twistfi@rel32@lo+4\n"
                      "s_addc_u32 s1, s1, _Z5twistfi@rel32@hi+12\n"
                      "s_mov_b64 s[4:5], s[0:1]\n"
                      "s_swappc_b64 s[30:31], s[4:5]\n"),
              ElementsAre("_Z5twistfi"));
  // Through the table of addresses, made before a loop.
  EXPECT_THAT(callees("s_getpc_b64 s[0:1]\n"
                      "s_add_u32 s0, s0, far@gotpcrel32@lo+4\n"
                      "s_addc_u32 s1, s1, far@gotpcrel32@hi+12\n"
                      "s_load_b64 s[2:3], s[0:1], 0x0\n"
                      ".LBB0_1:\n"
                      "s_swappc_b64 s[30:31], s[2:3]\n"
                      "s_cbranch_scc0 .LBB0_1\n"),
              ElementsAre("far"));
}

TEST(Callees, OfAPointerHaveNoName) {
  EXPECT_THAT(callees("s_swappc_b64 s[30:31], s[4:5]\n"), ElementsAre(""));
  // Which of the two it is depends on the way.
  EXPECT_THAT(callees("s_getpc_b64 s[0:1]\n"
                      "s_add_u32 s0, s0, one@rel32@lo+4\n"
                      "s_addc_u32 s1, s1, one@rel32@hi+12\n"
                      "s_cbranch_scc0 .LBB0_1\n"
                      "s_getpc_b64 s[0:1]\n"
                      "s_add_u32 s0, s0, two@rel32@lo+4\n"
                      "s_addc_u32 s1, s1, two@rel32@hi+12\n"
                      ".LBB0_1:\n"
                      "s_swappc_b64 s[30:31], s[0:1]\n"),
              ElementsAre(""));
}

TEST(SourcePlaces, AreNoneWithoutDebugLines) {
  const auto module = parseKernel("");
  EXPECT_TRUE(sourcePlaces(*module, 0, 1).files.empty());
}

} // namespace
} // namespace rdna::analysisReportTest
