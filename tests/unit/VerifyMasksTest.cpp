// Divergent code: which lanes still need a register is decided by the masks that come back.

#include "VerifySample.h"

#include <gtest/gtest.h>

namespace rdna::test {
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

} // namespace
} // namespace rdna::test
