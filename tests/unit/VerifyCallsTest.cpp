// Device functions and calls: what the caller or a callee may have left in flight, and what must be
// there for whoever comes next.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyCallsTest {
namespace {

using testing::HasSubstr;

/// A device function `f` beside a kernel.
std::string withFunction(std::string_view body) {
  return kernelText("	s_endpgm") + "	.text\n	.type	f,@function\nf:\n" + std::string(body) +
         "	s_setpc_b64 s[30:31]\n.Lf_end:\n	.size	f, .Lf_end-f\n";
}

std::string refusalOfFunctions(std::string_view before, std::string_view after) {
  return refusal(*parseText(withFunction(before)), *parseText(withFunction(after)));
}

constexpr std::string_view kWait = "	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n";
constexpr std::string_view kUse = "	v_fmac_f32_e32 v0, v2, v4\n	v_fmac_f32_e32 v1, v3, "
                                  "v5\n";

TEST(VerifyCalls, ArgumentsMayBeInFlight) {
  const std::string before = std::string(kWait) + std::string(kUse);
  EXPECT_EQ(refusalOfFunctions(before, before + "	s_nop 0\n"), "");
  EXPECT_THAT(refusalOfFunctions(before, std::string(kUse)), HasSubstr("may still be in flight"));
  EXPECT_THAT(refusalOfFunctions(before, std::string(kUse) + std::string(kWait)),
              HasSubstr("before a wait"));
  for (const std::string_view weaker :
       {"	s_waitcnt vmcnt(0)\n", "	s_waitcnt lgkmcnt(0)\n",
        "	s_waitcnt vmcnt(1) lgkmcnt(0)\n", "	s_waitcnt vmcnt(0) lgkmcnt(1)\n"})
    EXPECT_NE(refusalOfFunctions(before, std::string(weaker) + std::string(kUse)), "") << weaker;
  // A register of the function's own may not be written earlier either.
  const std::string temporary = std::string(kWait) + "	v_mov_b32_e32 v9, 0\n" + std::string(kUse);
  EXPECT_NE(refusalOfFunctions(temporary, "	v_mov_b32_e32 v9, 0\n" + before), "");
}

TEST(VerifyCalls, WhoWaitsForSomeWaitsForThese) {
  const std::string before =
      "	s_waitcnt vmcnt(2)\n	v_mul_f32_e32 v0, v1, v2\n	s_waitcnt vmcnt(0)\n"
      "	v_fmac_f32_e32 v0, v3, v4\n";
  EXPECT_EQ(refusalOfFunctions(before, before + "	s_nop 0\n"), "");
  EXPECT_NE(refusalOfFunctions(before, replaced(before, "	s_waitcnt vmcnt(2)\n", "")), "");
  EXPECT_NE(refusalOfFunctions(before, replaced(before, "vmcnt(2)", "vmcnt(3)")), "");
  EXPECT_EQ(refusalOfFunctions(before, replaced(before, "vmcnt(2)", "vmcnt(1)")), "");
  // An own load counts.
  const std::string own = "	global_load_b32 v9, v8, s[4:5]\n	s_waitcnt vmcnt(1)\n"
                          "	v_mul_f32_e32 v0, v1, v2\n	s_waitcnt vmcnt(0)\n";
  EXPECT_NE(refusalOfFunctions(own, replaced(own, "vmcnt(1)", "vmcnt(2)")), "");
}

/// Scalar loads come back in any order, so of a count that is not zero the caller's may be left.
TEST(VerifyCalls, ScalarLoadsOfTheCallerAreNotCounted) {
  const std::string before = "	s_load_b32 s4, s[2:3], 0x0\n	s_load_b32 s5, s[2:3], 0x4\n"
                             "	s_load_b32 s6, s[2:3], 0x8\n	s_waitcnt lgkmcnt(0)\n"
                             "	s_cbranch_vccz .Lover\n	v_mov_b32_e32 v9, 0\n.Lover:\n"
                             "	s_mov_b32 s7, s8\n	s_waitcnt lgkmcnt(0)\n";
  EXPECT_EQ(refusalOfFunctions(before, before + "	s_nop 0\n"), "");
  std::string after = before;
  after.replace(after.find("lgkmcnt(0)"), 10, "lgkmcnt(2)");
  EXPECT_NE(refusalOfFunctions(before, after), "");
}

TEST(VerifyCalls, WithoutAWaitTheOriginalCountsOnItsCaller) {
  const std::string before = std::string(kUse);
  EXPECT_EQ(refusalOfFunctions(before, before + "	s_nop 0\n"), "");
  EXPECT_EQ(refusalOfFunctions(before, std::string(kWait) + before), "");
  EXPECT_EQ(refusalOfFunctions(
                before, "	v_dual_fmac_f32 v0, v2, v4 :: v_dual_fmac_f32 v1, v3, v5\n"),
            "");
}

TEST(VerifyCalls, BehindACallNothingIsKnown) {
  const std::string call = std::string(kWait) + "	s_swappc_b64 s[30:31], s[16:17]\n";
  const std::string waits = call + "	s_waitcnt vmcnt(0) lgkmcnt(0)\n	v_add_f32_e32 v0, v0, v1\n";
  EXPECT_EQ(refusalOfFunctions(waits, waits + "	s_nop 0\n"), "");
  EXPECT_NE(refusalOfFunctions(waits, call + "	v_add_f32_e32 v0, v0, v1\n"), "");
  // What compilers write: the callee has waited.
  const std::string trusting = call + "	v_add_f32_e32 v0, v0, v1\n";
  EXPECT_EQ(refusalOfFunctions(trusting, trusting + "	s_nop 0\n"), "");
  EXPECT_NE(refusalOfFunctions(trusting + std::string(kWait) + "	v_mul_f32_e32 v7, v7, v7\n",
                               trusting + "	v_mul_f32_e32 v7, v7, v7\n" + std::string(kWait)),
            "");
}

TEST(VerifyCalls, ResultsAndPreservedRegistersAreReturned) {
  const std::string before = std::string(kWait) + "	v_mul_f32_e32 v40, v0, v1\n";
  EXPECT_THAT(refusalOfFunctions(before, std::string(kWait) + "	v_mul_f32_e32 v41, v0, v1\n"),
              HasSubstr("where the function returns"));
  EXPECT_NE(refusalOfFunctions(before, before + "	v_mov_b32_e32 v9, 0\n"), "");
}

TEST(VerifyCalls, AKernelThatIsFallenIntoStartsLikeAFunction) {
  const std::string fallsInto = "	.text\n	.type	g,@function\ng:\n	s_nop 0\n.Lg_end:\n"
                                "	.size	g, .Lg_end-g\n";
  const std::string before = std::string(kWait) + std::string(kUse) +
                             "	global_store_b64 v6, v[0:1], s[0:1]\n	s_endpgm\n";
  const std::string after =
      std::string(kUse) + "	global_store_b64 v6, v[0:1], s[0:1]\n	s_endpgm\n";
  EXPECT_EQ(refusal(*parseText(kernelText(before)), *parseText(kernelText(after))), "");
  EXPECT_NE(refusal(*parseText(fallsInto + kernelText(before)),
                    *parseText(fallsInto + kernelText(after))),
            "");
}

} // namespace
} // namespace rdna::test::verifyCallsTest
