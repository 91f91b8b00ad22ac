#include "Analysis/WhySingle.h"
#include "AsmSnippet.h"

namespace analysisWhySingleTest {

using namespace rdna;
using namespace rdna::test;

namespace {

std::vector<std::string> rules(std::string_view body) {
  const auto module = parseKernel(body);
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < module->instructions().size(); ++i)
    all.push_back(i);
  std::vector<std::string> result;
  for (const SingleFma &fma : whySingle(*module, buildCfg(*module, 0), all)) {
    result.emplace_back(toString(fma.rule));
    EXPECT_FALSE(fma.reason.empty());
    EXPECT_FALSE(fma.remedy.empty());
  }
  return result;
}

using Names = std::vector<std::string>;

TEST(AnalysisWhySingle, PairsAreNotListed) {
  EXPECT_EQ(
      rules("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10\nv_add_f32 v1, v2, v3"),
      Names{});
}

TEST(AnalysisWhySingle, OwnForm) {
  EXPECT_EQ(rules("v_fmac_f32_e64 v0, -v1, v2"), Names{"modifiers"});
  EXPECT_EQ(rules("v_fma_f32 v0, v1, v2, v0 clamp"), Names{"modifiers"});
  EXPECT_EQ(rules("v_fma_f32 v0, v1, v2, v3"), Names{"other-addend"});
  EXPECT_EQ(rules("v_fma_f32 v0, s1, s2, v0"), Names{"src1"});
  EXPECT_EQ(rules("v_dual_fmac_f32 v0, v4, v9 :: v_dual_mul_f32 v1, v7, v10"), Names{"mixed-pair"});
}

TEST(AnalysisWhySingle, NoPartner) {
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2"), Names{"no-partner"});
  // Under another EXEC is no partner either, nor is one in the next block.
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\ns_mov_b32 exec_lo, s0\nv_fmac_f32 v3, v4, v5"),
            (Names{"no-partner", "no-partner"}));
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\ns_cbranch_scc0 .Lx\n.Lx:\nv_fmac_f32 v3, v4, v5"),
            (Names{"no-partner", "no-partner"}));
}

TEST(AnalysisWhySingle, Dependence) {
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v0, v3, v4"),
            (Names{"dependence", "dependence"}));
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\nv_mul_f32 v5, v0, v6\nv_fmac_f32 v7, v5, v4"),
            (Names{"dependence", "dependence"}));
  // A value that the later one overwrites after the earlier one has read it is no obstacle: both
  // halves of a pair read before either writes.
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v1, v7, v4"), (Names{"nothing", "nothing"}));
}

TEST(AnalysisWhySingle, RegistersOfAPair) {
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v4, v7, v8"),
            (Names{"destination-parity", "destination-parity"}));
  // All four factors in bank 1: no order of them helps.
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v5\nv_fmac_f32 v3, v9, v13"),
            (Names{"src0-bank", "src0-bank"}));
  // src0 of banks 1 and 2; src1 both of bank 3, and swapping one brings 1 to 3 and 3 to 2.
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v3, v4, v7"), (Names{"nothing", "nothing"}));
  // Legal only with sources of one parity.
  EXPECT_EQ(rules("v_fmac_f32 v0, v1, v5\nv_fmac_f32 v3, v7, v11"),
            (Names{"parity-hazard", "parity-hazard"}));
}

TEST(AnalysisWhySingle, Constants) {
  EXPECT_EQ(rules("v_fmaak_f32 v0, v1, v2, 0x12345\nv_fmaak_f32 v3, v4, v7, 0x54321"),
            (Names{"literal-limit", "literal-limit"}));
  EXPECT_EQ(rules("v_fmac_f32 v0, 0x12345, v2\nv_fmac_f32 v3, 0x54321, v7"),
            (Names{"literal-limit", "literal-limit"}));
  EXPECT_EQ(rules("v_fmamk_f32 v0, v1, 0x12345, v2\nv_fmamk_f32 v3, v4, 0x12345, v6"),
            (Names{"src2-parity", "src2-parity"}));
  // One SGPR and one literal are allowed, two SGPRs and one literal are not.
  EXPECT_EQ(rules("v_fmac_f32 v0, s1, v2\nv_fmac_f32 v3, 0x54321, v7"),
            (Names{"nothing", "nothing"}));
  EXPECT_EQ(rules("v_fmaak_f32 v0, s1, v2, 0x12345\nv_fmaak_f32 v3, s2, v7, 0x12345"),
            (Names{"scalar-limit", "scalar-limit"}));
}

TEST(AnalysisWhySingle, NamesTheClosestPartner) {
  const auto module = parseKernel("v_fmac_f32 v0, v1, v2\nv_fmac_f32 v4, v7, v8\n"
                                  "v_fmac_f32 v5, v3, v9");
  const std::vector<uint32_t> all{0, 1, 2};
  const auto found = whySingle(*module, buildCfg(*module, 0), all);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].partner, 2u); // with 1 the destinations are both even
  EXPECT_EQ(found[2].rule, found[0].rule);
}

} // namespace

} // namespace analysisWhySingleTest
