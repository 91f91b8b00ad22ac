// Memory between waves (docs/design.md, "The memory model"): what a rewrite may do to accesses
// around a wait, and what not.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyOrderTest {
namespace {

using testing::HasSubstr;

/// A body with its results stored, so that everything in it is needed.
std::string body(std::string_view code) {
  return "	s_load_b128 s[4:7], s[0:1], 0x0\n	s_waitcnt lgkmcnt(0)\n" +
         std::string(code) +
         "	s_waitcnt vmcnt(0) lgkmcnt(0)\n	global_store_b128 v20, v[10:13], s[6:7]\n"
         "	s_endpgm\n";
}

std::string orderRefusal(std::string_view before, std::string_view after) {
  return refusalOfBodies(body(before), body(after));
}

std::string assumingNoSync(std::string_view before, std::string_view after) {
  Correspondence claim;
  claim.function = "k";
  claim.assumptions.insert(Assumption::NoSyncWithoutBarrier);
  return refusalOfBodies(body(before), body(after), {claim});
}

// An acquire in CU mode: a plain load of a flag, a wait, plain loads of what it guards.
constexpr std::string_view kAcquire = R"(	ds_load_b32 v10, v21
	s_waitcnt lgkmcnt(0)
	global_load_b32 v11, v20, s[4:5]
)";
constexpr std::string_view kAcquireMoved = R"(	global_load_b32 v11, v20, s[4:5]
	ds_load_b32 v10, v21
	s_waitcnt lgkmcnt(0)
)";
constexpr std::string_view kAcquireDropped = R"(	ds_load_b32 v10, v21
	global_load_b32 v11, v20, s[4:5]
)";

TEST(VerifyOrder, NothingPassesAnAcquire) {
  EXPECT_EQ(orderRefusal(kAcquire, kAcquire), "");
  EXPECT_THAT(orderRefusal(kAcquire, kAcquireMoved), HasSubstr("order memory between waves"));
  EXPECT_THAT(orderRefusal(kAcquire, kAcquireDropped), HasSubstr("order memory between waves"));
  // More order is no less.
  EXPECT_EQ(orderRefusal(kAcquireDropped, kAcquire), "");
}

TEST(VerifyOrder, NorDoStoresAndLoadsOfOtherKinds) {
  for (const std::string_view behind :
       {"	global_store_b32 v20, v12, s[4:5]\n", "	ds_store_b32 v22, v12\n",
        "	ds_load_b32 v13, v22\n", "	buffer_load_b32 v13, v20, s[8:11], 0 offen\n",
        "	global_atomic_add_u32 v20, v12, s[4:5]\n", "	ds_add_u32 v22, v12\n",
        "	flat_load_b32 v13, v[22:23]\n", "	s_load_b32 s12, s[4:5], 0x0 glc\n"}) {
    const std::string flag = "	global_load_b32 v10, v21, s[4:5]\n",
                      wait = "	s_waitcnt vmcnt(0)\n";
    const std::string before = flag + wait + std::string(behind);
    EXPECT_NE(orderRefusal(before, flag + std::string(behind) + wait), "") << behind;
    EXPECT_EQ(orderRefusal(before, before), "") << behind;
  }
  // A private access is nobody else's.
  const std::string flag = "	ds_load_b32 v10, v21\n", wait = "	s_waitcnt lgkmcnt(0)\n",
                    spill = "	scratch_load_b32 v13, off, s8\n";
  EXPECT_EQ(orderRefusal(flag + wait + spill, flag + spill + wait), "");
}

TEST(VerifyOrder, AcquiresThatAreNot) {
  // Only multiplied and added: it tells the wave nothing.
  const auto with = [](std::string_view use) {
    return std::pair("	ds_load_b32 v1, v21\n	s_waitcnt lgkmcnt(0)\n	global_load_b32 v11, v20, "
                     "s[4:5]\n" +
                         std::string(use),
                     "	global_load_b32 v11, v20, s[4:5]\n	ds_load_b32 v1, v21\n	s_waitcnt "
                     "lgkmcnt(0)\n" +
                         std::string(use));
  };
  for (const std::string_view use :
       {"	v_fmac_f32_e32 v10, v1, v2\n", "	v_mul_f32_e32 v10, v1, v1\n",
        "	v_mov_b32_e32 v3, v1\n	v_add_f32_e32 v10, v3, v2\n",
        "	v_readlane_b32 s8, v1, 3\n	v_mul_f32_e32 v10, s8, v2\n",
        "	v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
        "	v_fmac_f32_e32 v10, v3, v2\n",
        "	v_dual_fmac_f32 v10, v1, v2 :: v_dual_mul_f32 v13, v2, v1\n"}) {
    const auto [before, after] = with(use);
    EXPECT_EQ(orderRefusal(before, after), "") << use;
  }
  for (const std::string_view use :
       {"	v_mov_b32_e32 v10, v1\n", // stored as it came
        "	v_cmp_eq_u32_e32 vcc_lo, 0, v1\n	v_cndmask_b32_e32 v10, v2, v3, vcc_lo\n",
        "	v_cndmask_b32_e32 v10, v1, v3, vcc_lo\n", "	v_and_b32_e32 v10, 1, v1\n",
        "	v_mul_f32_e32 v3, v1, v2\n	v_cmp_eq_f32_e32 vcc_lo, 0, v3\n"
        "	v_cndmask_b32_e32 v10, v2, v3, vcc_lo\n",
        "	v_mul_f32_e32 v3, v1, v2\n	ds_load_b32 v10, v3\n",
        "	v_readfirstlane_b32 s8, v1\n	s_cmp_lg_u32 s8, 0\n	s_cselect_b32 s9, 1, 0\n"
        "	v_mov_b32_e32 v10, s9\n",
        "	v_max_f32_e32 v10, v1, v2\n"}) {
    const auto [before, after] = with(use);
    EXPECT_NE(orderRefusal(before, after), "") << use;
    EXPECT_EQ(assumingNoSync(before, after), "") << use;
  }
}

TEST(VerifyOrder, LoadsOfOneQueueKeepTheirOrderWithoutAWait) {
  const std::string flag = "	ds_load_b32 v10, v21\n", data = "	ds_load_b32 v11, v22\n";
  EXPECT_THAT(orderRefusal(flag + data, data + flag), HasSubstr("passes a load"));
  EXPECT_EQ(assumingNoSync(flag + data, data + flag), "");
  // Different queues are in no order by themselves.
  const std::string global = "	global_load_b32 v11, v20, s[4:5]\n";
  EXPECT_EQ(orderRefusal(flag + global, global + flag), "");
}

// A release in CU mode: what is handed over, a wait, a plain store of the flag.
constexpr std::string_view kRelease = R"(	ds_store_b32 v21, v12
	s_waitcnt lgkmcnt(0)
	global_store_b32 v20, v13, s[4:5]
)";

TEST(VerifyOrder, AReleaseComesBehindWhatItReleases) {
  EXPECT_EQ(orderRefusal(kRelease, kRelease), "");
  const std::string_view moved = R"(	global_store_b32 v20, v13, s[4:5]
	ds_store_b32 v21, v12
	s_waitcnt lgkmcnt(0)
)";
  const std::string_view dropped = R"(	ds_store_b32 v21, v12
	global_store_b32 v20, v13, s[4:5]
)";
  const std::string_view weakened = R"(	ds_store_b32 v21, v12
	s_waitcnt lgkmcnt(1)
	global_store_b32 v20, v13, s[4:5]
)";
  for (const std::string_view wrong : {moved, dropped, weakened}) {
    EXPECT_THAT(orderRefusal(kRelease, wrong), HasSubstr("order memory between waves"));
    EXPECT_EQ(assumingNoSync(kRelease, wrong), "");
  }
  // What has been read must have been read before the flag says so.
  const std::string read = "	ds_load_b32 v1, v21\n	s_waitcnt lgkmcnt(0)\n",
                    store = "	global_store_b32 v20, v13, s[4:5]\n",
                    use = "	s_waitcnt lgkmcnt(0)\n	v_fmac_f32_e32 v10, v1, v2\n";
  EXPECT_NE(orderRefusal(read + store + use, "	ds_load_b32 v1, v21\n" + store + use), "");
  // A later load may be issued earlier.
  const std::string later = "	global_load_b32 v11, v20, s[6:7]\n";
  EXPECT_EQ(orderRefusal(read + use + later, later + read + use), "");
}

TEST(VerifyOrder, WaitsOfEarlierPieces) {
  // The access stands behind a branch, the flag was loaded in front of it.
  const auto with = [](std::string_view wait) {
    return "	ds_load_b32 v10, v21\n	s_cmp_lg_u32 s8, 0\n	s_cbranch_scc1 .Lskip\n" +
           std::string(wait) + "	global_load_b32 v11, v20, s[4:5]\n.Lskip:\n";
  };
  const std::string wait = "	s_waitcnt lgkmcnt(0)\n";
  EXPECT_EQ(orderRefusal(with(wait), with(wait)), "");
  EXPECT_NE(orderRefusal(with(wait), with("")), "");
  // When a kernel starts nothing is in flight.
  EXPECT_EQ(
      refusalOfBodies("	s_waitcnt lgkmcnt(0)\n	global_store_b32 v0, v1, s[2:3]\n	s_endpgm\n",
                      "	global_store_b32 v0, v1, s[2:3]\n	s_endpgm\n"),
      "");
}

TEST(VerifyOrder, AtomicsAndCacheBitsKeepTheirPlace) {
  const std::string poll = "	s_load_b32 s12, s[4:5], s8 glc\n	s_waitcnt lgkmcnt(0)\n",
                    data = "	global_load_b32 v11, v20, s[4:5]\n";
  EXPECT_NE(orderRefusal(poll + data, data + poll), "");
  EXPECT_NE(assumingNoSync(poll + data, data + poll), "");
  const std::string atomic = "	ds_add_rtn_u32 v10, v21, v12\n	s_waitcnt lgkmcnt(0)\n";
  EXPECT_NE(orderRefusal(atomic + data, data + atomic), "");
  EXPECT_NE(assumingNoSync(atomic + data, data + atomic), "");
  // A wait that nothing needs may go, beside an atomic too.
  EXPECT_EQ(
      orderRefusal("	global_atomic_add_u32 v20, v12, s[4:5]\n	s_waitcnt vmcnt(0)\n",
                   "	global_atomic_add_u32 v20, v12, s[4:5]\n"),
      "");
}

TEST(VerifyOrder, TheLaterOfTwoEqualLoadsCounts) {
  const std::string flag = "	ds_load_b32 v10, v21\n	s_waitcnt lgkmcnt(0)\n",
                    data = "	global_load_b32 v11, v20, s[4:5]\n";
  const std::string again = "	global_load_b32 v12, v20, s[4:5]\n";
  EXPECT_NE(
      orderRefusal(data + "	s_waitcnt vmcnt(0)\n" + flag + again,
                   data + "	s_waitcnt vmcnt(0)\n" + flag + "	v_mov_b32_e32 v12, v11\n"),
      "");
}

} // namespace
} // namespace rdna::test::verifyOrderTest
