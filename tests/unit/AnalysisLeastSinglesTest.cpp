#include "Analysis/LeastSingles.h"
#include "AsmSnippet.h"

namespace analysisLeastSinglesTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::string least(std::string_view body) {
  const auto module = parseKernel(body);
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < module->instructions().size(); ++i)
    all.push_back(i);
  return toText(leastSingles(*module, buildCfg(*module, 0), all));
}

TEST(AnalysisLeastSingles, AnOddNumberLeavesOne) {
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v3, v4, v5"), "");
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v3, v4, v5\nv_fmac_f32 v6, v4, v5"),
            "1 of an odd number in a block");
  // Halves of pairs count: who is left over may be another one.
  EXPECT_EQ(least("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\n"
                  "v_fmac_f32 v3, v4, v5"),
            "1 of an odd number in a block");
}

TEST(AnalysisLeastSingles, BlocksAndMasksDoNotMeet) {
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\ns_mov_b32 exec_lo, s0\nv_fmac_f32 v3, v4, v5"),
            "2 of an odd number in a block");
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\ns_cbranch_scc0 .Lx\n.Lx:\nv_fmac_f32 v3, v4, v5"),
            "2 of an odd number in a block");
}

TEST(AnalysisLeastSingles, StepsOfOneSum) {
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v0, v3, v4"), "2 in a row on one accumulator");
  // One other FMA takes one of four steps along; three and one is no odd number.
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v0, v3, v4\nv_fmac_f32 v0, v5, v6\n"
                  "v_fmac_f32 v7, v5, v6"),
            "2 in a row on one accumulator");
  // The sum goes on in another register.
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_fmamk_f32 v3, v4, 0x40400000, v0"),
            "2 in a row on one accumulator");
  // A new value is a new sum.
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_mov_b32 v0, v9\nv_fmac_f32 v0, v3, v4"), "");
}

TEST(AnalysisLeastSingles, OtherChains) {
  EXPECT_EQ(least("v_fmaak_f32 v0, v0, v1, 0x40400000\nv_fmaak_f32 v0, v0, v1, 0x40e00000"),
            "2 in other chains");
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\nv_mul_f32 v5, v0, v6\nv_fmac_f32 v7, v5, v4"),
            "2 in other chains");
  // Each half of a pair needs only its own sources.
  EXPECT_EQ(least("v_dual_fmac_f32 v0, v4, v9 :: v_dual_mov_b32 v1, v7\nv_fmac_f32 v3, v1, v5"),
            "");
}

TEST(AnalysisLeastSingles, TwoChainsAndWhatStandsBeforeThem) {
  // Two chains of three from one FMA on: that one is alone, and with it the number is odd.
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\n"
                  "v_fmaak_f32 v3, v0, v1, 0x40400000\nv_fmaak_f32 v3, v3, v1, 0x40400000\n"
                  "v_fmaak_f32 v4, v0, v1, 0x40e00000\nv_fmaak_f32 v4, v4, v1, 0x40e00000\n"),
            "1 of an odd number in a block");
  // And one behind both: no chain has more than half, yet two stay alone.
  EXPECT_EQ(least("v_fmac_f32 v0, v1, v2\n"
                  "v_fmaak_f32 v3, v0, v1, 0x40400000\nv_fmaak_f32 v3, v3, v1, 0x40400000\n"
                  "v_fmaak_f32 v4, v0, v1, 0x40e00000\nv_fmaak_f32 v4, v4, v1, 0x40e00000\n"
                  "v_fmaak_f32 v5, v3, v4, 0x40e00000"),
            "2 in other chains");
}

} // namespace

} // namespace analysisLeastSinglesTest
