// What the equivalence proof accepts and what it refuses, on bodies small enough to check by eye.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyProveTest {
namespace {

using testing::HasSubstr;

/// A loop over LDS with four accumulators, then a store.
const std::string kLoop = R"(
	s_load_b64 s[4:5], s[0:1], 0x0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_lshlrev_b32_e32 v3, 4, v0
	s_mov_b32 s2, 0
	s_waitcnt lgkmcnt(0)
.LBB0_1:
	ds_load_b128 v[4:7], v3
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_fmac_f32_e32 v1, v4, v6
	v_fmac_f32_e32 v2, v5, v7
	v_fmac_f32_e32 v1, v5, v6
	v_fmac_f32_e32 v2, v4, v7
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, 64
	s_cbranch_scc1 .LBB0_1
	v_sub_f32_e32 v1, v1, v2
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_b32 v0, v1, s[4:5]
)";

/// The same with the accumulators in v9 and v10 inside the loop, the load split, operands swapped,
/// the order changed and the multiply-adds paired.
const std::string kRewritten = R"(
	s_load_b64 s[4:5], s[0:1], 0x0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_lshlrev_b32_e32 v3, 4, v0
	s_mov_b32 s2, 0
	s_waitcnt lgkmcnt(0)
	v_dual_mov_b32 v9, v1 :: v_dual_mov_b32 v10, v2
.LBB0_1:
	ds_load_b64 v[14:15], v3 offset:8
	ds_load_2addr_b32 v[4:5], v3 offset0:0 offset1:1
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_dual_fmac_f32 v9, v14, v4 :: v_dual_fmac_f32 v10, v5, v15
	s_add_i32 s2, s2, 1
	v_dual_fmac_f32 v9, v5, v14 :: v_dual_fmac_f32 v10, v4, v15
	s_cmp_lg_u32 s2, 64
	s_cbranch_scc1 .LBB0_1
	v_dual_mov_b32 v2, v10 :: v_dual_mov_b32 v1, v9
	v_sub_f32_e32 v1, v1, v2
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_b32 v0, v1, s[4:5]
)";

const std::vector<Correspondence> kClaims = {claimAt(kLoop, ".LBB0_1", {{1, 9}, {2, 10}})};

std::string refusalOfLoop(std::string_view from, std::string_view to) {
  return refusalOfBodies(kLoop, replaced(kRewritten, from, to), kClaims);
}

TEST(VerifyProve, AcceptsTheSameText) { EXPECT_EQ(refusalOfBodies(kLoop, kLoop), ""); }

TEST(VerifyProve, AcceptsARewrittenLoop) {
  EXPECT_EQ(refusalOfBodies(kLoop, kRewritten, kClaims), "");
  const auto before = parseKernel(kLoop), after = parseKernel(kRewritten);
  auto proof = proveEquivalent(*before, *after, kClaims);
  ASSERT_TRUE(bool(proof));
  // Entry to loop, loop to its branch, back edge, behind the loop.
  EXPECT_EQ(proof->blockPairs, 4u);
  EXPECT_GT(proof->values, 4u);
  EXPECT_EQ(proof->loads, 2u + 4u);
}

TEST(VerifyProve, RefusesTheRewriteWithoutItsClaim) {
  EXPECT_NE(refusalOfBodies(kLoop, kRewritten), "");
  const std::vector<Correspondence> wrong = {claimAt(kLoop, ".LBB0_1", {{1, 10}, {2, 9}})};
  // Both accumulators start as zero, so the loop's end is where the exchange shows.
  EXPECT_NE(refusalOfBodies(kLoop, kRewritten, wrong), "");
  const std::vector<Correspondence> both = {claimAt(kLoop, ".LBB0_1", {{1, 9}, {2, 9}})};
  EXPECT_THAT(refusalOfBodies(kLoop, kRewritten, both), HasSubstr("both claimed"));
}

TEST(VerifyProve, RefusesMissingAndWrongMoves) {
  EXPECT_NE(refusalOfLoop("	v_dual_mov_b32 v9, v1 :: v_dual_mov_b32 v10, v2\n", ""), "");
  EXPECT_NE(refusalOfLoop("	v_dual_mov_b32 v2, v10 :: v_dual_mov_b32 v1, v9\n", ""), "");
  EXPECT_NE(refusalOfLoop("v_dual_mov_b32 v2, v10 :: v_dual_mov_b32 v1, v9",
                          "v_dual_mov_b32 v1, v10 :: v_dual_mov_b32 v2, v9"),
            "");
  EXPECT_NE(
      refusalOfLoop("v_dual_mov_b32 v2, v10 :: v_dual_mov_b32 v1, v9", "v_mov_b32_e32 v2, v10"),
      "");
}

TEST(VerifyProve, RefusesWrongRegistersInTheLoop) {
  EXPECT_NE(refusalOfLoop("v9, v14, v4 ::", "v9, v14, v8 ::"), "");
  EXPECT_NE(refusalOfLoop("v9, v5, v14 :: v_dual_fmac_f32 v10, v4, v15",
                          "v9, v4, v14 :: v_dual_fmac_f32 v10, v5, v15"),
            "");
  EXPECT_NE(refusalOfLoop("ds_load_b64 v[14:15], v3 offset:8", "ds_load_b64 v[14:15], v0 offset:8"),
            "");
}

TEST(VerifyProve, RefusesWrongOffsetsAndOpcodes) {
  EXPECT_NE(refusalOfLoop("offset:8", "offset:16"), "");
  EXPECT_NE(refusalOfLoop("offset0:0 offset1:1", "offset0:1 offset1:0"), "");
  EXPECT_NE(refusalOfLoop("ds_load_2addr_b32", "ds_load_2addr_stride64_b32"), "");
  EXPECT_NE(refusalOfLoop("s_add_i32 s2, s2, 1", "s_add_i32 s2, s2, 2"), "");
  EXPECT_NE(refusalOfLoop("v_dual_fmac_f32 v9, v14, v4 ::", "v_dual_mul_f32 v9, v14, v4 ::"), "");
  EXPECT_NE(refusalOfLoop("s_cbranch_scc1", "s_cbranch_scc0"), "");
}

TEST(VerifyProve, RefusesADifferentOrderOfAccumulation) {
  // The same two products for v1 in the other order round differently.
  const std::string body = "	v_fmac_f32_e32 v1, v2, v3\n	v_fmac_f32_e32 v1, v4, v5\n"
                           "	global_store_b32 v0, v1, s[4:5]";
  EXPECT_NE(refusalOfBodies(body, "	v_fmac_f32_e32 v1, v4, v5\n	v_fmac_f32_e32 v1, v2, v3\n"
                                  "	global_store_b32 v0, v1, s[4:5]"),
            "");
}

TEST(VerifyProve, RefusesAnExtraRead) {
  EXPECT_THAT(refusalOfLoop("	s_waitcnt lgkmcnt(0)\n	s_barrier",
                            "	ds_load_b32 v20, v3 offset:64\n	s_waitcnt lgkmcnt(0)\n"
                            "	s_barrier"),
              HasSubstr("does not read"));
  EXPECT_THAT(refusalOfLoop("	s_waitcnt lgkmcnt(0)\n	s_barrier",
                            "	ds_load_b32 v20, v3\n	s_waitcnt lgkmcnt(0)\n	s_barrier"),
              HasSubstr("does not read")); // twice is once too often
}

TEST(VerifyProve, RefusesAWeakWaitBeforeABarrier) {
  EXPECT_THAT(
      refusalOfLoop("	s_waitcnt lgkmcnt(0)\n	s_barrier", "	s_waitcnt lgkmcnt(1)\n	s_barrier"),
      HasSubstr("in flight"));
  EXPECT_THAT(refusalOfLoop("	s_waitcnt lgkmcnt(0)\n	s_barrier", "	s_barrier"),
              HasSubstr("in flight"));
}

TEST(VerifyProve, RefusesAccessesMovedAcrossABarrier) {
  EXPECT_NE(refusalOfLoop("	ds_load_2addr_b32 v[4:5], v3 offset0:0 offset1:1\n"
                          "	s_waitcnt lgkmcnt(0)\n	s_barrier\n",
                          "	s_waitcnt lgkmcnt(0)\n	s_barrier\n"
                          "	ds_load_2addr_b32 v[4:5], v3 offset0:0 offset1:1\n"
                          "	s_waitcnt lgkmcnt(0)\n"),
            "");
  EXPECT_NE(refusalOfLoop("	s_barrier\n", ""), "");
}

TEST(VerifyProve, RefusesStoresDroppedDoubledOrChanged) {
  const std::string_view store = "	global_store_b32 v0, v1, s[4:5]\n";
  EXPECT_THAT(refusalOfLoop(store, ""), HasSubstr("global memory"));
  EXPECT_THAT(refusalOfLoop(store, "	global_store_b32 v0, v1, s[4:5]\n"
                                   "	global_store_b32 v0, v1, s[4:5]\n"),
              HasSubstr("global memory"));
  EXPECT_NE(refusalOfLoop(store, "	global_store_b32 v0, v2, s[4:5]\n"), "");
  EXPECT_NE(refusalOfLoop(store, "	global_store_b32 v0, v1, s[4:5] offset:4\n"), "");
  EXPECT_NE(refusalOfLoop(store, "	global_store_b32 v0, v1, s[4:5] glc\n"), "");
}

TEST(VerifyProve, RefusesSwappedOperandsOfASubtraction) {
  EXPECT_NE(refusalOfLoop("v_sub_f32_e32 v1, v1, v2", "v_sub_f32_e32 v1, v2, v1"), "");
  EXPECT_EQ(refusalOfLoop("v_sub_f32_e32 v1, v1, v2", "v_subrev_f32_e32 v1, v2, v1"), "");
}

TEST(VerifyProve, NamesTheLineAndTheValues) {
  const std::string message = refusalOfLoop("v_sub_f32_e32 v1, v1, v2", "v_sub_f32_e32 v1, v2, v1");
  // The store, and what it stores.
  EXPECT_THAT(message, HasSubstr("test.s:27:"));
  EXPECT_THAT(message, HasSubstr("the original has v_sub_f32(fma("));
  EXPECT_LT(message.size(), 800u);
  const std::string body = "	v_mov_b32_e32 v1, v2\n.LBB0_1:\n	v_add_f32_e32 v1, v1, v3\n"
                           "	s_cmp_lg_u32 s2, 0\n	s_cbranch_scc1 .LBB0_1\n"
                           "	global_store_b32 v0, v1, s[4:5]";
  EXPECT_THAT(refusalOfBodies(body, replaced(body, "v1, v2", "v1, v4")),
              HasSubstr("test.s:6:2: error: v1 differs on entry to the code at the original's line "
                        "8: the original has v2; the rewritten code has v4"));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

TEST(VerifyProve, FollowsTrampolines) {
  const std::string before = "	s_cmp_eq_u32 s2, 0\n	s_cbranch_scc1 .LBB0_2\n"
                             "	v_add_f32_e32 v1, v1, v2\n	s_branch .LBB0_3\n"
                             ".LBB0_2:\n	v_sub_f32_e32 v1, v1, v2\n.LBB0_3:\n"
                             "	global_store_b32 v0, v1, s[4:5]";
  const std::string after = "	v_mov_b32_e32 v9, v2\n	s_cmp_eq_u32 s2, 0\n"
                            "	s_cbranch_scc1 .Ltrampoline\n"
                            "	v_add_f32_e32 v1, v1, v9\n	s_branch .LBB0_3\n"
                            ".Ltrampoline:\n	v_mov_b32_e32 v2, v9\n	s_branch .LBB0_2\n"
                            ".LBB0_2:\n	v_sub_f32_e32 v1, v1, v2\n.LBB0_3:\n"
                            "	global_store_b32 v0, v1, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, after), "");
  EXPECT_NE(refusalOfBodies(
                before, replaced(after, "s_cbranch_scc1 .Ltrampoline", "s_cbranch_scc1 .LBB0_3")),
            "");
  EXPECT_NE(
      refusalOfBodies(before, replaced(after, "v_mov_b32_e32 v2, v9", "v_mov_b32_e32 v2, v8")), "");
  // The opposite branch with its targets exchanged is the same.
  EXPECT_EQ(refusalOfBodies(before, replaced(after, "	s_cbranch_scc1 .Ltrampoline\n",
                                             "	s_cbranch_scc0 .Lgo\n	s_branch .Ltrampoline\n"
                                             ".Lgo:\n")),
            "");
}

TEST(VerifyProve, RefusesARetargetedBranchAndACycle) {
  EXPECT_NE(refusalOfLoop("s_cbranch_scc1 .LBB0_1", "s_cbranch_scc1 .Lelse\n.Lelse:"), "");
  EXPECT_THAT(refusalOfLoop("	s_cbranch_scc1 .LBB0_1", ".Lhere:\n	s_branch .Lhere"),
              HasSubstr("cycle"));
}

TEST(VerifyProve, RefusesALostLabel) {
  EXPECT_NE(refusalOfBodies(kLoop, replaced(replaced(kLoop, ".LBB0_1:\n", ".Lother:\n"),
                                            "s_cbranch_scc1 .LBB0_1", "s_cbranch_scc1 .Lother")),
            "");
}

TEST(VerifyProve, ConstantsAtACutAreProven) {
  // Both are zero whenever the outer loop is entered, which the proof must carry around it.
  const std::string before = R"(
	s_mov_b32 s3, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v9, 0
.LBB0_1:
	s_mov_b32 s2, 0
.LBB0_2:
	v_fmac_f32_e32 v1, v0, v0
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, 64
	s_cbranch_scc1 .LBB0_2
	global_store_b32 v0, v1, s[4:5]
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v9, 0
	s_add_i32 s3, s3, 1
	s_cmp_lg_u32 s3, 64
	s_cbranch_scc1 .LBB0_1
)";
  const std::string after =
      replaced(replaced(before, "v_fmac_f32_e32 v1", "v_fmac_f32_e32 v9"),
               "global_store_b32 v0, v1", "v_mov_b32_e32 v1, v9\n	global_store_b32 v0, v1");
  std::vector<Correspondence> claims = {claimAt(before, ".LBB0_2", {{1, 9}, {9, 1}})};
  EXPECT_NE(refusalOfBodies(before, after, claims), "");
  const uint32_t outer = parseKernel(before)->labelTarget(".LBB0_1").value();
  const auto hints = [](std::initializer_list<std::pair<uint8_t, uint32_t>> constants) {
    std::vector<Equation> equations;
    for (const auto &[vgpr, bits] : constants)
      for (const auto text : {Equation::Text::Original, Equation::Text::Rewritten})
        equations.push_back(constantHint(text, {vgpr}, bits));
    return equations;
  };
  claims[0].points[outer].equations = hints({{1, 0}, {9, 0}});
  EXPECT_EQ(refusalOfBodies(before, after, claims), "");
  // A hint that is not true helps nobody.
  EXPECT_NE(refusalOfBodies(before,
                            replaced(after, "	v_mov_b32_e32 v9, 0\n	s_add_i32", "	s_add_i32"),
                            claims),
            "");
  claims[0].points[outer].equations = hints({{1, 5}, {9, 5}, {0, 7}});
  EXPECT_NE(refusalOfBodies(before, after, claims), "");
}

//===----------------------------------------------------------------------===//
// What surrounds the code
//===----------------------------------------------------------------------===//

TEST(VerifyProve, OnlyRegisterCountsAndCommentsMayDiffer) {
  const std::string text = kernelText(kLoop) + "\t.section\t.rodata\n\t.long\t42\n";
  const auto before = parseText(text);
  const auto check = [&](std::string_view from, std::string_view to) {
    return refusal(*before, *parseText(replaced(text, from, to)));
  };
  EXPECT_EQ(check("next_free_vgpr 64", "next_free_vgpr 72"), "");
  EXPECT_EQ(check("	.long	42", "	.long	42 ; the answer"), "");
  EXPECT_EQ(check(".LBB0_1:\n", ".LBB0_1:   ; loop\n.Lnew:\n"), "");
  EXPECT_EQ(check("next_free_sgpr 32", "next_free_sgpr 40"), "");
  EXPECT_NE(check("next_free_sgpr 32", "next_free_sgpr 24"), "");
  EXPECT_NE(check("	.long	42", "	.long	43"), "");
  EXPECT_NE(check("	.long	42\n", ""), "");
  EXPECT_THAT(check("next_free_vgpr 64", "next_free_vgpr 7"), HasSubstr("7 VGPRs are declared"));
}

TEST(VerifyProve, UnknownCodeMustStayAsItIs) {
  const std::string before = "	s_mov_b32 m0, s2\n	lds_direct_load v1\n"
                             "	v_add_f32_e32 v1, v1, v3\n	global_store_b32 v0, v1, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  EXPECT_THAT(refusalOfBodies(before, replaced(before, "v1, v1, v3", "v1, v3, v1")),
              HasSubstr("not known"));
}

TEST(VerifyProve, BytesInTheCodeMayBeInstructions) {
  const std::string before = "	v_add_f32_e32 v1, v1, v3\n	.long 0x7e020302\n"
                             "	global_store_b32 v0, v1, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  EXPECT_THAT(refusalOfBodies(before, replaced(before, "v1, v1, v3", "v1, v3, v1")),
              HasSubstr("bytes in the code"));
}

TEST(VerifyProve, CallsSeeEverything) {
  const std::string before = "	s_getpc_b64 s[6:7]\n	s_add_u32 s6, s6, f@rel32@lo+4\n"
                             "	s_addc_u32 s7, s7, f@rel32@hi+12\n	v_mov_b32_e32 v1, v2\n"
                             "	s_swappc_b64 s[30:31], s[6:7]\n	global_store_b32 v0, v1, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  EXPECT_EQ(refusalOfBodies(before, "	v_mov_b32_e32 v1, v2\n" +
                                        replaced(before, "	v_mov_b32_e32 v1, v2\n", "")),
            "");
  EXPECT_THAT(
      refusalOfBodies(before, replaced(before, "v_mov_b32_e32 v1, v2", "v_mov_b32_e32 v1, v3")),
      HasSubstr("at a call"));
  EXPECT_NE(refusalOfBodies(before, replaced(before, "f@rel32@lo+4\n",
                                             "f@rel32@lo+4\n	v_mov_b32_e32 v9, v2\n")),
            ""); // the address would be wrong
  EXPECT_NE(refusalOfBodies(before, replaced(before, "s[30:31], s[6:7]", "s[30:31], s[8:9]")), "");
}

} // namespace
} // namespace rdna::test::verifyProveTest
