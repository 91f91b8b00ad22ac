// Divergent code: which lanes still need a register is decided by the masks that come back.

#include "VerifySample.h"

#include <gtest/gtest.h>

namespace rdna::test::verifyMasksTest {
namespace {

/// v9 is a temporary of the loop; in front of it, another register does the same.
std::string temporary(std::string body, std::string_view reg) {
  size_t at;
  while ((at = body.find("TMP")) != std::string::npos)
    body.replace(at, 3, reg);
  return body;
}

const std::string kIfInLoop = R"(
	s_mov_b32 s4, 4
.Lloop:
	v_add_f32_e32 TMP, v1, v2
	v_mul_f32_e32 v1, TMP, v1
	v_mov_b32_e32 v9, 0
	v_cmp_gt_u32_e32 vcc_lo, s5, v0
	s_and_saveexec_b32 s20, vcc_lo
	s_cbranch_execz .Ljoin
	v_mov_b32_e32 v9, v1
.Ljoin:
	s_or_b32 exec_lo, exec_lo, s20
	v_add_f32_e32 v2, v9, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v2, s[10:11])";

TEST(VerifyMasks, WhatIsWrittenInAllLanesOfAnIfIsNotNeededBeforeIt) {
  EXPECT_EQ(refusalOfBodies(temporary(kIfInLoop, "v8"), temporary(kIfInLoop, "v9")), "");
}

TEST(VerifyMasks, LanesThatPassTheIfByNeedWhatTheyHave) {
  const std::string after = temporary(kIfInLoop, "v9");
  // Behind the write for all lanes the register is taken.
  const std::string late =
      replaced(after, "	v_cmp_gt_u32_e32 vcc_lo, s5, v0\n",
               "	v_cmp_gt_u32_e32 vcc_lo, s5, v0\n	v_mov_b32_e32 v9, v1\n");
  EXPECT_NE(refusalOfBodies(temporary(kIfInLoop, "v8"), late), "");
  // Without it the lanes that pass by have the value of the round before.
  const std::string kept = replaced(kIfInLoop, "	v_mov_b32_e32 v9, 0\n", "");
  EXPECT_NE(refusalOfBodies(temporary(kept, "v8"), temporary(kept, "v9")), "");
  // The write for all lanes is one for some.
  const std::string some = replaced(kIfInLoop, "	v_mov_b32_e32 v9, 0\n",
                                    "	s_mov_b32 s23, exec_lo\n	s_and_b32 exec_lo, "
                                    "exec_lo, s21\n	v_mov_b32_e32 v9, 0\n"
                                    "	s_mov_b32 exec_lo, s23\n");
  EXPECT_NE(refusalOfBodies(temporary(some, "v8"), temporary(some, "v9")), "");
}

/// A mask that comes from elsewhere may hold lanes that are on in the loop.
TEST(VerifyMasks, AMaskMayHoldActiveLanes) {
  const std::string body = R"(
	v_mov_b32_e32 v9, v1
	s_mov_b32 s4, 4
.Lloop:
	v_add_f32_e32 v2, v1, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc0 .Lout
	v_mul_f32_e32 v1, v1, v2
	s_branch .Lloop
.Lout:
	s_mov_b32 exec_lo, s21
	global_store_b32 v0, v9, s[10:11])";
  const auto with = [&](const std::string &inst) {
    return replaced(body, "	s_branch .Lloop\n", inst + "	s_branch .Lloop\n");
  };
  EXPECT_EQ(refusalOfBodies(body, with("	v_mov_b32_e32 v8, v2\n")), "");
  EXPECT_NE(refusalOfBodies(body, with("	v_mov_b32_e32 v9, v2\n")), "");
}

/// Both ways write v9, so nobody needs what it held before.
const std::string kIfElse = R"(
	s_mov_b32 s4, 4
.Lloop:
	v_add_f32_e32 TMP, v1, v2
	v_mul_f32_e32 v1, TMP, v1
	v_cmp_gt_u32_e32 vcc_lo, s5, v0
	s_and_saveexec_b32 s20, vcc_lo
	s_xor_b32 s20, exec_lo, s20
	s_cbranch_execz .Lelse
	v_mov_b32_e32 v9, v1
.Lelse:
	s_or_saveexec_b32 s20, s20
	s_xor_b32 exec_lo, exec_lo, s20
	s_cbranch_execz .Ljoin
	v_mul_f32_e32 v9, v1, v1
.Ljoin:
	s_or_b32 exec_lo, exec_lo, s20
	v_add_f32_e32 v2, v9, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v2, s[10:11])";

TEST(VerifyMasks, ThenAndElseTogetherAreAllLanes) {
  EXPECT_EQ(refusalOfBodies(temporary(kIfElse, "v8"), temporary(kIfElse, "v9")), "");
  for (const char *write : {"	v_mov_b32_e32 v9, v1\n", "	v_mul_f32_e32 v9, v1, v1\n"}) {
    const std::string without = replaced(kIfElse, write, "");
    EXPECT_NE(refusalOfBodies(temporary(without, "v8"), temporary(without, "v9")), "") << write;
  }
}

/// Lanes leave the inner loop one by one, and v9 is what each of them had last.
const std::string kExits = R"(
	s_mov_b32 s4, 4
.Louter:
	v_add_f32_e32 TMP, v1, v2
	v_mul_f32_e32 v1, TMP, v1
	v_mov_b32_e32 v3, v0
	s_mov_b32 s20, 0
.Linner:
	v_mul_f32_e32 v9, v1, v1
	v_add_nc_u32_e32 v3, 1, v3
	v_cmp_lt_u32_e32 vcc_lo, s5, v3
	s_or_b32 s20, vcc_lo, s20
	s_and_not1_b32 exec_lo, exec_lo, s20
	s_cbranch_execnz .Linner
	s_or_b32 exec_lo, exec_lo, s20
	v_add_f32_e32 v2, v9, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Louter
	global_store_b32 v0, v2, s[10:11])";

TEST(VerifyMasks, LanesThatLeftALoopKeepWhatTheyHad) {
  EXPECT_EQ(refusalOfBodies(temporary(kExits, "v8"), temporary(kExits, "v9")), "");
  const std::string inside = replaced(temporary(kExits, "v8"), "	v_mul_f32_e32 v9, v1, v1\n",
                                      "	v_mul_f32_e32 v9, v1, v1\n	s_nop 0\n");
  EXPECT_EQ(refusalOfBodies(temporary(kExits, "v8"), inside), "");
  // All lanes are written behind the loop, also those that have left it before.
  const std::string behind =
      replaced(temporary(kExits, "v8"), "	s_or_b32 exec_lo, exec_lo, s20\n",
               "	s_or_b32 exec_lo, exec_lo, s20\n	v_mov_b32_e32 v9, 0\n");
  EXPECT_NE(refusalOfBodies(temporary(kExits, "v8"), behind), "");
  // With a mask that did not start empty, lanes come back that were never in the loop.
  const std::string started = replaced(
      kExits, "s_mov_b32 s20, 0", "s_mov_b32 s20, s21\n	s_and_not1_b32 exec_lo, exec_lo, s20");
  EXPECT_NE(refusalOfBodies(temporary(started, "v8"), temporary(started, "v9")), "");
}

/// A sum in v9, and a loop over lanes behind several ifs: formulas of masks are long by then, and
/// made of few.
std::string loopBehindIfs() {
  std::string body = "\n\tv_mov_b32_e32 v9, 0\n\ts_mov_b32 s4, 4\n"
                     "\tv_cmp_gt_u32_e64 s21, s5, v0\n.Louter:\n";
  for (unsigned i = 0; i < 5; ++i)
    body += fmt::format("\ts_and_saveexec_b32 s20, s21\n\ts_xor_b32 s20, exec_lo, s20\n"
                        "\tds_store_b32 v0, v0 offset:{0}\n"
                        "\ts_or_saveexec_b32 s20, s20\n\tv_mov_b32_e32 v3, 0\n"
                        "\ts_xor_b32 exec_lo, exec_lo, s20\n\ts_cbranch_execz .Lelse{1}\n"
                        "\tv_mul_f32_e32 v3, v1, v2\n.Lelse{1}:\n"
                        "\ts_or_b32 exec_lo, exec_lo, s20\n"
                        "\tds_store_b32 v0, v3 offset:{2}\n",
                        8 * i, i, 8 * i + 4);
  return body + R"(
	v_cmp_gt_u32_e32 vcc_lo, s6, v0
	s_and_saveexec_b32 s22, vcc_lo
	s_cbranch_execz .Lbehind
	v_mov_b32_e32 v4, v0
	s_mov_b32 s23, 0
	s_branch .Lhead
.Lguarded:
	s_or_b32 exec_lo, exec_lo, s20
	ds_store_b32 v4, TMP
	v_add_nc_u32_e32 v4, 1, v4
	v_cmp_lt_u32_e32 vcc_lo, s7, v4
	s_or_b32 s23, vcc_lo, s23
	s_and_not1_b32 exec_lo, exec_lo, s23
	s_cbranch_execz .Lbehind
.Lhead:
	v_cmp_gt_i32_e32 vcc_lo, s8, v4
	v_cmp_gt_i32_e64 s20, s9, v4
	v_mov_b32_e32 TMP, 0
	s_and_b32 s24, vcc_lo, s20
	s_and_saveexec_b32 s20, s24
	s_cbranch_execz .Lguarded
	v_mul_f32_e32 TMP, v1, v1
	s_branch .Lguarded
.Lbehind:
	s_or_b32 exec_lo, exec_lo, s22
	v_add_f32_e32 v9, v1, v9
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Louter
	global_store_b32 v0, v9, s[10:11])";
}

TEST(VerifyMasks, ALoopOverLanesBehindManyIfs) {
  const std::string body = loopBehindIfs(), before = temporary(body, "v8");
  EXPECT_EQ(refusalOfBodies(before, replaced(before, "	v_mul_f32_e32 v8, v1, v1\n",
                                             "	v_mul_f32_e32 v6, v1, v1\n"
                                             "	v_mov_b32_e32 v8, v6\n")),
            "");
  const auto isLost = [&](const std::string &after) {
    return refusalOfBodies(before, after).find("v9 differs") != std::string::npos;
  };
  // v9 is needed in lanes that are in the loop, that have left it, and that passed it by.
  EXPECT_TRUE(isLost(temporary(body, "v9")));
  const auto clearedIn = [&](std::string_view lanes) {
    const std::string_view at = "	s_and_not1_b32 exec_lo, exec_lo, s23\n";
    return replaced(
        before, at,
        fmt::format("	s_mov_b32 s25, exec_lo\n	{}\n	v_mov_b32_e32 v9, 0\n"
                    "	s_mov_b32 exec_lo, s25\n{}",
                    lanes, at));
  };
  EXPECT_TRUE(isLost(clearedIn("s_xor_b32 exec_lo, exec_lo, s22")));
  EXPECT_TRUE(isLost(clearedIn("s_and_b32 exec_lo, s22, s23")));
  // Those that passed the loop by are not switched on again.
  EXPECT_NE(refusalOfBodies(before, replaced(before, "\ts_or_b32 exec_lo, exec_lo, s22",
                                             "\ts_or_b32 exec_lo, exec_lo, s23")),
            "");
}

} // namespace
} // namespace rdna::test::verifyMasksTest
