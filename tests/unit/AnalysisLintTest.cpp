#include "Analysis/Lint.h"
#include "AsmSnippet.h"

namespace analysisLintTest {

using namespace rdna;
using namespace rdna::test;

namespace {

/// "check@line" of each finding; the kernel's body begins in line 6.
std::vector<std::string> findings(std::string_view body, std::string_view fields = "") {
  const auto module = parseKernel(body, fields);
  std::vector<std::string> result;
  for (const LintFinding &finding : lintFunction(*module, buildCfg(*module, 0)))
    result.push_back(fmt::format("{}@{}", finding.check, finding.diagnostic.line));
  return result;
}

using Names = std::vector<std::string>;

TEST(AnalysisLint, VopdParity) {
  EXPECT_EQ(findings("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v6, v10"),
            Names{"vopd-parity@6"});
  EXPECT_EQ(findings("v_dual_fmac_f32 v0, v4, v9 :: v_dual_fmac_f32 v1, v7, v10"), Names{});
}

TEST(AnalysisLint, BufferOffset) {
  EXPECT_EQ(findings("buffer_load_b32 v1, v2, s[4:7], 0 offen offset:4096\n"
                     "buffer_load_b32 v1, off, s[4:7], s3 offset:5000\n"
                     "buffer_store_b32 v1, off, s[4:7], 0 offset:4095\n"
                     "buffer_load_b32 v1, v2, s[4:7], 0 offen"),
            (Names{"buffer-offset@6", "buffer-offset@7"}));
}

TEST(AnalysisLint, ClauseLength) {
  EXPECT_EQ(findings("s_clause 0x0\nds_load_b32 v1, v2"), Names{"clause-length@6"});
  EXPECT_EQ(findings("s_clause 0x1\nds_load_b32 v1, v2\nds_load_b32 v3, v2"), Names{});
}

TEST(AnalysisLint, ClauseMembers) {
  EXPECT_EQ(findings("s_clause 0x1\nds_load_b32 v1, v2\nglobal_load_b32 v3, v[4:5], off"),
            Names{"clause-members@8"});
  EXPECT_EQ(findings("s_clause 0x1\nglobal_load_b32 v3, v[4:5], off\n"
                     "global_store_b32 v[4:5], v6, off"),
            Names{"clause-members@8"});
  EXPECT_EQ(findings("s_clause 0x1\nglobal_load_b32 v3, v[4:5], off\ns_waitcnt vmcnt(0)\n"
                     "global_load_b32 v6, v[4:5], off"),
            Names{"clause-members@8"});
  EXPECT_EQ(findings("s_clause 0x2\nglobal_load_b32 v3, v[4:5], off\ns_nop 0\n"
                     "global_load_b32 v6, v[4:5], off"),
            Names{});
  EXPECT_EQ(findings("s_clause 0x1\ns_nop 0\nglobal_load_b32 v6, v[4:5], off"),
            Names{"clause-members@7"});
  EXPECT_EQ(findings("s_clause 0x5\nds_load_b32 v1, v2"), Names{"clause-members@8"}); // s_endpgm
}

TEST(AnalysisLint, SetPriority) {
  EXPECT_EQ(findings("s_setprio 3\ns_setprio 4\ns_setprio 0"), Names{"setprio-range@7"});
}

TEST(AnalysisLint, TransUse) {
  const std::string rcp = "v_rcp_f32 v1, v2\n", use = "v_add_f32 v3, v1, v4";
  const std::string other = "v_mov_b32 v9, v8\n", trans = "v_sqrt_f32 v10, v11\n";
  const auto repeat = [](const std::string &text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
      all += text;
    return all;
  };
  EXPECT_EQ(findings(rcp + use), Names{"trans-use@7"});
  EXPECT_EQ(findings(rcp + repeat(other, 5) + use), Names{"trans-use@12"});
  EXPECT_EQ(findings(rcp + repeat(other, 6) + use), Names{});
  EXPECT_EQ(findings(rcp + trans + use), Names{"trans-use@8"});
  EXPECT_EQ(findings(rcp + trans + trans + use), Names{});
  EXPECT_EQ(findings(rcp + "s_waitcnt_depctr 0xfff\n" + use), Names{}); // va_vdst = 0
  EXPECT_EQ(findings(rcp + "s_waitcnt_depctr 0xffff\n" + use), Names{"trans-use@8"});
  EXPECT_EQ(findings(rcp + "ds_load_b32 v20, v21\n" + use), Names{}); // waits by itself
  EXPECT_EQ(findings(rcp + "s_nop 7\n" + use), Names{"trans-use@8"});
  EXPECT_EQ(findings(rcp + "v_rcp_f32 v5, v1"), Names{"trans-use@7"}); // another trans too
  EXPECT_EQ(findings(rcp + "v_dual_mul_f32 v12, v1, v4 :: v_dual_mov_b32 v13, v6"),
            Names{"trans-use@7"});
}

TEST(AnalysisLint, TransUseAcrossBlocks) {
  EXPECT_EQ(findings("v_rcp_f32 v1, v2\ns_cbranch_scc0 .Luse\nv_mov_b32 v9, v8\n"
                     ".Luse:\nv_add_f32 v3, v1, v4"),
            Names{"trans-use@10"});
  EXPECT_EQ(findings(".Lloop:\nv_add_f32 v3, v1, v4\nv_rcp_f32 v1, v2\ns_cbranch_scc0 .Lloop"),
            Names{"trans-use@7"});
}

TEST(AnalysisLint, Mad64Overlap) {
  EXPECT_EQ(findings("v_mad_u64_u32 v[2:3], null, v1, s4, v[2:3]\n"
                     "v_mad_u64_u32 v[2:3], null, v1, s4, v[3:4]\n"
                     "v_mad_i64_i32 v[2:3], null, v3, s4, v[6:7]\n"
                     "v_mad_u64_u32 v[2:3], null, v1, s4, v[4:5]"),
            (Names{"mad64-overlap@6", "mad64-overlap@7", "mad64-overlap@8"}));
}

TEST(AnalysisLint, CmpxPermlane) {
  EXPECT_EQ(findings("v_cmpx_lt_f32 v1, v2\nv_permlane16_b32 v3, v4, s0, s1"),
            Names{"cmpx-permlane@7"});
  EXPECT_EQ(findings("v_cmpx_lt_f32 v1, v2\nv_mov_b32 v5, v6\nv_permlane16_b32 v3, v4, s0, s1"),
            Names{});
}

TEST(AnalysisLint, DeallocVgprs) {
  EXPECT_EQ(findings("s_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"), Names{});
  EXPECT_EQ(findings("v_mov_b32 v1, v2\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"),
            Names{"dealloc-vgprs@7"});
  EXPECT_EQ(findings("s_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\nv_mov_b32 v1, v2"),
            Names{"dealloc-vgprs@7"});
}

TEST(AnalysisLint, VgprCount) {
  EXPECT_EQ(findings("v_mov_b32 v63, v2"), Names{});
  EXPECT_EQ(findings("v_mov_b32 v64, v2"), Names{"vgpr-count@10"}); // 64 declared
  EXPECT_EQ(findings("ds_load_b64 v[63:64], v2"), Names{"vgpr-count@10"});
}

TEST(AnalysisLint, TooManyVgprs) {
  const auto module = parseText("\t.text\nk:\n s_endpgm\n\t.amdhsa_kernel k\n"
                                "\t.amdhsa_next_free_vgpr 300\n\t.amdhsa_next_free_sgpr 8\n"
                                "\t.end_amdhsa_kernel\n");
  const auto found = lintFunction(*module, buildCfg(*module, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_STREQ(found[0].check, "vgpr-count");
  EXPECT_EQ(found[0].diagnostic.line, 5u);
}

} // namespace

} // namespace analysisLintTest
