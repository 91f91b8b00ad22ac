// Rules of one text: waits, hazards, clauses, register counts.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyStructureTest {
namespace {

using testing::HasSubstr;

std::string errorsOf(std::string_view body, std::string_view fields = "") {
  return structureErrors(*parseKernel(body, fields));
}

TEST(VerifyWaits, UseOfALoadNeedsItsWait) {
  const std::string body = "	ds_load_b32 v1, v0\n	s_waitcnt lgkmcnt(0)\n	v_mov_b32_e32 v2, "
                           "v1";
  EXPECT_EQ(errorsOf(body), "");
  EXPECT_THAT(errorsOf(replaced(body, "	s_waitcnt lgkmcnt(0)\n", "")),
              HasSubstr("v1 is read before a wait"));
  EXPECT_NE(errorsOf(replaced(body, "lgkmcnt(0)", "vmcnt(0)")), "");
  EXPECT_NE(errorsOf(replaced(body, "lgkmcnt(0)", "lgkmcnt(1)")), "");
  EXPECT_THAT(errorsOf("	global_load_b32 v1, v0, s[4:5]\n	v_mov_b32_e32 v1, 0"),
              HasSubstr("overwritten"));
  EXPECT_NE(errorsOf("	global_load_b32 v1, v0, s[4:5]\n	ds_store_b32 v0, v1"), "");
}

TEST(VerifyWaits, CountsOperationsOfOneClass) {
  const std::string three =
      "	global_load_b32 v1, v0, s[4:5]\n	global_load_b32 v2, v0, s[6:7]\n"
      "	global_load_b32 v3, v0, s[8:9]\n";
  EXPECT_EQ(errorsOf(three + "	s_waitcnt vmcnt(2)\n	v_mov_b32_e32 v4, v1"), "");
  EXPECT_NE(errorsOf(three + "	s_waitcnt vmcnt(2)\n	v_mov_b32_e32 v4, v2"), "");
  EXPECT_EQ(errorsOf(three + "	s_waitcnt vmcnt(1)\n	v_mov_b32_e32 v4, v2"), "");
  // A store has a counter of its own.
  EXPECT_NE(errorsOf("	global_load_b32 v1, v0, s[4:5]\n	global_store_b32 v0, v5, s[4:5]\n"
                     "	s_waitcnt vmcnt(1)\n	v_mov_b32_e32 v4, v1"),
            "");
}

TEST(VerifyWaits, ScalarLoadsComeInAnyOrder) {
  const std::string loads = "	s_load_b32 s6, s[0:1], 0x0\n	s_load_b32 s7, s[0:1], 0x4\n";
  EXPECT_EQ(errorsOf(loads + "	s_waitcnt lgkmcnt(0)\n	s_mov_b32 s8, s6"), "");
  EXPECT_NE(errorsOf(loads + "	s_waitcnt lgkmcnt(1)\n	s_mov_b32 s8, s6"), "");
  // An LDS load in front of a scalar one may be overtaken by it.
  EXPECT_NE(errorsOf("	ds_load_b32 v1, v0\n	s_load_b32 s6, s[0:1], 0x0\n"
                     "	s_waitcnt lgkmcnt(1)\n	v_mov_b32_e32 v2, v1"),
            "");
}

TEST(VerifyWaits, FlatLoadsCountTwice) {
  const std::string load = "	flat_load_b32 v1, v[2:3]\n";
  EXPECT_EQ(errorsOf(load + "	s_waitcnt vmcnt(0) lgkmcnt(0)\n	v_mov_b32_e32 v4, v1"), "");
  EXPECT_NE(errorsOf(load + "	s_waitcnt vmcnt(0)\n	v_mov_b32_e32 v4, v1"), "");
  EXPECT_NE(errorsOf(load + "	s_waitcnt lgkmcnt(0)\n	v_mov_b32_e32 v4, v1"), "");
}

TEST(VerifyWaits, FollowsPathsAndBackEdges) {
  const std::string body =
      ".LBB0_1:\n	v_add_f32_e32 v2, v2, v1\n	global_load_b32 v1, v0, s[4:5]\n"
      "	s_add_i32 s2, s2, 1\n	s_cmp_lg_u32 s2, 8\n	s_cbranch_scc1 .LBB0_1\n";
  EXPECT_THAT(errorsOf(body), HasSubstr("v1 is read"));
  EXPECT_EQ(errorsOf(replaced(body, "	s_cbranch", "	s_waitcnt vmcnt(0)\n	s_cbranch")), "");
  // One of two paths waits.
  EXPECT_NE(errorsOf("	global_load_b32 v1, v0, s[4:5]\n	s_cmp_eq_u32 s2, 0\n"
                     "	s_cbranch_scc1 .LBB0_2\n	s_waitcnt vmcnt(0)\n.LBB0_2:\n"
                     "	v_mov_b32_e32 v2, v1"),
            "");
}

TEST(VerifyStructure, TranscendentalResultsNeedAGap) {
  const std::string body = "	v_rcp_f32_e32 v1, v0\n	v_add_f32_e32 v2, v2, v1";
  EXPECT_THAT(errorsOf(body), HasSubstr("too soon"));
  EXPECT_EQ(errorsOf(replaced(body, "	v_add", "	s_waitcnt_depctr 0xfff\n	v_add")),
            "");
}

TEST(VerifyStructure, MultiplyAddMustNotOverlap) {
  EXPECT_EQ(errorsOf("	v_mad_u64_u32 v[6:7], null, v2, v3, v[4:5]\n	v_mov_b32_e32 v1, v7\n"
                     "	global_store_b32 v0, v1, s[4:5]"),
            "");
  EXPECT_THAT(errorsOf("	v_mad_u64_u32 v[4:5], null, v2, v3, v[4:5]"),
              HasSubstr("overlaps"));
  EXPECT_THAT(errorsOf("	v_mad_u64_u32 v[2:3], null, v2, v3, v[4:5]"),
              HasSubstr("overlaps"));
  // The meaningless upper half of the addend, as compilers write it ...
  EXPECT_EQ(errorsOf("	v_mad_u64_u32 v[5:6], null, v2, v3, v[4:5]\n	v_mov_b32_e32 v6, 0"), "");
  // ... is not meaningless when the upper half of the result is used.
  EXPECT_THAT(errorsOf("	v_mad_u64_u32 v[5:6], null, v2, v3, v[4:5]\n"
                       "	global_store_b32 v0, v6, s[4:5]"),
              HasSubstr("overlaps"));
}

TEST(VerifyStructure, PermlaneBehindCompare) {
  const std::string body = "	v_cmpx_gt_u32_e32 16, v0\n	v_permlane16_b32 v1, v2, s2, s3";
  EXPECT_NE(errorsOf(body), "");
  EXPECT_EQ(errorsOf(replaced(body, "	v_permlane", "	v_mov_b32_e32 v9, v9\n	v_permlane")), "");
}

TEST(VerifyStructure, MatrixOperands) {
  const std::string first = "	v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]\n";
  EXPECT_EQ(errorsOf(first + first), "");
  const std::string second = "	v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]";
  EXPECT_NE(errorsOf(first + second), "");
  EXPECT_EQ(errorsOf(first + "	v_nop\n" + second), "");
}

TEST(VerifyStructure, Clauses) {
  const std::string body = "	s_clause 0x1\n	global_load_b32 v1, v0, s[4:5]\n"
                           "	global_load_b32 v2, v0, s[6:7]";
  EXPECT_EQ(errorsOf(body), "");
  EXPECT_NE(errorsOf(replaced(body, "0x1", "0x2")), "");
  EXPECT_NE(errorsOf(replaced(body, "	global_load_b32 v2",
                              "	v_mov_b32_e32 v9, 0\n"
                              "	global_load_b32 v2")),
            "");
  EXPECT_NE(
      errorsOf(
          "	s_mov_b32 s2, 0\n	s_clause 0x1\n	global_load_b32 v1, v0, s[4:5]\n.LBB0_1:\n"
          "	global_load_b32 v2, v0, s[6:7]\n	s_waitcnt vmcnt(0)\n"
          "	s_cbranch_scc1 .LBB0_1"),
      "");
}

TEST(VerifyStructure, RegisterCounts) {
  EXPECT_EQ(errorsOf("	v_mov_b32_e32 v63, 0"), "");
  EXPECT_THAT(errorsOf("	v_mov_b32_e32 v64, 0"), HasSubstr("64 VGPRs"));
  const std::string metadata =
      "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n"
      "    .symbol: k.kd\n    .vgpr_count: 4\namdhsa.version:\n  - 1\n  - 2\n"
      "...\n\t.end_amdgpu_metadata\n";
  EXPECT_EQ(structureErrors(*parseText(kernelText("	v_mov_b32_e32 v3, 0") + metadata)), "");
  EXPECT_THAT(structureErrors(*parseText(kernelText("	v_mov_b32_e32 v4, 0") + metadata)),
              HasSubstr("metadata"));
}

TEST(VerifyStructure, OnlyNewFaultsCountAgainstARewrite) {
  const std::string parity = "	v_dual_mov_b32 v0, v4 :: v_dual_mov_b32 v1, v6";
  const std::string clean = "	v_mov_b32_e32 v0, v4\n	v_mov_b32_e32 v1, v6";
  const auto old = parseKernel(parity), better = parseKernel(clean);
  EXPECT_EQ(structureErrors(*old), "");
  ASSERT_EQ(checkStructure(*old).size(), 1u);
  EXPECT_EQ(checkStructure(*old)[0].severity, Severity::Warning);
  const auto broken = [](const Module &before, const Module &after) {
    auto proof = proveEquivalent(before, after, {});
    EXPECT_TRUE(bool(proof)) << llvm::toString(proof.takeError());
    return proof ? proof->brokenRules : std::vector<Diagnostic>();
  };
  EXPECT_TRUE(broken(*old, *old).empty());
  EXPECT_TRUE(broken(*old, *better).empty());
  const auto found = broken(*better, *old);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::Error);
}

} // namespace
} // namespace rdna::test::verifyStructureTest
