// What the proof concludes from the branches of a path: conditions that are tested twice, copies of
// code where paths meet, and loops with several iterations behind a test of their own.

#include "VerifySample.h"

namespace rdna::test::verifyPathsTest {
namespace {

enum class Claim : uint8_t { Split, Guarded };

std::string refusalOf(std::string_view before, std::string_view after,
                      std::initializer_list<std::pair<std::string_view, Claim>> labels) {
  const auto module = parseKernel(before);
  Correspondence claim;
  claim.function = "k";
  for (const auto &[label, kind] : labels)
    claim.points[module->labelTarget(label).value()] = kind == Claim::Split
                                                           ? Point{.arrivals = Point::kNone}
                                                           : Point{.arrivals = 3, .ownBranches = 1};
  return refusal(*module, *parseKernel(after), {claim});
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

const std::string kTwice = R"(
	s_cmp_lt_u32 s4, s5
	s_cselect_b32 s6, -1, 0
	s_cmp_ge_u32 s4, s5
	s_cbranch_scc1 .Ljoin
	v_add_f32_e32 v1, v2, v2
.Ljoin:
	v_add_f32_e32 v3, v3, v1
	s_and_not1_b32 vcc_lo, exec_lo, s6
	s_cbranch_vccnz .Ldone
	global_store_b32 v0, v3, s[8:9]
.Ldone:
	global_store_b32 v0, v1, s[8:9] offset:4)";

const std::string kSplit = R"(
	s_cmp_lt_u32 s4, s5
	s_cselect_b32 s6, -1, 0
	s_cmp_ge_u32 s4, s5
	s_cbranch_scc1 .Ljoin
	v_add_f32_e32 v1, v2, v2
	v_add_f32_e32 v3, v3, v1
	global_store_b32 v0, v3, s[8:9]
	s_branch .Ldone
.Ljoin:
	v_add_f32_e32 v3, v3, v1
	s_and_not1_b32 vcc_lo, exec_lo, s6
	s_cbranch_vccnz .Ldone
	global_store_b32 v0, v3, s[8:9]
.Ldone:
	global_store_b32 v0, v1, s[8:9] offset:4)";

std::string refusalOfSplit(std::string_view after) {
  return refusalOf(kTwice, after, {{".Ljoin", Claim::Split}});
}

TEST(VerifyPaths, ACopyNeedsNoSecondTest) {
  EXPECT_EQ(refusalOfSplit(kSplit), "");
  EXPECT_EQ(refusalOfSplit(kTwice), "");
  EXPECT_NE(refusalOfBodies(kTwice, kSplit), ""); // nobody claims that paths stay apart
}

TEST(VerifyPaths, TheTestMustBeTheSame) {
  for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
           {"s_cselect_b32 s6, -1, 0", "s_cselect_b32 s6, 0, -1"},
           {"s_cselect_b32 s6, -1, 0", "s_cselect_b32 s6, 1, 0"}, // not all of the lanes
           {"s_cmp_lt_u32 s4, s5", "s_cmp_lt_i32 s4, s5"},
           {"s_cmp_lt_u32 s4, s5", "s_cmp_le_u32 s4, s5"},
           {"s_cmp_lt_u32 s4, s5", "s_cmp_lt_u32 s5, s4"},
           {"s_cmp_ge_u32 s4, s5", "s_cmp_ge_u32 s4, s7"}})
    EXPECT_NE(refusalOf(replaced(kTwice, from, to), replaced(kSplit, from, to),
                        {{".Ljoin", Claim::Split}}),
              "")
        << from << " -> " << to;
  // Other spellings of the same.
  for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
           {"s_cmp_lt_u32 s4, s5", "s_cmp_gt_u32 s5, s4"},
           {"s_cmp_ge_u32 s4, s5", "s_cmp_le_u32 s5, s4"}})
    EXPECT_EQ(refusalOf(replaced(kTwice, from, to), replaced(kSplit, from, to),
                        {{".Ljoin", Claim::Split}}),
              "")
        << from << " -> " << to;
}

TEST(VerifyPaths, CopiesMustDoTheSame) {
  for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
           {"	global_store_b32 v0, v3, s[8:9]\n	s_branch", "	s_branch"},
           {"v1, v2, v2\n	v_add_f32_e32 v3, v3, v1",
            "v1, v2, v2\n	v_add_f32_e32 v3, v3, v2"},
           {"v1, v2, v2\n	v_add_f32_e32 v3, v3, v1",
            "v3, v3, v1\n	v_add_f32_e32 v1, v2, v2"},
           {"	s_branch .Ldone\n", ""}})
    EXPECT_NE(refusalOfSplit(replaced(kSplit, from, to)), "") << to;
}

TEST(VerifyPaths, ALoopMustHaveAPlaceToStopAt) {
  const std::string loop = R"(
.Lloop:
	v_add_f32_e32 v1, v1, v2
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[8:9])";
  const std::string later = "\n\ts_nop 0" + loop;
  const std::string refused = refusalOf(loop, later, {{".Lloop", Claim::Split}});
  EXPECT_NE(refused.find("no place to stop at"), std::string::npos);
}

TEST(VerifyPaths, AnInvertedTestIsTheSameTheOtherWayRound) {
  const std::string body = R"(
	s_cmp_ge_u32 s4, s5
	s_cbranch_scc1 .Lskip
	v_add_f32_e32 v1, v2, v2
.Lskip:
	global_store_b32 v0, v1, s[8:9])";
  const auto refuses = [&](std::string_view compare, std::string_view branch) {
    return !refusalOfBodies(body, replaced(replaced(body, "s_cmp_ge_u32 s4, s5", compare),
                                           "s_cbranch_scc1", branch))
                .empty();
  };
  EXPECT_FALSE(refuses("s_cmp_lt_u32 s4, s5", "s_cbranch_scc0"));
  EXPECT_FALSE(refuses("s_cmp_le_u32 s5, s4", "s_cbranch_scc1"));
  EXPECT_TRUE(refuses("s_cmp_lt_u32 s4, s5", "s_cbranch_scc1"));
  EXPECT_TRUE(refuses("s_cmp_ge_u32 s4, s5", "s_cbranch_scc0"));
  EXPECT_TRUE(refuses("s_cmp_lt_i32 s4, s5", "s_cbranch_scc0"));
  EXPECT_TRUE(refuses("s_cmp_le_u32 s4, s5", "s_cbranch_scc0"));
}

/// Who looks twice expects that others write in between.
TEST(VerifyPaths, ASecondLookMayShowSomethingElse) {
  const std::string poll = R"(
	global_load_b32 {0}, v0, s[8:9] glc
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s4, {0}
	s_cmp_eq_u32 s4, 0
)";
  const std::string branch = "	s_cbranch_scc0 .Lthere\n", end = R"(
	s_endpgm
.Lthere:
	global_store_b32 v0, v1, s[8:9] offset:4)";
  const auto look = [&](std::string_view into) { return fmt::format(fmt::runtime(poll), into); };
  const std::string body = look("v1") + branch + look("v2") + branch + end;
  EXPECT_EQ(refusalOfBodies(body, body), "");
  EXPECT_NE(refusalOfBodies(body, look("v1") + branch + look("v2") + end), "");

  const std::string twice = look("v1") + look("v2") + "	global_store_b32 v0, v2, s[8:9] offset:4";
  EXPECT_EQ(refusalOfBodies(twice, twice), "");
  EXPECT_NE(refusalOfBodies(twice, replaced(twice, "v0, v2, s[8:9] o", "v0, v1, s[8:9] o")), "");
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// A loop of one addition with `step` and `compare`, and the same with `guard` before three
/// iterations.
std::string loopOf(std::string_view step, std::string_view compare) {
  return fmt::format(R"(
.Lloop:
	v_add_f32_e32 v1, v1, v2
	{}
	{}
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[8:9])",
                     step, compare);
}
std::string threeIterations(std::string_view guard, std::string_view step,
                            std::string_view compare) {
  const std::string iteration = fmt::format("	v_add_f32_e32 v1, v1, v2\n	{}\n", step);
  return fmt::format(R"(
.Lloop:
	{0}
	s_cbranch_scc0 .Lrest
{1}{1}{1}	{2}
	s_cbranch_scc1 .Lloop
	s_branch .Ldone
.Lrest:
{1}	{2}
	s_cbranch_scc1 .Lloop
.Ldone:
	global_store_b32 v0, v1, s[8:9])",
                     guard, iteration, compare);
}
std::string refusalOfGuard(std::string_view guard, std::string_view step,
                           std::string_view compare) {
  return refusalOf(loopOf(step, compare), threeIterations(guard, step, compare),
                   {{".Lloop", Claim::Guarded}});
}

TEST(VerifyPaths, GuardOfALoopThatCountsDown) {
  const auto refuses = [](std::string_view guard) {
    return !refusalOfGuard(guard, "s_add_i32 s4, s4, -1", "s_cmp_lg_u32 s4, 0").empty();
  };
  EXPECT_FALSE(refuses("s_cmp_gt_u32 s4, 2"));
  EXPECT_FALSE(refuses("s_cmp_ge_u32 s4, 3"));
  EXPECT_FALSE(refuses("s_cmp_lt_u32 2, s4"));
  EXPECT_FALSE(refuses("s_cmpk_gt_u32 s4, 2"));
  EXPECT_FALSE(refuses("s_cmp_gt_u32 s4, 9"));
  EXPECT_TRUE(refuses("s_cmp_gt_u32 s4, 1"));
  EXPECT_TRUE(refuses("s_cmp_ge_u32 s4, 2"));
  EXPECT_TRUE(refuses("s_cmp_lg_u32 s4, 2"));
  EXPECT_TRUE(refuses("s_cmp_lt_u32 s4, 3"));
  EXPECT_TRUE(refuses("s_cmp_gt_u32 s5, 2"));
}

TEST(VerifyPaths, GuardOfALoopWithABound) {
  const auto refuses = [](std::string_view guard, std::string_view step = "s_add_i32 s4, s4, 2") {
    return !refusalOfGuard(guard, step, "s_cmp_lg_u32 s4, s5").empty();
  };
  // s5 - s4 is even, or the loop runs past 2^32.
  EXPECT_FALSE(refuses("s_sub_u32 s6, s5, s4\n	s_cmp_gt_u32 s6, 4"));
  EXPECT_FALSE(refuses("s_sub_i32 s6, s5, s4\n	s_cmp_gt_u32 s6, 5"));
  EXPECT_TRUE(refuses("s_sub_u32 s6, s5, s4\n	s_cmp_gt_u32 s6, 3"));
  EXPECT_TRUE(refuses("s_sub_u32 s6, s4, s5\n	s_cmp_gt_u32 s6, 4"));
  EXPECT_TRUE(refuses("s_sub_u32 s6, s5, s4\n	s_cmp_gt_i32 s6, 4", "s_add_i32 s4, s4, 3"));
  EXPECT_FALSE(refuses("s_sub_u32 s6, s4, s5\n	s_cmp_gt_u32 s6, 4", "s_add_i32 s4, s4, -2"));
}

TEST(VerifyPaths, GuardBelowABound) {
  const auto refusesUnsigned = [](std::string_view guard) {
    return !refusalOfGuard(guard, "s_add_i32 s4, s4, 8", "s_cmp_lt_u32 s4, s5").empty();
  };
  const std::string saturated = "s_sub_u32 s6, s5, {}\n	s_cselect_b32 s6, 0, s6\n	"
                                "s_cmp_lt_u32 s4, s6";
  EXPECT_FALSE(refusesUnsigned(fmt::format(fmt::runtime(saturated), 16)));
  EXPECT_FALSE(refusesUnsigned(fmt::format(fmt::runtime(saturated), 17)));
  EXPECT_TRUE(refusesUnsigned(fmt::format(fmt::runtime(saturated), 15)));
  // s5 = 8: the difference is a large number.
  EXPECT_TRUE(refusesUnsigned("s_sub_u32 s6, s5, 16\n	s_cmp_lt_u32 s4, s6"));
  EXPECT_TRUE(refusesUnsigned("s_sub_u32 s6, s5, 16\n	s_cselect_b32 s6, s6, 0\n	"
                              "s_cmp_lt_u32 s4, s6"));
  EXPECT_TRUE(refusesUnsigned("s_sub_u32 s6, s5, 16\n	s_cselect_b32 s6, 1, s6\n	"
                              "s_cmp_lt_u32 s4, s6"));
  EXPECT_TRUE(refusesUnsigned("s_sub_i32 s6, s5, 16\n	s_cselect_b32 s6, 0, s6\n	"
                              "s_cmp_lt_u32 s4, s6"));
  // s4 = 0xfffffff8 wraps to 0.
  EXPECT_TRUE(refusesUnsigned("s_add_u32 s6, s4, 16\n	s_cmp_lt_u32 s6, s5"));

  const auto refusesSigned = [](std::string_view guard) {
    return !refusalOfGuard(guard, "s_add_i32 s4, s4, 8", "s_cmp_lt_i32 s4, s5").empty();
  };
  EXPECT_FALSE(refusesSigned("s_sub_i32 s6, s5, 16\n	s_cselect_b32 s6, 0x80000000, s6\n	"
                             "s_cmp_lt_i32 s4, s6"));
  EXPECT_TRUE(refusesSigned("s_sub_i32 s6, s5, 15\n	s_cselect_b32 s6, 0x80000000, s6\n	"
                            "s_cmp_lt_i32 s4, s6"));
  EXPECT_TRUE(refusesSigned("s_sub_i32 s6, s5, 16\n	s_cmp_lt_i32 s4, s6"));
  EXPECT_TRUE(refusesSigned("s_sub_u32 s6, s5, 16\n	s_cselect_b32 s6, 0x80000000, s6\n	"
                            "s_cmp_lt_i32 s4, s6"));
  EXPECT_TRUE(refusesSigned("s_sub_i32 s6, s5, 16\n	s_cselect_b32 s6, 0, s6\n	"
                            "s_cmp_lt_i32 s4, s6"));
  EXPECT_TRUE(refusesSigned("s_sub_u32 s6, s5, 16\n	s_cselect_b32 s6, 0, s6\n	"
                            "s_cmp_lt_u32 s4, s6"));
}

TEST(VerifyPaths, GuardBelowAConstant) {
  const auto refuses = [](std::string_view guard, std::string_view compare) {
    return !refusalOfGuard(guard, "s_add_i32 s4, s4, 8", compare).empty();
  };
  EXPECT_FALSE(refuses("s_cmp_lt_u32 s4, 84", "s_cmp_lt_u32 s4, 100"));
  EXPECT_TRUE(refuses("s_cmp_lt_u32 s4, 85", "s_cmp_lt_u32 s4, 100"));
  EXPECT_TRUE(refuses("s_cmp_lt_i32 s4, 84", "s_cmp_lt_u32 s4, 100"));
  EXPECT_FALSE(refuses("s_cmp_lt_i32 s4, -6", "s_cmp_lt_i32 s4, 10"));
  EXPECT_TRUE(refuses("s_cmp_lt_u32 s4, -6", "s_cmp_lt_u32 s4, 10")); // -6 is a large number
  EXPECT_TRUE(refuses("s_cmp_lt_i32 s4, 0x7ffffff8", "s_cmp_lt_i32 s4, 0x80000008"));
  // What is below 1 is 0.
  EXPECT_FALSE(refuses("s_cmp_lt_u32 s4, 1", "s_cmp_lt_u32 s4, 17"));
  EXPECT_FALSE(refuses("s_cmp_eq_u32 s4, 0", "s_cmp_lt_u32 s4, 17"));
  EXPECT_TRUE(refuses("s_cmp_eq_u32 s4, 0", "s_cmp_lt_u32 s4, 16"));
  EXPECT_TRUE(refuses("s_cmp_lg_u32 s4, 0", "s_cmp_lt_u32 s4, 17"));
}

TEST(VerifyPaths, GuardAboveAConstant) {
  const auto refuses = [](std::string_view guard, std::string_view compare) {
    return !refusalOfGuard(guard, "s_add_i32 s4, s4, -2", compare).empty();
  };
  EXPECT_FALSE(refuses("s_cmp_gt_u32 s4, 7", "s_cmp_gt_u32 s4, 3"));
  EXPECT_TRUE(refuses("s_cmp_gt_u32 s4, 6", "s_cmp_gt_u32 s4, 3"));
  EXPECT_FALSE(refuses("s_cmp_gt_i32 s4, 1", "s_cmp_gt_i32 s4, -3"));
  EXPECT_TRUE(refuses("s_cmp_gt_i32 s4, 0", "s_cmp_gt_i32 s4, -3"));
  EXPECT_TRUE(refuses("s_cmp_gt_i32 s4, 7", "s_cmp_gt_u32 s4, -9"));
}

TEST(VerifyPaths, BothWaysOfAGuardAreWaysOfTheLoop) {
  const std::string step = "s_add_i32 s4, s4, -1", compare = "s_cmp_lg_u32 s4, 0";
  const std::string before = loopOf(step, compare);
  const std::string after = threeIterations("s_cmp_gt_u32 s4, 2", step, compare);
  const auto refuses = [&](std::string_view from, std::string_view to) {
    return !refusalOf(before, replaced(after, from, to), {{".Lloop", Claim::Guarded}}).empty();
  };
  EXPECT_FALSE(refuses("s_cbranch_scc0 .Lrest", "s_cbranch_scc0 .Lrest"));
  EXPECT_TRUE(refuses("s_cbranch_scc0 .Lrest", "s_cbranch_scc1 .Lrest"));
  EXPECT_TRUE(refuses("s_branch .Ldone", "s_branch .Lrest"));
  EXPECT_TRUE(refuses("s_branch .Ldone", "s_branch .Lloop")); // one iteration too many
  EXPECT_TRUE(
      refuses(".Lrest:\n	v_add_f32_e32 v1, v1, v2", ".Lrest:\n	v_add_f32_e32 v1, v2, v2"));
  EXPECT_TRUE(refuses("	s_cbranch_scc0 .Lrest\n", ""));
  EXPECT_TRUE(refuses("	s_cbranch_scc0 .Lrest\n", "	s_cbranch_scc0 .Lloop\n"));
  EXPECT_NE(refusalOfBodies(before, after), "");
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::string refusalAt(std::string_view before, std::string_view after, const Point &point) {
  const auto module = parseKernel(before);
  Correspondence claim;
  claim.function = "k";
  claim.points[module->labelTarget(".Lloop").value()] = point;
  return refusal(*module, *parseKernel(after), {claim});
}

/// A loop of two blocks.
std::string twoBlocks(std::string_view last) {
  return fmt::format(R"(
.Lloop:
	v_add_f32_e32 v1, v1, v2
	s_branch .Lhere
.Lhere:
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v{}, s[8:9])",
                     last);
}

TEST(VerifyPaths, IterationsOfALoopOfTwoBlocksGoByBehindAGuard) {
  const std::string iteration = "	v_add_f32_e32 v1, v1, v2\n	s_add_i32 s4, s4, -1\n";
  const auto twice = [&](std::string_view guard) {
    return fmt::format(R"(
.Lloop:
	{0}
	s_cbranch_scc0 .Lrest
{1}{1}	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	s_branch .Ldone
.Lrest:
{1}	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
.Lhere:
.Ldone:
	global_store_b32 v0, v1, s[8:9])",
                       guard, iteration);
  };
  const Point point{.arrivals = 2, .ownBranches = 1};
  EXPECT_EQ(refusalAt(twoBlocks("1"), twice("s_cmp_gt_u32 s4, 1"), point), "");
  EXPECT_NE(refusalAt(twoBlocks("1"), twice("s_cmp_gt_u32 s4, 0"), point), "");
  EXPECT_NE(
      refusalAt(twoBlocks("1"), twice("s_cmp_gt_u32 s4, 1"), {.arrivals = 1, .ownBranches = 1}),
      "");
  EXPECT_NE(refusalAt(twoBlocks("1"), twice("s_cmp_gt_u32 s4, 1"), {.arrivals = 2}), "");
}

TEST(VerifyPaths, BranchesOfItsOwnAreLimited) {
  const std::string later = "	s_nop 0\n" + twoBlocks("1");
  EXPECT_EQ(refusalAt(twoBlocks("1"), later, {}), "");
  EXPECT_NE(refusalAt(twoBlocks("1"), later, {.ownBranches = 1000}), "");
}

TEST(VerifyPaths, APointMayHaveAnotherLabel) {
  const std::string other =
      replaced(replaced(twoBlocks("1"), "s_cbranch_scc1 .Lloop", "s_cbranch_scc1 .Lother"),
               ".Lloop:\n", ".Lloop:\n	s_nop 0\n.Lother:\n");
  EXPECT_NE(refusalAt(twoBlocks("1"), other, {}), "");
  EXPECT_EQ(refusalAt(twoBlocks("1"), other, {.label = ".Lother"}), "");
  EXPECT_NE(refusalAt(twoBlocks("1"), other, {.label = ".Lhere"}), "");
  EXPECT_NE(refusalAt(twoBlocks("1"), other, {.label = ".Lnowhere"}), "");
}

} // namespace
} // namespace rdna::test::verifyPathsTest
