// Pairs of divergent code: what is the same under equal masks is accepted, and each thing that goes
// wrong with masks is refused.

#include "VerifySample.h"

namespace rdna::test {
namespace {

const std::string kStore = "\n\tglobal_store_b32 v0, v3, s[8:9]";

const std::string kNested = R"(
	v_cmp_gt_u32_e32 vcc_lo, s4, v0
	v_mov_b32_e32 v3, v1
	s_and_saveexec_b32 s1, vcc_lo
	s_cbranch_execz .Louter
	v_cmp_gt_u32_e32 vcc_lo, s5, v0
	v_mov_b32_e32 v3, v2
	s_and_saveexec_b32 s2, vcc_lo
	s_cbranch_execz .Linner
	v_add_f32_e32 v3, v1, v1
.Linner:
	s_or_b32 exec_lo, exec_lo, s2
	v_mul_f32_e32 v3, v3, v1
.Louter:
	s_or_b32 exec_lo, exec_lo, s1)" +
                            kStore;

const std::string kIfElse = R"(
	v_cmp_gt_u32_e32 vcc_lo, s4, v0
	s_and_saveexec_b32 s1, vcc_lo
	s_xor_b32 s1, exec_lo, s1
	s_cbranch_execz .Lelse
	v_add_f32_e32 v3, v1, v1
.Lelse:
	s_and_not1_saveexec_b32 s1, s1
	s_cbranch_execz .Lend
	v_mul_f32_e32 v3, v1, v1
.Lend:
	s_or_b32 exec_lo, exec_lo, s1)" +
                            kStore;

std::string refusalOf(const std::string &text, std::string_view from, std::string_view to) {
  return refusalOfBodies(text, replaced(text, from, to));
}

TEST(VerifyLanes, OtherWordsForTheSameMasks) {
  EXPECT_EQ(refusalOf(kIfElse, "\ts_and_not1_saveexec_b32 s1, s1",
                      "\ts_or_saveexec_b32 s1, s1\n\ts_xor_b32 exec_lo, exec_lo, s1"),
            "");
  EXPECT_EQ(refusalOf(kIfElse, "\ts_xor_b32 s1, exec_lo, s1", "\ts_and_not1_b32 s1, s1, exec_lo"),
            "");
  EXPECT_EQ(refusalOf(kIfElse, "\ts_and_saveexec_b32 s1, vcc_lo",
                      "\ts_mov_b32 s1, exec_lo\n\ts_and_b32 exec_lo, s1, vcc_lo"),
            "");
  EXPECT_EQ(refusalOf(kIfElse, "\ts_or_b32 exec_lo, exec_lo, s1",
                      "\ts_xor_b32 exec_lo, exec_lo, s1"), // They have no lane in common.
            "");
  // Behind the inner if its mask is what it began with, and EXEC was within the outer one.
  EXPECT_EQ(refusalOf(kNested, "\ts_or_b32 exec_lo, exec_lo, s2", "\ts_mov_b32 exec_lo, s2"), "");
  EXPECT_EQ(refusalOf(kNested, "\ts_or_b32 exec_lo, exec_lo, s1", "\ts_mov_b32 exec_lo, s1"), "");
  // All lanes of the inner if are written again before anyone reads them there.
  EXPECT_EQ(refusalOf(kNested, "\tv_mov_b32_e32 v3, v2\n\ts_and_saveexec_b32 s2, vcc_lo",
                      "\ts_and_saveexec_b32 s2, vcc_lo\n\ts_xor_b32 exec_lo, exec_lo, s2\n"
                      "\tv_mov_b32_e32 v3, v2\n\ts_xor_b32 exec_lo, exec_lo, s2"),
            "");
}

TEST(VerifyLanes, WrongMasksAreRefused) {
  // Lanes that were off are on in the else part.
  EXPECT_NE(refusalOf(kIfElse, "\ts_and_not1_saveexec_b32 s1, s1", "\ts_or_saveexec_b32 s1, s1"),
            "");
  EXPECT_NE(refusalOf(kIfElse, "\ts_and_not1_saveexec_b32 s1, s1",
                      "\ts_mov_b32 s1, exec_lo\n\ts_not_b32 exec_lo, exec_lo"),
            "");
  EXPECT_NE(refusalOf(kIfElse, "\ts_xor_b32 s1, exec_lo, s1", "\ts_not_b32 s1, exec_lo"), "");
  EXPECT_NE(refusalOf(kIfElse, "\ts_xor_b32 s1, exec_lo, s1", "\ts_or_b32 s1, exec_lo, s1"), "");
  // The parts are swapped.
  EXPECT_NE(
      refusalOf(kIfElse, "\ts_and_saveexec_b32 s1, vcc_lo", "\ts_and_not0_saveexec_b32 s1, vcc_lo"),
      "");
  // Nothing, the wrong level or too much is restored.
  EXPECT_NE(refusalOf(kNested, "\ts_or_b32 exec_lo, exec_lo, s2\n", ""), "");
  EXPECT_NE(refusalOf(kNested, "\ts_or_b32 exec_lo, exec_lo, s1\n", ""), "");
  EXPECT_NE(refusalOf(kNested, "exec_lo, exec_lo, s2", "exec_lo, exec_lo, s1"), "");
  EXPECT_NE(refusalOf(kNested, "exec_lo, exec_lo, s1", "exec_lo, exec_lo, s2"), "");
  EXPECT_NE(refusalOf(kNested, "\ts_or_b32 exec_lo, exec_lo, s1", "\ts_mov_b32 exec_lo, -1"), "");
  EXPECT_NE(
      refusalOf(kNested, "\ts_or_b32 exec_lo, exec_lo, s2", "\ts_and_b32 exec_lo, exec_lo, s2"),
      "");
  // A value of lanes that the inner if leaves out.
  EXPECT_NE(refusalOf(kNested, "\tv_mov_b32_e32 v3, v2\n\ts_and_saveexec_b32 s2, vcc_lo",
                      "\ts_and_saveexec_b32 s2, vcc_lo\n\tv_mov_b32_e32 v3, v2"),
            "");
  EXPECT_NE(refusalOf(kNested, "\tv_mov_b32_e32 v3, v1\n\ts_and_saveexec_b32 s1, vcc_lo",
                      "\ts_and_saveexec_b32 s1, vcc_lo\n\tv_mov_b32_e32 v3, v1"),
            "");
}

const std::string kLeaving = R"(
	v_mov_b32_e32 v3, 0
	s_mov_b32 s1, 0
.Lloop:
	v_add_f32_e32 v3, v3, v1
	v_add_nc_u32_e32 v2, 1, v2
	v_cmp_gt_u32_e32 vcc_lo, v2, v0
	s_or_b32 s1, vcc_lo, s1
	s_and_not1_b32 exec_lo, exec_lo, s1
	s_cbranch_execnz .Lloop
	s_or_b32 exec_lo, exec_lo, s1)" +
                             kStore;

TEST(VerifyLanes, LoopsThatLanesLeaveOneByOne) {
  // x & ~(m | c) is (x & ~m) & ~c.
  EXPECT_EQ(refusalOf(kLeaving, "\ts_or_b32 s1, vcc_lo, s1\n\ts_and_not1_b32 exec_lo, exec_lo, s1",
                      "\ts_and_not1_b32 exec_lo, exec_lo, s1\n\ts_or_b32 s1, vcc_lo, s1\n"
                      "\ts_and_not1_b32 exec_lo, exec_lo, vcc_lo"),
            "");
  EXPECT_NE(refusalOf(kLeaving, "\ts_and_not1_b32 exec_lo, exec_lo, s1",
                      "\ts_and_b32 exec_lo, exec_lo, s1"),
            "");
  EXPECT_NE(refusalOf(kLeaving, "\ts_or_b32 s1, vcc_lo, s1", "\ts_and_b32 s1, vcc_lo, s1"), "");
  EXPECT_NE(refusalOf(kLeaving, "\ts_or_b32 s1, vcc_lo, s1", "\ts_mov_b32 s1, vcc_lo"), "");
  EXPECT_NE(refusalOf(kLeaving, "\ts_or_b32 exec_lo, exec_lo, s1\n", ""), "");
  EXPECT_NE(refusalOf(kLeaving, "\ts_or_b32 exec_lo, exec_lo, s1", "\ts_mov_b32 exec_lo, -1"), "");
  EXPECT_NE(refusalOf(kLeaving, "s_cbranch_execnz", "s_cbranch_vccnz"), "");
}

//===----------------------------------------------------------------------===//
// Lanes that nobody reads
//===----------------------------------------------------------------------===//

/// A guarded load in a loop: v3 is written in all lanes in front of the guard.
const std::string kGuarded = R"(
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v3, 0
.Lloop:
	v_mov_b32_e32 v3, 0
	v_cmp_gt_u32_e32 vcc_lo, s4, v0
	s_and_saveexec_b32 s1, vcc_lo
	s_cbranch_execz .Ljoin
	ds_load_b32 v3, v0
	s_waitcnt lgkmcnt(0)
.Ljoin:
	s_or_b32 exec_lo, exec_lo, s1
	v_add_f32_e32 v1, v1, v3
	ds_load_b32 v2, v0 offset:4
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v1, v1, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[8:9])";

/// Behind the guard another value takes v3.
std::string takesV3(const std::string &text) {
  return replaced(replaced(text, "ds_load_b32 v2, v0 offset:4", "ds_load_b32 v3, v0 offset:4"),
                  "v_add_f32_e32 v1, v1, v2", "v_add_f32_e32 v1, v1, v3");
}

TEST(VerifyLanes, ARegisterIsFreeBehindItsGuard) {
  EXPECT_EQ(refusalOfBodies(kGuarded, takesV3(kGuarded)), "");
  // The other way round, too.
  EXPECT_EQ(refusalOfBodies(takesV3(kGuarded), kGuarded), "");
}

TEST(VerifyLanes, ARegisterIsNotFreeIfLanesKeepIt) {
  // Lanes that are guarded off have what the last iteration has left.
  const std::string once = replaced(kGuarded, ".Lloop:\n\tv_mov_b32_e32 v3, 0", ".Lloop:");
  EXPECT_EQ(refusalOfBodies(once, once), "");
  EXPECT_NE(refusalOfBodies(once, takesV3(once)), "");
  // It is written in the guard's lanes only.
  const std::string narrow =
      replaced(once, "\ts_cbranch_execz .Ljoin", "\tv_mov_b32_e32 v3, 0\n\ts_cbranch_execz .Ljoin");
  EXPECT_NE(refusalOfBodies(narrow, takesV3(narrow)), "");
  // EXEC has more lanes behind the guard than it had in front of it.
  const std::string wide =
      replaced(replaced(kGuarded, "exec_lo, exec_lo, s1", "exec_lo, exec_lo, s2"), "\ts_add_i32",
               "\ts_and_b32 exec_lo, exec_lo, s3\n\ts_add_i32");
  EXPECT_EQ(refusalOfBodies(wide, wide), "");
  EXPECT_NE(refusalOfBodies(wide, takesV3(wide)), "");
  // ... but if it has all of them from then on, the next iteration writes them all.
  const std::string all =
      replaced(kGuarded, "s_or_b32 exec_lo, exec_lo, s1", "s_mov_b32 exec_lo, -1");
  EXPECT_EQ(refusalOfBodies(all, takesV3(all)), "");
  // Someone looks into lanes that are off.
  const std::string looks =
      replaced(kGuarded, ".Lloop:\n\tv_mov_b32_e32 v3, 0",
               ".Lloop:\n\tv_readlane_b32 s6, v3, 0\n\tv_add_f32_e32 v1, s6, v1\n"
               "\tv_mov_b32_e32 v3, 0");
  EXPECT_NE(refusalOfBodies(looks, takesV3(looks)), "");
}

/// s_cselect_b32 of masks, as clang writes conditions of scalars.
TEST(VerifyLanes, ChosenMasks) {
  const std::string text = R"(
	s_cmp_lt_u32 s4, s5
	s_cselect_b32 s6, -1, 0
	v_cmp_gt_u32_e32 vcc_lo, s4, v0
	s_and_b32 s6, s6, vcc_lo
	v_mov_b32_e32 v3, v1
	s_and_saveexec_b32 s1, s6
	v_add_f32_e32 v3, v1, v1
	s_or_b32 exec_lo, exec_lo, s1)" +
                           kStore;
  EXPECT_EQ(refusalOf(text,
                      "\ts_cselect_b32 s6, -1, 0\n\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n"
                      "\ts_and_b32 s6, s6, vcc_lo",
                      "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n\ts_cselect_b32 s6, vcc_lo, 0"),
            "");
  EXPECT_NE(refusalOf(text,
                      "\ts_cselect_b32 s6, -1, 0\n\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n"
                      "\ts_and_b32 s6, s6, vcc_lo",
                      "\tv_cmp_gt_u32_e32 vcc_lo, s4, v0\n\ts_cselect_b32 s6, vcc_lo, -1"),
            "");
  EXPECT_NE(refusalOf(text, "s_cselect_b32 s6, -1, 0", "s_cselect_b32 s6, 0, -1"), "");
}

} // namespace
} // namespace rdna::test
