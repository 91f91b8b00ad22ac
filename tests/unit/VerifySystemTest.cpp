// Rules by identity, texts against themselves, effects on the machine, lanes when there are none,
// and code that nothing reaches.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifySystemTest {
namespace {

using testing::HasSubstr;

constexpr std::string_view kStore = "	global_store_b128 v20, v[10:13], s[6:7]\n	s_endpgm\n";

std::string stored(std::string_view code) { return std::string(code) + std::string(kStore); }

std::string refusalOfStored(std::string_view before, std::string_view after) {
  return refusalOfBodies(stored(before), stored(after));
}

TEST(VerifyRules, AFaultIsKeptButNotExchanged) {
  // The first pair has a parity hazard, the second has none.
  const std::string before = "	v_dual_mov_b32 v10, v4 :: v_dual_mov_b32 v11, v6\n"
                             "	v_dual_mov_b32 v12, v4 :: v_dual_mov_b32 v13, v7\n";
  EXPECT_EQ(refusalOfStored(before, before + "	s_nop 0\n"), "");
  // As many as before, but another one.
  const std::string other = "	v_dual_mov_b32 v10, v4 :: v_dual_mov_b32 v13, v7\n"
                            "	v_mov_b32_e32 v11, v6\n	v_mov_b32_e32 v12, v4\n";
  EXPECT_EQ(refusalOfStored(before, other), "");
  EXPECT_THAT(refusalOfStored(other, before), HasSubstr("vopd-parity"));
}

TEST(VerifyRules, AHintThatBreaksOneIsNoOlderFault) {
  const std::string loads =
      "	global_load_b32 v10, v20, s[4:5]\n	global_load_b32 v11, v20, s[6:7]\n";
  const std::string before = "	s_clause 0x3\n" + loads + "	s_waitcnt vmcnt(0)\n";
  EXPECT_EQ(refusalOfStored(before, "	s_setprio 1\n" + before), "");
  EXPECT_NE(refusalOfStored(loads + "	s_waitcnt vmcnt(0)\n", before), "");
}

TEST(VerifyRules, TextsAreEqualToThemselvesAndWithHints) {
  for (const std::string_view body :
       {"	v_cmpx_eq_u32_e32 0, v40\n	s_cbranch_execz .La\n	v_mov_b32_e32 v40, "
        "1\n.La:\n"
        "	s_or_b32 exec_lo, exec_lo, s2\n	v_mov_b32_e32 v40, s1\n"
        "	buffer_atomic_add_u32 v41, v41, s[4:7], 0 idxen offset:256\n.Lb:\n"
        "	s_cbranch_execnz .Lb\n	s_mov_b32 exec_lo, s1\n"
        "	buffer_store_format_xyzw v[32:35], v[40:41], s[4:7], s0 idxen offen\n",
        "	v_movreld_b32_e32 v8, v17\n	v_mov_b32_e32 v1, v2\n",
        "	image_sample v[0:1], v[0:1], s[0:7], s[0:3] dmask:0x3 dim:SQ_RSRC_IMG_2D\n"
        "	v_fmac_f32_e32 v1, v2, v0\n",
        "	s_or_saveexec_b32 s0, s0\n	v_sub_nc_u32_e32 v12, 0xff, v13\n"
        "	s_cbranch_execz .Lend\n	v_mov_b32_e32 v1, v12\n.Lend:\n	s_setpc_b64 s[0:1]\n",
        "	s_trap 2\n	s_sethalt 0\n	s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES)\n",
        "	ds_add_gs_reg_rtn v[0:1], v2 gds\n	exp mrt0 v0, v0, v0, v0 done\n"}) {
    EXPECT_EQ(refusalOfBodies(body, body), "") << body;
    EXPECT_EQ(refusalOfBodies(body, "	s_setprio 1\n" + std::string(body)), "") << body;
  }
  // Where bytes are counted a hint is no hint.
  const std::string distance =
      "	s_getpc_b64 s[4:5]\n	s_add_u32 s4, s4, 16\n	s_addc_u32 s5, s5, 0\n";
  EXPECT_EQ(refusalOfBodies(distance, distance), "");
  EXPECT_NE(refusalOfBodies(distance, distance + "	s_setprio 1\n"), "");
}

TEST(VerifySystem, ExceptionsAreReadWhereTheyWereRaised) {
  const std::string
      sum = "	v_add_f32_e32 v10, v1, v2\n",
      flags = "	s_getreg_b32 s8, hwreg(HW_REG_TRAPSTS, 0, 9)\n	v_mov_b32_e32 v11, s8\n";
  EXPECT_EQ(refusalOfStored(sum + flags, sum + "	s_nop 0\n" + flags), "");
  EXPECT_THAT(refusalOfStored(sum + flags, flags + sum), HasSubstr("exceptions"));
  EXPECT_NE(refusalOfStored(flags + sum, sum + flags), "");
  // Moves and integers raise none.
  const std::string move = "	v_mov_b32_e32 v10, v1\n";
  EXPECT_EQ(refusalOfStored(move + flags, flags + move), "");
  // Without a look at them operations are free.
  const std::string mode =
      "	s_getreg_b32 s8, hwreg(HW_REG_MODE, 0, 4)\n	v_mov_b32_e32 v11, s8\n";
  EXPECT_EQ(refusalOfStored(sum + mode, mode + sum), "");
}

TEST(VerifySystem, MemoryDoesNotPassWhatShowsTheMachine) {
  const std::string load = "	global_load_b32 v10, v20, s[4:5]\n",
                    store = "	global_store_b32 v20, v1, s[4:5]\n";
  for (const std::string_view what :
       {"	s_getreg_b32 s8, hwreg(HW_REG_SHADER_CYCLES, 0, 20)\n",
        "	s_getreg_b32 s8, hwreg(HW_REG_STATUS)\n",
        "	s_getreg_b32 s8, hwreg(HW_REG_HW_ID1)\n", "	s_trap 3\n", "	s_sethalt 1\n",
        "	s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 4), 1\n",
        "	s_setreg_imm32_b32 0x1803, 1\n"})
    for (const std::string &access : {load, store}) {
      const std::string wait = "	s_waitcnt vmcnt(0)\n	v_mov_b32_e32 v11, s8\n";
      const std::string a = access + std::string(what) + wait,
                        b = std::string(what) + access + wait;
      EXPECT_EQ(refusalOfStored(a, a + "	s_nop 0\n"), "") << what;
      EXPECT_NE(refusalOfStored(a, b), "") << what;
    }
}

TEST(VerifySystem, ModeIsARegisterLikeOthers) {
  const std::string load = "	global_load_b32 v10, v20, s[4:5]\n",
                    wait = "	s_waitcnt vmcnt(0)\n";
  for (const std::string mode : {"	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 15\n",
                                 "	s_setreg_imm32_b32 0x1801, 3\n",
                                 "	s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s9\n"})
    EXPECT_EQ(refusalOfStored(load + mode + wait, mode + load + wait), "") << mode;
}

TEST(VerifySystem, ScratchLiesWhereFlatScratchSays) {
  const std::string load = "	scratch_load_b32 v10, off, s8\n	s_waitcnt vmcnt(0)\n",
                    set = "	s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s9\n";
  EXPECT_NE(refusalOfStored(load + set, set + load), "");
}

TEST(VerifySystem, WithoutLanesTheFirstLaneIsRead) {
  // v10 differs in lane 0 if no lane is active.
  const auto with = [](std::string_view guard, std::string_view reg) {
    return fmt::format("	v_mov_b32_e32 {1}, v1\n	s_mov_b32 s9, exec_lo\n{0}"
                       "	v_mov_b32_e32 {1}, v2\n	v_readfirstlane_b32 s8, {1}\n.Lskip:\n"
                       "	s_mov_b32 exec_lo, s9\n	v_mov_b32_e32 v10, s8\n",
                       guard, reg);
  };
  const std::string_view narrow = "	v_cmpx_gt_u32_e32 s10, v0\n";
  const std::string_view guarded = "	v_cmpx_gt_u32_e32 s10, v0\n	s_cbranch_execz .Lskip\n";
  const auto inV30 = [&](std::string_view guard) {
    return replaced(with(guard, "v30"), "v_mov_b32_e32 v30, v1\n", "v_mov_b32_e32 v31, v1\n");
  };
  EXPECT_EQ(refusalOfStored(with(narrow, "v30"), with(narrow, "v30") + "	s_nop 0\n"), "");
  EXPECT_NE(refusalOfStored(with(narrow, "v30"), inV30(narrow)), "");
  EXPECT_EQ(refusalOfStored(with(guarded, "v30"), inV30(guarded)), "");
}

TEST(VerifySystem, WhatNothingReachesMayNotChange) {
  const std::string before =
      "	s_branch .Lend\n	v_add_f32_e32 v10, v1, v2\n	s_branch .Lend\n.Lend:\n";
  EXPECT_EQ(refusalOfStored(before, replaced(before, "	s_branch .Lend\n	v_add",
                                             "	s_nop 0\n"
                                             "	s_branch .Lend\n	v_add")),
            "");
  EXPECT_THAT(refusalOfStored(before, replaced(before, "v10, v1, v2", "v10, v1, v3")),
              HasSubstr("nothing reaches"));
}

} // namespace
} // namespace rdna::test::verifySystemTest
