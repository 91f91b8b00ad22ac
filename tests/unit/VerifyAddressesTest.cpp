// Addresses that may wrap around, and registers that nothing writes: what the proof knows of them
// behind a loop, a branch, a call.

#include "VerifySample.h"

namespace rdna::test::verifyAddressesTest {
namespace {

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// base + 64-bit index * 4, as compilers write it; s[6:7] is the base.
const std::string kWide = R"(
	v_add_nc_u32_e32 v2, s8, v0
	v_mov_b32_e32 v3, 0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_add_co_u32 v2, vcc_lo, s6, v2
	v_add_co_ci_u32_e64 v3, null, s7, v3, vcc_lo
	global_load_b32 v1, v[2:3], off
	s_waitcnt vmcnt(0))";
const std::string kBased = R"(
	s_mov_b32 s9, 0
	s_lshl_b64 s[10:11], s[8:9], 2
	s_add_u32 s10, s6, s10
	s_addc_u32 s11, s7, s11
	v_lshlrev_b32_e32 v2, 2, v0
	global_load_b32 v1, v2, s[10:11]
	s_waitcnt vmcnt(0))";

std::string refusalWhenAssumed(std::string_view before, std::string_view after) {
  const std::string store = "\n	global_store_b32 v0, v1, s[4:5]";
  Correspondence claim;
  claim.function = "k";
  claim.assumptions.insert(Assumption::NoIndexWrap);
  return refusalOfBodies(std::string(before) + store, std::string(after) + store, {claim});
}

TEST(VerifyAddresses, IndicesMayWrapUnlessThatIsAssumed) {
  EXPECT_NE(refusalOfResult(kWide, kBased), "");
  EXPECT_EQ(refusalWhenAssumed(kWide, kBased), "");
}

TEST(VerifyAddresses, TheAssumptionIsOnlyAboutWraps) {
  for (const auto &[from, to] :
       {std::pair("s[10:11]\n	s_waitcnt", "s[10:11] offset:4\n	s_waitcnt"),
        std::pair("s[10:11]\n	s_waitcnt", "s[10:11] offset:-4\n	s_waitcnt"),
        std::pair("s[10:11]\n	s_waitcnt", "s[6:7]\n	s_waitcnt"),
        std::pair("v2, 2, v0", "v2, 1, v0"), std::pair("v2, 2, v0", "v2, 2, v4"),
        std::pair("	s_addc_u32", "	s_add_u32"),
        std::pair("	s_addc_u32 s11, s7, s11\n", ""), std::pair("s9, 0", "s9, 1"),
        std::pair("s10, s6, s10", "s10, s6, s8"), std::pair("s[8:9], 2", "s[8:9], 3")})
    EXPECT_NE(refusalWhenAssumed(kWide, replaced(kBased, from, to)), "") << to;
}

TEST(VerifyAddresses, TheAssumptionIsAboutBothTexts) {
  // 4 * s8 is an index of the rewritten code alone, and as much assumed not to wrap.
  const std::string low = replaced(kBased, "s11, s7, s11", "s11, s7, 0");
  EXPECT_EQ(refusalWhenAssumed(kWide, low), "");
  EXPECT_NE(refusalWhenAssumed(kWide, replaced(low, "s11, s7, 0", "s11, s7, 1")), "");
}

TEST(VerifyAddresses, OffsetsOfScalarBasesAreUnsigned) {
  // v3 = 0 against v3 = the sign.
  const std::string sign = replaced(kWide, "v_mov_b32_e32 v3, 0", "v_ashrrev_i32_e32 v3, 31, v2");
  EXPECT_NE(refusalOfResult(sign, kBased), "");
  EXPECT_NE(refusalOfResult(sign, kWide), "");
  EXPECT_NE(refusalOfResult(kWide, sign), "");
}

TEST(VerifyAddresses, SmallNumbersNeedNoAssumption) {
  const std::string wide = R"(
	v_and_b32_e32 v2, 0xff, v0
	v_mov_b32_e32 v3, 0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_add_co_u32 v2, vcc_lo, s6, v2
	v_add_co_ci_u32_e64 v3, null, s7, v3, vcc_lo
	global_load_b32 v1, v[2:3], off
	s_waitcnt vmcnt(0))";
  const std::string based = R"(
	v_and_b32_e32 v2, 0xff, v0
	v_lshlrev_b32_e32 v2, 2, v2
	global_load_b32 v1, v2, s[6:7]
	s_waitcnt vmcnt(0))";
  EXPECT_EQ(refusalOfResult(wide, based), "");
  EXPECT_NE(
      refusalOfResult(replaced(wide, "0xff", "0x7fffffff"), replaced(based, "0xff", "0x7fffffff")),
      "");
  EXPECT_EQ(
      refusalOfResult(replaced(wide, "0xff", "0x3fffffff"), replaced(based, "0xff", "0x3fffffff")),
      "");
  // The sum of two small numbers may be what does not fit.
  EXPECT_NE(
      refusalOfResult(
          replaced(wide, "v2, 0xff, v0", "v2, 0x3fffffff, v0\n	v_add_nc_u32_e32 v2, v2, v2"),
          replaced(based, "v2, 0xff, v0", "v2, 0x3fffffff, v0\n	v_add_nc_u32_e32 v2, v2, v2")),
      "");
  // Minus one is no small number.
  EXPECT_NE(refusalOfResult(
                replaced(wide, "v2, 0xff, v0", "v2, 0xff, v0\n	v_add_nc_u32_e32 v2, -1, v2"),
                replaced(based, "v2, 0xff, v0", "v2, 0xff, v0\n	v_add_nc_u32_e32 v2, -1, v2")),
            "");
}

//===----------------------------------------------------------------------===//
// Registers that nothing writes
//===----------------------------------------------------------------------===//

const std::string kCounted = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s2, 0
.LBB0_1:
	v_add_nc_u32_e32 v1, 7, v1
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .LBB0_1
	global_store_b32 v0, v1, s[4:5]
)";
const std::string kHoisted = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s2, 0
	v_mov_b32_e32 v9, 7
.LBB0_1:
	v_add_nc_u32_e32 v1, v9, v1
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .LBB0_1
	global_store_b32 v0, v1, s[4:5]
)";

TEST(VerifyAddresses, WhatIsComputedBeforeALoopIsKnownInIt) {
  EXPECT_EQ(refusalOfBodies(kCounted, kHoisted), "");
  EXPECT_NE(refusalOfBodies(kCounted, replaced(kHoisted, "v9, 7", "v9, 8")), "");
}

TEST(VerifyAddresses, WhatTheLoopWritesIsNotKept) {
  EXPECT_NE(refusalOfBodies(kCounted, replaced(kHoisted, "	s_cmp",
                                               "	v_mov_b32_e32 v9, 8\n	s_cmp")),
            "");
  EXPECT_NE(
      refusalOfBodies(
          kCounted,
          replaced(kHoisted, "	s_cmp",
                   "	v_readfirstlane_b32 s9, v9\n	v_writelane_b32 v9, s3, 3\n	s_cmp")),
      "");
  // The original's own, which the rewritten code takes to be constant.
  const std::string changing = replaced(replaced(kHoisted, "v9, 7", "v9, s6"), "	s_cmp",
                                        "	v_mov_b32_e32 v9, s7\n	s_cmp");
  EXPECT_NE(refusalOfBodies(changing, replaced(kHoisted, "v9, 7", "v9, s6")), "");
}

TEST(VerifyAddresses, LanesThatWereOffKeepNothing) {
  EXPECT_NE(
      refusalOfBodies(kCounted, replaced(kHoisted, "	v_mov_b32_e32 v9, 7\n",
                                         "	s_mov_b32 s8, exec_lo\n	v_cmpx_gt_u32_e32 16, v0\n"
                                         "	v_mov_b32_e32 v9, 7\n	s_mov_b32 exec_lo, s8\n")),
      "");
  EXPECT_NE(
      refusalOfBodies(replaced(kCounted, ".LBB0_1:\n	v_add",
                               "	s_mov_b32 s8, exec_lo\n	v_cmpx_gt_u32_e32 16, "
                               "v0\n.LBB0_1:\n	s_mov_b32 exec_lo, s8\n	v_add"),
                      replaced(replaced(kHoisted, "	v_mov_b32_e32 v9, 7\n", ""),
                               ".LBB0_1:\n	v_add",
                               "	s_mov_b32 s8, exec_lo\n	v_cmpx_gt_u32_e32 16, v0\n	"
                               "v_mov_b32_e32 v9, 7\n.LBB0_1:\n	s_mov_b32 exec_lo, s8\n	v_add")),
      "");
}

TEST(VerifyAddresses, BothWaysOfABranchToTheSamePlaceAreLookedAt) {
  const std::string before = replaced(kCounted, ".LBB0_1:\n	v_add", R"(	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 .LBB0_2
.LBB0_2:
	s_nop 0
.LBB0_1:
	v_add)");
  const std::string after = replaced(replaced(kHoisted, "	v_mov_b32_e32 v9, 7\n", ""),
                                     ".LBB0_1:\n	v_add", R"(	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 .LBB0_3
	v_mov_b32_e32 v9, 5
.LBB0_2:
	s_nop 0
.LBB0_1:
	v_add)") + R"(	s_endpgm
.LBB0_3:
	v_mov_b32_e32 v9, 7
	s_branch .LBB0_2
)";
  EXPECT_EQ(refusalOfBodies(before, replaced(after, "v9, 5", "v9, 7")), "");
  EXPECT_NE(refusalOfBodies(before, after), "");
  EXPECT_NE(refusalOfBodies(before, replaced(replaced(after, "v9, 7", "v9, 6"), "v9, 5", "v9, 7")),
            "");
}

TEST(VerifyAddresses, CalleesKeepNothing) {
  const std::string call = "	s_swappc_b64 s[30:31], s[14:15]\n	s_cmp";
  const std::string before = replaced(kCounted, "	s_cmp", call),
                    after = replaced(kHoisted, "	s_cmp", call);
  EXPECT_EQ(refusalOfBodies(before, before), "");
  EXPECT_NE(refusalOfBodies(before, after), "");
  // A register that both have: the callee may change it.
  const std::string own = replaced(after, "v9, 7", "v9, s6");
  EXPECT_NE(refusalOfBodies(own, replaced(own, "v1, v9, v1", "v1, s6, v1")), "");
}

TEST(VerifyAddresses, InnerLoopsKeepTheIterationOfTheOuterOne) {
  const std::string before = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s2, 0
.LBB0_1:
	s_mov_b32 s6, 0
.LBB0_2:
	v_add_nc_u32_e32 v1, s2, v1
	s_add_i32 s6, s6, 1
	s_cmp_lg_u32 s6, s3
	s_cbranch_scc1 .LBB0_2
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .LBB0_1
	global_store_b32 v0, v1, s[4:5]
)";
  const std::string copied = replaced(before, "v1, s2, v1", "v1, v9, v1");
  const std::string inner = replaced(copied, "s6, 0\n", "s6, 0\n\tv_mov_b32_e32 v9, s2\n");
  EXPECT_EQ(refusalOfBodies(before, inner), "");
  // Computed before the outer loop it is the first iteration's.
  const std::string outer = replaced(copied, ".LBB0_1:\n", "\tv_mov_b32_e32 v9, s2\n.LBB0_1:\n");
  EXPECT_NE(refusalOfBodies(before, outer), "");
}

TEST(VerifyAddresses, UnrolledLoopsWriteToo) {
  const std::string before = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s7, s6
	s_mov_b32 s2, 0
.LBB0_1:
	s_mov_b32 s8, 0
.LBB0_2:
	v_add_nc_u32_e32 v1, s7, v1
	s_add_i32 s7, s7, 1
	s_add_i32 s8, s8, 1
	s_cmp_lg_u32 s8, 2
	s_cbranch_scc1 .LBB0_2
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .LBB0_1
	global_store_b32 v0, v1, s[4:5]
)";
  const std::string after = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s7, s6
	s_mov_b32 s2, 0
.LBB0_1:
.LBB0_2:
	v_add_nc_u32_e32 v1, s7, v1
	s_add_i32 s7, s7, 1
	v_add_nc_u32_e32 v1, s7, v1
	s_add_i32 s7, s7, 1
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, s3
	s_cbranch_scc1 .LBB0_1
	global_store_b32 v0, v1, s[4:5]
)";
  Correspondence claim;
  claim.function = "k";
  claim.points[parseKernel(before)->labelTarget(".LBB0_2").value()].arrivals = Point::kNone;
  EXPECT_EQ(refusalOfBodies(before, after, {claim}), "");
  EXPECT_NE(refusalOfBodies(before,
                            replaced(after, ".LBB0_2:\n	v_add_nc_u32_e32 v1, s7, v1",
                                     ".LBB0_2:\n	v_add_nc_u32_e32 v1, s6, v1"),
                            {claim}),
            "");
}

} // namespace
} // namespace rdna::test::verifyAddressesTest
