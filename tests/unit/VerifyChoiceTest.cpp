// Instructions whose registers M0 chooses: around them code may change, and what they may choose
// must be the same.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyChoiceTest {
namespace {

using testing::HasSubstr;

/// Four sums, of which M0 chooses one; stores all.
constexpr std::string_view kStores = "	global_store_b128 v0, v[4:7], s[4:5]\n"
                                     "	global_store_b32 v0, v9, s[4:5] offset:16\n";
const std::string kSums =
    "	v_mov_b32_e32 v4, 0\n	v_mov_b32_e32 v5, 0\n	v_mov_b32_e32 v6, 0\n"
    "	v_mov_b32_e32 v7, 0\n	s_and_b32 m0, s2, 3\n"
    "	v_fmac_f32_e32 v4, v1, v2\n	v_fmac_f32_e32 v5, v8, v3\n";
const std::string kChosen = kSums + "	v_movrels_b32_e32 v9, v4\n" + std::string(kStores);

TEST(VerifyChoice, CodeAroundItMayChange) {
  EXPECT_EQ(refusalOfBodies(kChosen, replaced(kChosen, "v4, v1, v2", "v4, v2, v1")), "");
  EXPECT_EQ(refusalOfBodies(kChosen, replaced(kChosen,
                                              "	v_fmac_f32_e32 v4, v1, v2\n	v_fmac_f32_e32 "
                                              "v5, v8, v3\n",
                                              "	v_dual_fmac_f32 v4, v1, v2 :: v_dual_fmac_f32 "
                                              "v5, v8, v3\n")),
            "");
}

TEST(VerifyChoice, WhatMayBeChosenIsTheSame) {
  const auto refusal = [](std::string_view from, std::string_view to) {
    return refusalOfBodies(kChosen, replaced(kChosen, from, to));
  };
  // Another sum behind it, another M0, other texts, none at all, two.
  EXPECT_THAT(refusalOfBodies(kChosen, replaced(kSums, "	v_fmac_f32_e32 v5, v8, v3\n", "") +
                                           "	v_movrels_b32_e32 v9, v4\n"
                                           "	v_fmac_f32_e32 v5, v8, v3\n" +
                                           std::string(kStores)),
              HasSubstr("where M0 chooses"));
  EXPECT_NE(refusal("s2, 3", "s2, 7"), "");
  EXPECT_THAT(refusal("v_movrels_b32_e32 v9, v4", "v_movrels_b32_e32 v9, v5"),
              HasSubstr("choice of registers differs"));
  EXPECT_NE(refusal("v_movrels_b32_e32 v9, v4", "v_mov_b32_e32 v9, v4"), "");
  EXPECT_NE(refusal("v_movrels_b32_e32 v9, v4\n", "v_movrels_b32_e32 v9, v4\n"
                                                  "	v_movrels_b32_e32 v9, v4\n"),
            "");
  // Values that nobody names again, and registers that the original does not name at all.
  EXPECT_THAT(refusal("	s_and_b32", "	v_mov_b32_e32 v10, 1\n	s_and_b32"),
              HasSubstr("where M0 chooses"));
  const std::string dead = replaced(kChosen, "	s_and_b32", "	v_mov_b32_e32 v10, 1\n	s_and_b32");
  EXPECT_NE(refusalOfBodies(dead, kChosen), "");
}

TEST(VerifyChoice, NothingIsKnownOfWhatMayHaveBeenWritten) {
  const std::string before =
      kSums + "	v_movreld_b32_e32 v4, v2\n	v_mov_b32_e32 v9, v6\n" + std::string(kStores);
  EXPECT_EQ(refusalOfBodies(before, replaced(before, "v4, v1, v2", "v4, v2, v1")), "");
  EXPECT_NE(refusalOfBodies(before, replaced(before, "v9, v6", "v9, 0")), "");
  // Nor around a loop, where what was known in front of it would go on.
  const std::string loop =
      "	v_mov_b32_e32 v6, 0\n	s_mov_b32 s8, 0\n.La:\n	s_mov_b32 m0, "
      "s8\n	s_add_i32 s8, s8, 1\n	v_movreld_b32_e32 v4, v2\n"
      "	s_cmp_lg_u32 s8, 4\n	s_cbranch_scc1 .La\n	v_mov_b32_e32 v9, v6\n" +
      std::string(kStores);
  EXPECT_EQ(refusalOfBodies(loop, replaced(loop, "v9, v6\n", "v9, v6\n	s_nop 0\n")), "");
  EXPECT_NE(refusalOfBodies(loop, replaced(loop, "v9, v6", "v9, 0")), "");
  const std::string scalar =
      "	s_mov_b32 s8, 0\n	s_mov_b32 m0, s2\n	s_movreld_b32 s4, s3\n"
      "	v_mov_b32_e32 v9, s8\n" +
      std::string(kStores);
  EXPECT_EQ(refusalOfBodies(scalar, replaced(scalar, "v9, s8\n", "v9, s8\n	s_nop 0\n")), "");
  EXPECT_NE(refusalOfBodies(scalar, replaced(scalar, "v9, s8", "v9, 0")), "");
}

TEST(VerifyChoice, LoadsAreWaitedForAsBefore) {
  const std::string load = "	global_load_b32 v5, v0, s[4:5]\n",
                    wait = "	s_waitcnt vmcnt(0)\n", chosen = "	v_movrels_b32_e32 v9, v4\n",
                    rest = "	v_add_f32_e32 v5, v5, v9\n" + std::string(kStores);
  EXPECT_EQ(
      refusalOfBodies(load + wait + chosen + rest, load + wait + chosen + "	s_nop 0\n" + rest),
      "");
  EXPECT_THAT(refusalOfBodies(load + wait + chosen + rest, load + chosen + wait + rest),
              HasSubstr("may still be in flight"));
  // What is in flight behind it still is, and the use behind it needs its wait.
  EXPECT_EQ(
      refusalOfBodies(load + chosen + wait + rest, load + chosen + "	s_nop 0\n" + wait + rest),
      "");
  EXPECT_NE(refusalOfBodies(load + chosen + wait + rest, load + chosen + rest), "");
}

TEST(VerifyChoice, CallersLoadsAreWaitedForAsBefore) {
  const auto withFunction = [](std::string_view body) {
    return kernelText("	s_endpgm") + "	.text\n	.type	f,@function\nf:\n" + std::string(body) +
           "	s_setpc_b64 s[30:31]\n.Lf_end:\n	.size	f, .Lf_end-f\n";
  };
  const std::string wait = "	s_waitcnt vmcnt(0) lgkmcnt(0)\n",
                    chosen = "	v_movrels_b32_e32 v9, v4\n";
  const auto refusalOf = [&](std::string_view was, std::string_view now) {
    return refusal(*parseText(withFunction(was)), *parseText(withFunction(now)));
  };
  EXPECT_EQ(refusalOf(wait + chosen, wait + "	s_nop 0\n" + chosen), "");
  EXPECT_NE(refusalOf(wait + chosen, chosen + wait), "");
}

TEST(VerifyChoice, TranscendentalsMayNotComeCloser) {
  const std::string five = "	v_add_f32_e32 v20, v1, v1\n	v_add_f32_e32 v21, v1, v1\n"
                           "	v_add_f32_e32 v22, v1, v1\n	v_add_f32_e32 v23, v1, v1\n"
                           "	v_add_f32_e32 v24, v1, v1\n",
                    sixth = "	v_add_f32_e32 v25, v1, v1\n",
                    exponential = "	v_exp_f32_e32 v5, v1\n",
                    rest = "	v_movrels_b32_e32 v9, v4\n" + std::string(kStores);
  EXPECT_EQ(refusalOfBodies(exponential + five + sixth + rest, exponential + sixth + five + rest),
            "");
  EXPECT_THAT(refusalOfBodies(exponential + five + sixth + rest, sixth + exponential + five + rest),
              HasSubstr("too soon after a transcendental"));
  EXPECT_EQ(refusalOfBodies(exponential + five + sixth + rest,
                            sixth + exponential + five + "	s_waitcnt_depctr 0xf9f\n" + rest),
            "");
}

TEST(VerifyChoice, HowManyRegistersThereAreStays) {
  const auto withVgprs = [](std::string_view count) {
    return parseText(kernelText(kChosen, "", count));
  };
  EXPECT_EQ(refusal(*withVgprs("64"), *withVgprs("64")), "");
  EXPECT_THAT(refusal(*withVgprs("64"), *withVgprs("72")), HasSubstr("M0 chooses"));
  EXPECT_THAT(refusal(*withVgprs("64"), *withVgprs("32")), HasSubstr("M0 chooses"));
}

/// Claims that need to know which registers are written are not followed.
TEST(VerifyChoice, SomeClaimsAreRefused) {
  Correspondence claim;
  claim.function = "k";
  claim.assumptions.insert(Assumption::NoIndexWrap);
  const std::string after = replaced(kChosen, "v4, v1, v2", "v4, v2, v1");
  EXPECT_THAT(refusalOfBodies(kChosen, after, {claim}), HasSubstr("registers M0 chooses"));
}

} // namespace
} // namespace rdna::test::verifyChoiceTest
