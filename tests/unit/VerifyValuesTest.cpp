// What the proof takes operations, stores and masks to be: which values are one, and which are not.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyValuesTest {
namespace {

using testing::HasSubstr;

//===----------------------------------------------------------------------===//
// Families of values
//===----------------------------------------------------------------------===//

TEST(VerifyValues, FmaFamilyIsOneFunction) {
  const std::string fmac = "\tv_fmac_f32_e32 v1, v2, v3";
  EXPECT_EQ(refusalOfResult(fmac, "\tv_fma_f32 v1, v2, v3, v1"), "");
  EXPECT_EQ(refusalOfResult(fmac, "\tv_fma_f32 v1, v3, v2, v1"), "");
  EXPECT_EQ(refusalOfResult(fmac, "\tv_fmac_f32_e64 v1, v3, v2"), "");
  EXPECT_EQ(
      refusalOfResult("\tv_fma_f32 v1, v2, 0x41234567, v3", "\tv_fmamk_f32 v1, v2, 0x41234567, v3"),
      "");
  EXPECT_EQ(
      refusalOfResult("\tv_fma_f32 v1, v2, v3, 0x41234567", "\tv_fmaak_f32 v1, v3, v2, 0x41234567"),
      "");
  EXPECT_EQ(refusalOfResult("\tv_fma_f32 v1, -v2, v3, v1", "\tv_fmac_f32_e64 v1, -v2, v3"), "");
  EXPECT_NE(refusalOfResult(fmac, "\tv_fma_f32 v1, v2, v1, v3"), "");
  EXPECT_NE(refusalOfResult(fmac, "\tv_fma_f32 v1, -v2, v3, v1"), "");
  EXPECT_NE(refusalOfResult(fmac, "\tv_fma_f32 v1, v2, v3, v1 clamp"), "");
  EXPECT_NE(refusalOfResult("\tv_fma_f32 v1, v2, v3, v1 clamp", "\tv_fma_f32 v1, v2, v3, v1 mul:2"),
            "");
  EXPECT_NE(refusalOfResult("\tv_fmamk_f32 v1, v2, 0x41234567, v3",
                            "\tv_fmaak_f32 v1, v2, v3, 0x41234567"),
            "");
}

TEST(VerifyValues, BothHalvesOfAPairReadFirst) {
  const std::string swap = "\tv_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n"
                           "\tv_sub_f32_e32 v1, v1, v2";
  EXPECT_EQ(refusalOfResult(swap, "\tv_swap_b32 v1, v2\n\tv_sub_f32_e32 v1, v1, v2"), "");
  EXPECT_EQ(refusalOfResult(swap, "\tv_sub_f32_e32 v1, v2, v1"), "");
  EXPECT_NE(refusalOfResult(swap, "\tv_mov_b32_e32 v1, v2\n\tv_mov_b32_e32 v2, v1\n"
                                  "\tv_sub_f32_e32 v1, v1, v2"),
            "");
}

TEST(VerifyValues, UpperHalfOfAnAddendIsMeaningless) {
  const std::string before = "\tv_mad_u64_u32 v[6:7], null, v2, v3, v[4:5]\n"
                             "\tv_mov_b32_e32 v1, v6";
  // v8, v9: the addend's low half where it was, another upper half.
  EXPECT_EQ(refusalOfResult(before, "\tv_mov_b32_e32 v8, v4\n"
                                    "\tv_mad_u64_u32 v[6:7], null, v2, v3, v[8:9]\n"
                                    "\tv_mov_b32_e32 v1, v6"),
            "");
  EXPECT_NE(refusalOfResult(replaced(before, "v1, v6", "v1, v7"),
                            "\tv_mov_b32_e32 v8, v4\n"
                            "\tv_mad_u64_u32 v[6:7], null, v2, v3, v[8:9]\n"
                            "\tv_mov_b32_e32 v1, v7"),
            "");
}

TEST(VerifyValues, KeepsPartialWrites) {
  EXPECT_NE(refusalOfResult("\tv_add_f16 v1.l, v2.l, v3.l", "\tv_add_f16 v1.h, v2.l, v3.l"), "");
  EXPECT_NE(refusalOfResult("\tv_mov_b32_e32 v1, v4\n\tv_add_f16 v1.l, v2.l, v3.l",
                            "\tv_add_f16 v1.l, v2.l, v3.l"),
            "");
}

TEST(VerifyValues, AperturesDiffer) {
  EXPECT_EQ(
      refusalOfResult("\tv_mov_b32_e32 v1, src_shared_base", "\tv_mov_b32_e32 v1, src_shared_base"),
      "");
  EXPECT_NE(refusalOfResult("\tv_mov_b32_e32 v1, src_shared_base",
                            "\tv_mov_b32_e32 v1, src_private_base"),
            "");
  EXPECT_NE(refusalOfResult("\tv_mov_b32_e32 v1, src_shared_base", "\tv_mov_b32_e32 v1, null"), "");
  EXPECT_NE(refusalOfResult("\tv_bfe_u32 v1, src_shared_base, 1, 2", "\tv_bfe_u32 v1, null, 1, 2"),
            "");
}

TEST(VerifyValues, ModeIsAnInput) {
  const std::string before = "\tv_add_f32_e32 v1, v2, v3\n\ts_denorm_mode 15";
  EXPECT_EQ(refusalOfResult(before, before), "");
  EXPECT_NE(refusalOfResult(before, "\ts_denorm_mode 15\n\tv_add_f32_e32 v1, v2, v3"), "");
}

TEST(VerifyValues, StoresOfOneSpaceKeepTheirOrder) {
  const std::string before = "\tds_store_b32 v2, v3\n\tds_load_b32 v1, v4\n\ts_waitcnt lgkmcnt(0)";
  EXPECT_NE(refusalOfResult(before,
                            "\tds_load_b32 v1, v4\n\tds_store_b32 v2, v3\n\ts_waitcnt lgkmcnt(0)"),
            "");
  // LDS and global memory do not order each other.
  EXPECT_EQ(refusalOfBodies("\tds_store_b32 v2, v3\n\tglobal_store_b32 v0, v1, s[4:5]",
                            "\tglobal_store_b32 v0, v1, s[4:5]\n\tds_store_b32 v2, v3"),
            "");
  EXPECT_NE(refusalOfBodies("\tds_store_b32 v2, v3\n\tflat_store_b32 v[4:5], v1",
                            "\tflat_store_b32 v[4:5], v1\n\tds_store_b32 v2, v3"),
            "");
}

/// LDS stores, and a wait for them.
std::string stored(const std::string &stores) {
  return stores + "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n";
}

TEST(VerifyValues, StoresToTwoAddressesAreTwoStores) {
  const std::string two = stored("\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:1024\n");
  EXPECT_EQ(refusalOfBodies(two, stored("\tds_store_2addr_stride64_b32 v0, v1, v2 offset1:4\n")),
            "");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_2addr_stride64_b32 v0, v2, v1 offset1:4\n")),
            "");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_2addr_stride64_b32 v0, v1, v2 offset1:5\n")),
            "");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_2addr_b32 v0, v1, v2 offset1:4\n")), "");
  const std::string wide = stored("\tds_store_b64 v0, v[2:3] offset:8\n"
                                  "\tds_store_b64 v0, v[4:5] offset:24\n");
  EXPECT_EQ(refusalOfBodies(wide, stored("\tds_store_2addr_b64 v0, v[2:3], v[4:5] offset0:1 "
                                         "offset1:3\n")),
            "");
  EXPECT_NE(refusalOfBodies(wide, stored("\tds_store_2addr_b32 v0, v2, v4 offset0:2 "
                                         "offset1:6\n")),
            "");
}

/// With v0 = 4 * lane, lane 1 stores by the first where lane 0 does by the second.
TEST(VerifyValues, LanesMayMeetInStores) {
  const std::string two = stored("\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4\n");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_b32 v0, v2 offset:4\n\tds_store_b32 v0, v1\n")),
            "");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_2addr_b32 v0, v2, v1 offset0:1\n")), "");
}

TEST(VerifyValues, MergedStoresAreCountedOnce) {
  const std::string load = "\tds_load_b32 v3, v4\n", end = "\ts_waitcnt lgkmcnt(0)\n";
  const std::string two = load + "\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4\n";
  const std::string one = load + "\tds_store_2addr_b32 v0, v1, v2 offset1:1\n";
  const auto count = [&](unsigned n) {
    return fmt::format("\ts_waitcnt lgkmcnt({})\n\ts_barrier\n", n);
  };
  EXPECT_EQ(refusalOfBodies(two + count(2) + end, one + count(1) + end), "");
  EXPECT_THAT(refusalOfBodies(two + count(2) + end, one + count(2) + end), HasSubstr("in flight"));
  // Whoever has waited for the first one must wait for both.
  EXPECT_THAT(refusalOfBodies(two + count(1) + end, one + count(1) + end), HasSubstr("in flight"));
  EXPECT_EQ(refusalOfBodies(two + count(1) + end, one + count(0) + end), "");
}

TEST(VerifyValues, MergedStoresMayEndAPieceWhereNobodyCountsThem) {
  const std::string two = "\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4\n";
  const std::string one = "\tds_store_2addr_b32 v0, v1, v2 offset1:1\n";
  const auto refusalBefore = [&](const std::string &taken, const std::string &other) {
    const std::string rest = "\ts_cbranch_scc1 .LBB0_1\n" + other + ".LBB0_1:\n" + taken;
    return refusalOfBodies(two + rest, one + rest);
  };
  const std::string drain = "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n";
  EXPECT_EQ(refusalBefore(drain, ""), "");
  EXPECT_EQ(refusalBefore(drain, "\tv_mov_b32_e32 v5, v6\n\ts_waitcnt vmcnt(0)\n"), "");
  EXPECT_EQ(refusalBefore("\tv_mov_b32_e32 v5, v6\n", ""), ""); // the end
  const char *what = "not in the original's order";
  EXPECT_THAT(refusalBefore("\ts_waitcnt lgkmcnt(1)\n" + drain, ""), HasSubstr(what));
  EXPECT_THAT(refusalBefore(drain, "\ts_waitcnt lgkmcnt(2)\n"), HasSubstr(what));
  EXPECT_THAT(refusalBefore("\ts_barrier\n" + drain, ""), HasSubstr(what));
  EXPECT_THAT(refusalBefore(drain, "\ts_waitcnt_vscnt null, 0x0\n"), HasSubstr(what));
  EXPECT_THAT(refusalBefore(drain, "\tbuffer_gl0_inv\n"), HasSubstr(what));
}

TEST(VerifyValues, AtomicsKeepWaitsAndOrder) {
  const std::string before = "\tglobal_atomic_add_u32 v6, v0, v2, s[6:7] glc\n"
                             "\ts_waitcnt vmcnt(0)\n"
                             "\tglobal_load_b32 v1, v0, s[8:9]\n\ts_waitcnt vmcnt(0)";
  EXPECT_EQ(refusalOfResult(before, before), "");
  EXPECT_NE(refusalOfResult(
                before, replaced(before, "\ts_waitcnt vmcnt(0)\n\tglobal_load", "\tglobal_load")),
            "");
}

TEST(VerifyValues, LaneShiftsAreNoPlainOperations) {
  const std::string dpp = " quad_perm:[0,0,0,0] row_mask:0x0 bank_mask:0x0";
  EXPECT_NE(refusalOfResult("\tv_fmac_f32_dpp v1, v2, v3" + dpp, "\tv_fmac_f32_e32 v1, v2, v3"),
            "");
  EXPECT_NE(refusalOfResult("\tv_mov_b32_dpp v1, v2" + dpp, "\tv_mov_b32_e32 v1, v2"), "");
  EXPECT_NE(
      refusalOfResult("\tv_fmac_f32_dpp v1, v2, v3" + dpp, "\tv_fmac_f32_dpp v1, v3, v2" + dpp),
      "");
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// A loop under a condition; v1 is needed by all lanes after it.
const std::string kGuarded = R"(
	v_mov_b32_e32 v1, 0
	s_mov_b32 s2, 0
	s_mov_b32 s3, exec_lo
	v_cmpx_gt_u32_e32 16, v0
	s_cbranch_execz .LBB0_2
.LBB0_1:
	v_fmac_f32_e32 v1, v0, v0
	s_add_i32 s2, s2, 1
	s_cmp_lg_u32 s2, 64
	s_cbranch_scc1 .LBB0_1
.LBB0_2:
	s_or_b32 exec_lo, exec_lo, s3
	global_store_b32 v0, v1, s[4:5]
)";

TEST(VerifyValues, RenamesUnderANarrowMask) {
  const std::string after =
      replaced(replaced(replaced(kGuarded, ".LBB0_1:\n", "\tv_mov_b32_e32 v9, v1\n.LBB0_1:\n"),
                        "v_fmac_f32_e32 v1, v0, v0", "v_fmac_f32_e32 v9, v0, v0"),
               ".LBB0_2:\n", "\tv_mov_b32_e32 v1, v9\n.LBB0_2:\n");
  const std::vector<Correspondence> claims = {claimAt(kGuarded, ".LBB0_1", {{1, 9}})};
  EXPECT_EQ(refusalOfBodies(kGuarded, after, claims), "");
  // Restored only after the mask is wide again: the other lanes of v9 were never set.
  const std::string late =
      replaced(replaced(replaced(kGuarded, ".LBB0_1:\n", "\tv_mov_b32_e32 v9, v1\n.LBB0_1:\n"),
                        "v_fmac_f32_e32 v1, v0, v0", "v_fmac_f32_e32 v9, v0, v0"),
               "\tglobal_store", "\tv_mov_b32_e32 v1, v9\n\tglobal_store");
  EXPECT_NE(refusalOfBodies(kGuarded, late, claims), "");
}

TEST(VerifyValues, RefusesMotionAcrossAMaskChange) {
  const std::string before = "\tv_mov_b32_e32 v1, 1.0\n\tv_cmpx_gt_u32_e32 16, v0\n"
                             "\tv_mov_b32_e32 v1, 2.0\n\ts_mov_b32 exec_lo, -1\n"
                             "\tglobal_store_b32 v0, v1, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  EXPECT_NE(refusalOfBodies(before, "\tv_mov_b32_e32 v1, 1.0\n\tv_mov_b32_e32 v1, 2.0\n"
                                    "\tv_cmpx_gt_u32_e32 16, v0\n\ts_mov_b32 exec_lo, -1\n"
                                    "\tglobal_store_b32 v0, v1, s[4:5]"),
            "");
}

TEST(VerifyValues, LanePermutationsSeeAllLanes) {
  const std::string before = "\tv_cmpx_gt_u32_e32 16, v0\n\tv_mov_b32_e32 v1, 2.0\n"
                             "\tv_readlane_b32 s6, v1, 20\n\tv_mov_b32_e32 v2, s6\n"
                             "\tglobal_store_b32 v0, v2, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  // Lane 20 may be off, and holds v1's older value then, which is not v3's.
  EXPECT_NE(
      refusalOfBodies(before, replaced(replaced(before, "v1, 2.0", "v3, 2.0"), "s6, v1", "s6, v3")),
      "");
}

} // namespace
} // namespace rdna::test::verifyValuesTest
