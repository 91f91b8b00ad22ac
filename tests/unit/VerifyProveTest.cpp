// What the equivalence proof accepts and what it refuses, on bodies small enough to check by eye.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test {
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
// Families of values
//===----------------------------------------------------------------------===//

/// Both compute v1 of v0, v2, v3, v4 (and SGPRs) and store it.
std::string refusalOfValue(const std::string &before, const std::string &after) {
  const std::string store = "\n	global_store_b32 v0, v1, s[4:5]";
  return refusalOfBodies(before + store, after + store);
}

TEST(VerifyProve, FmaFamilyIsOneFunction) {
  const std::string fmac = "	v_fmac_f32_e32 v1, v2, v3";
  EXPECT_EQ(refusalOfValue(fmac, "	v_fma_f32 v1, v2, v3, v1"), "");
  EXPECT_EQ(refusalOfValue(fmac, "	v_fma_f32 v1, v3, v2, v1"), "");
  EXPECT_EQ(refusalOfValue(fmac, "	v_fmac_f32_e64 v1, v3, v2"), "");
  EXPECT_EQ(refusalOfValue("	v_fma_f32 v1, v2, 0x41234567, v3",
                           "	v_fmamk_f32 v1, v2, 0x41234567, v3"),
            "");
  EXPECT_EQ(refusalOfValue("	v_fma_f32 v1, v2, v3, 0x41234567",
                           "	v_fmaak_f32 v1, v3, v2, 0x41234567"),
            "");
  EXPECT_EQ(refusalOfValue("	v_fma_f32 v1, -v2, v3, v1", "	v_fmac_f32_e64 v1, -v2, v3"), "");
  EXPECT_NE(refusalOfValue(fmac, "	v_fma_f32 v1, v2, v1, v3"), "");
  EXPECT_NE(refusalOfValue(fmac, "	v_fma_f32 v1, -v2, v3, v1"), "");
  EXPECT_NE(refusalOfValue(fmac, "	v_fma_f32 v1, v2, v3, v1 clamp"), "");
  EXPECT_NE(
      refusalOfValue("	v_fma_f32 v1, v2, v3, v1 clamp", "	v_fma_f32 v1, v2, v3, v1 mul:2"),
      "");
  EXPECT_NE(refusalOfValue("	v_fmamk_f32 v1, v2, 0x41234567, v3",
                           "	v_fmaak_f32 v1, v2, v3, 0x41234567"),
            "");
}

TEST(VerifyProve, BothHalvesOfAPairReadFirst) {
  const std::string swap = "	v_dual_mov_b32 v1, v2 :: v_dual_mov_b32 v2, v1\n"
                           "	v_sub_f32_e32 v1, v1, v2";
  EXPECT_EQ(refusalOfValue(swap, "	v_swap_b32 v1, v2\n	v_sub_f32_e32 v1, v1, v2"), "");
  EXPECT_EQ(refusalOfValue(swap, "	v_sub_f32_e32 v1, v2, v1"), "");
  EXPECT_NE(refusalOfValue(swap, "	v_mov_b32_e32 v1, v2\n	v_mov_b32_e32 v2, v1\n"
                                 "	v_sub_f32_e32 v1, v1, v2"),
            "");
}

TEST(VerifyProve, UpperHalfOfAnAddendIsMeaningless) {
  const std::string before = "	v_mad_u64_u32 v[6:7], null, v2, v3, v[4:5]\n"
                             "	v_mov_b32_e32 v1, v6";
  // v8, v9: the addend's low half where it was, another upper half.
  EXPECT_EQ(refusalOfValue(before, "	v_mov_b32_e32 v8, v4\n"
                                   "	v_mad_u64_u32 v[6:7], null, v2, v3, v[8:9]\n"
                                   "	v_mov_b32_e32 v1, v6"),
            "");
  EXPECT_NE(refusalOfValue(replaced(before, "v1, v6", "v1, v7"),
                           "	v_mov_b32_e32 v8, v4\n"
                           "	v_mad_u64_u32 v[6:7], null, v2, v3, v[8:9]\n"
                           "	v_mov_b32_e32 v1, v7"),
            "");
}

TEST(VerifyProve, KeepsPartialWrites) {
  EXPECT_NE(refusalOfValue("	v_add_f16 v1.l, v2.l, v3.l", "	v_add_f16 v1.h, v2.l, v3.l"), "");
  EXPECT_NE(refusalOfValue("	v_mov_b32_e32 v1, v4\n	v_add_f16 v1.l, v2.l, v3.l",
                           "	v_add_f16 v1.l, v2.l, v3.l"),
            "");
}

TEST(VerifyProve, AperturesDiffer) {
  EXPECT_EQ(
      refusalOfValue("	v_mov_b32_e32 v1, src_shared_base", "	v_mov_b32_e32 v1, src_shared_base"),
      "");
  EXPECT_NE(refusalOfValue("	v_mov_b32_e32 v1, src_shared_base",
                           "	v_mov_b32_e32 v1, src_private_base"),
            "");
  EXPECT_NE(refusalOfValue("	v_mov_b32_e32 v1, src_shared_base", "	v_mov_b32_e32 v1, null"),
            "");
  EXPECT_NE(refusalOfValue("	v_bfe_u32 v1, src_shared_base, 1, 2", "	v_bfe_u32 v1, null, 1, 2"),
            "");
}

TEST(VerifyProve, ModeIsAnInput) {
  const std::string before = "	v_add_f32_e32 v1, v2, v3\n	s_denorm_mode 15";
  EXPECT_EQ(refusalOfValue(before, before), "");
  EXPECT_NE(refusalOfValue(before, "	s_denorm_mode 15\n	v_add_f32_e32 v1, v2, v3"), "");
}

TEST(VerifyProve, StoresOfOneSpaceKeepTheirOrder) {
  const std::string before =
      "	ds_store_b32 v2, v3\n	ds_load_b32 v1, v4\n	s_waitcnt lgkmcnt(0)";
  EXPECT_NE(
      refusalOfValue(before,
                     "	ds_load_b32 v1, v4\n	ds_store_b32 v2, v3\n	s_waitcnt lgkmcnt(0)"),
      "");
  // LDS and global memory do not order each other.
  EXPECT_EQ(refusalOfBodies("	ds_store_b32 v2, v3\n	global_store_b32 v0, v1, s[4:5]",
                            "	global_store_b32 v0, v1, s[4:5]\n	ds_store_b32 v2, v3"),
            "");
  EXPECT_NE(refusalOfBodies("	ds_store_b32 v2, v3\n	flat_store_b32 v[4:5], v1",
                            "	flat_store_b32 v[4:5], v1\n	ds_store_b32 v2, v3"),
            "");
}

/// LDS stores, and a wait for them.
std::string stored(const std::string &stores) {
  return stores + "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n";
}

TEST(VerifyProve, StoresToTwoAddressesAreTwoStores) {
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
TEST(VerifyProve, LanesMayMeetInStores) {
  const std::string two = stored("\tds_store_b32 v0, v1\n\tds_store_b32 v0, v2 offset:4\n");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_b32 v0, v2 offset:4\n\tds_store_b32 v0, v1\n")),
            "");
  EXPECT_NE(refusalOfBodies(two, stored("\tds_store_2addr_b32 v0, v2, v1 offset0:1\n")), "");
}

TEST(VerifyProve, MergedStoresAreCountedOnce) {
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

TEST(VerifyProve, MergedStoresMayEndAPieceWhereNobodyCountsThem) {
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

TEST(VerifyProve, AtomicsKeepWaitsAndOrder) {
  const std::string before = "	global_atomic_add_u32 v6, v0, v2, s[6:7] glc\n"
                             "	s_waitcnt vmcnt(0)\n"
                             "	global_load_b32 v1, v0, s[8:9]\n	s_waitcnt vmcnt(0)";
  EXPECT_EQ(refusalOfValue(before, before), "");
  EXPECT_NE(refusalOfValue(before, replaced(before, "	s_waitcnt vmcnt(0)\n	global_load",
                                            "	global_load")),
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

TEST(VerifyProve, RenamesUnderANarrowMask) {
  const std::string after =
      replaced(replaced(replaced(kGuarded, ".LBB0_1:\n", "	v_mov_b32_e32 v9, v1\n.LBB0_1:\n"),
                        "v_fmac_f32_e32 v1, v0, v0", "v_fmac_f32_e32 v9, v0, v0"),
               ".LBB0_2:\n", "	v_mov_b32_e32 v1, v9\n.LBB0_2:\n");
  const std::vector<Correspondence> claims = {claimAt(kGuarded, ".LBB0_1", {{1, 9}})};
  EXPECT_EQ(refusalOfBodies(kGuarded, after, claims), "");
  // Restored only after the mask is wide again: the other lanes of v9 were never set.
  const std::string late =
      replaced(replaced(replaced(kGuarded, ".LBB0_1:\n", "	v_mov_b32_e32 v9, v1\n.LBB0_1:\n"),
                        "v_fmac_f32_e32 v1, v0, v0", "v_fmac_f32_e32 v9, v0, v0"),
               "	global_store", "	v_mov_b32_e32 v1, v9\n	global_store");
  EXPECT_NE(refusalOfBodies(kGuarded, late, claims), "");
}

TEST(VerifyProve, RefusesMotionAcrossAMaskChange) {
  const std::string before = "	v_mov_b32_e32 v1, 1.0\n	v_cmpx_gt_u32_e32 16, v0\n"
                             "	v_mov_b32_e32 v1, 2.0\n	s_mov_b32 exec_lo, -1\n"
                             "	global_store_b32 v0, v1, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  EXPECT_NE(refusalOfBodies(before, "	v_mov_b32_e32 v1, 1.0\n	v_mov_b32_e32 v1, 2.0\n"
                                    "	v_cmpx_gt_u32_e32 16, v0\n	s_mov_b32 exec_lo, -1\n"
                                    "	global_store_b32 v0, v1, s[4:5]"),
            "");
}

TEST(VerifyProve, LanePermutationsSeeAllLanes) {
  const std::string before = "	v_cmpx_gt_u32_e32 16, v0\n	v_mov_b32_e32 v1, 2.0\n"
                             "	v_readlane_b32 s6, v1, 20\n	v_mov_b32_e32 v2, s6\n"
                             "	global_store_b32 v0, v2, s[4:5]";
  EXPECT_EQ(refusalOfBodies(before, before), "");
  // Lane 20 may be off, and holds v1's older value then, which is not v3's.
  EXPECT_NE(
      refusalOfBodies(before, replaced(replaced(before, "v1, 2.0", "v3, 2.0"), "s6, v1", "s6, v3")),
      "");
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

TEST(VerifyProve, LaneShiftsAreNoPlainOperations) {
  const std::string dpp = " quad_perm:[0,0,0,0] row_mask:0x0 bank_mask:0x0";
  EXPECT_NE(refusalOfValue("	v_fmac_f32_dpp v1, v2, v3" + dpp, "	v_fmac_f32_e32 v1, v2, v3"),
            "");
  EXPECT_NE(refusalOfValue("	v_mov_b32_dpp v1, v2" + dpp, "	v_mov_b32_e32 v1, v2"), "");
  EXPECT_NE(
      refusalOfValue("	v_fmac_f32_dpp v1, v2, v3" + dpp, "	v_fmac_f32_dpp v1, v3, v2" + dpp),
      "");
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
} // namespace rdna::test
