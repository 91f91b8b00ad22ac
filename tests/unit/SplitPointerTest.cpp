// The proof of pointers that are split into SGPRs and an offset: what must be refused.

#include "VerifySample.h"

namespace rdna::test::splitPointerTest {
namespace {

const std::string kBefore = R"(
	v_lshlrev_b32_e32 v5, 2, v0
	v_mov_b32_e32 v1, 0
	v_add_co_u32 v2, vcc_lo, s6, v5
	v_add_co_ci_u32_e64 v3, null, s7, v1, vcc_lo
.Lloop:
	global_load_b32 v4, v[2:3], off offset:8
	v_add_co_u32 v2, vcc_lo, v2, s8
	v_add_co_ci_u32_e64 v3, null, s9, v3, vcc_lo
	s_add_i32 s4, s4, -1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v4
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";

const std::string kAfter = R"(
	v_lshlrev_b32_e32 v5, 2, v0
	v_mov_b32_e32 v1, 0
	s_mov_b64 s[12:13], s[6:7]
.Lloop:
	global_load_b32 v4, v5, s[12:13] offset:8
	s_add_u32 s12, s12, s8
	s_addc_u32 s13, s13, s9
	s_add_i32 s4, s4, -1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v4
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";

Equation pointer(uint8_t vgprs, unsigned sgprs, uint8_t offset) {
  return splitPointer({vgprs}, RegUnit::scalar(sgprs), {offset});
}
const Equation kPointer = pointer(2, 12, 5);

std::string refusalOf(const std::string &before, const std::string &after,
                      const Equation &pointer = kPointer) {
  const auto module = parseKernel(before);
  Correspondence claim;
  claim.function = "k";
  claim.points[module->labelTarget(".Lloop").value()].equations = {pointer};
  return refusal(*module, *parseKernel(after), {claim});
}

TEST(SplitPointer, StepsLikeThePointer) {
  EXPECT_EQ(refusalOf(kBefore, kAfter), "");
  EXPECT_NE(refusalOfBodies(kBefore, kAfter), "");
}

TEST(SplitPointer, EveryPartCounts) {
  for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
           {"s_mov_b64 s[12:13], s[6:7]", "s_mov_b64 s[12:13], s[8:9]"},
           {"s_add_u32 s12, s12, s8", "s_add_u32 s12, s12, s9"},
           {"s_addc_u32 s13, s13, s9", "s_add_u32 s13, s13, s9"},
           {"s_addc_u32 s13, s13, s9\n", "s_addc_u32 s13, s13, 0\n"},
           {"s_addc_u32 s13, s13, s9", "s_cmp_eq_u32 s4, 0\n	s_addc_u32 s13, s13, s9"},
           {"v5, s[12:13] offset:8", "v5, s[12:13] offset:12"},
           {"v5, s[12:13] offset:8", "v0, s[12:13] offset:8"},
           {"v_lshlrev_b32_e32 v5, 2, v0", "v_lshlrev_b32_e32 v5, 3, v0"},
           {"	v_add_f32_e32 v1, v1, v4\n",
            "	v_add_f32_e32 v1, v1, v4\n	v_mov_b32_e32 v5, 0\n"}})
    EXPECT_NE(refusalOf(kBefore, replaced(kAfter, from, to)), "") << to;
  // The step stands in front of the access.
  EXPECT_NE(refusalOf(kBefore, replaced(replaced(kAfter, "	s_add_u32 s12, s12, s8\n", ""),
                                        ".Lloop:\n", ".Lloop:\n	s_add_u32 s12, s12, s8\n")),
            "");
}

TEST(SplitPointer, TheClaimIsNotBelieved) {
  EXPECT_NE(refusalOf(kBefore, kAfter, pointer(2, 12, 0)), "");
  EXPECT_NE(refusalOf(kBefore, kAfter, pointer(2, 6, 5)), "");
  EXPECT_NE(refusalOf(kBefore, kAfter, pointer(3, 12, 5)), "");
  EXPECT_NE(refusalOf(kBefore, kAfter, pointer(255, 12, 5)), "");
  EXPECT_NE(refusalOf(kBefore, kAfter, pointer(2, 105, 5)), "");
  EXPECT_NE(refusalOf(kBefore, kAfter, pointer(2, 255, 5)), "");
}

/// The original's offset is 4 * v0, so nothing is said of 4 * v0 - 4, nor of 4 * v0 + 4, which
/// leaves 32 bits where the original's just fits.
TEST(SplitPointer, TheAssumptionSpeaksOfTheOriginal) {
  const auto assuming = [](const std::string &after) {
    const auto module = parseKernel(kBefore);
    Correspondence claim;
    claim.function = "k";
    claim.points[module->labelTarget(".Lloop").value()].equations = {kPointer};
    claim.assumptions.insert(Assumption::NoIndexWrap);
    return refusal(*module, *parseKernel(after), {claim});
  };
  const auto shifted = [](std::string_view base, std::string_view upper, std::string_view offset) {
    return replaced(kAfter, "	s_mov_b64 s[12:13], s[6:7]",
                    fmt::format("	s_add_u32 s12, s6, {}\n	s_addc_u32 s13, s7, {}\n"
                                "	v_add_nc_u32_e32 v5, {}, v5",
                                base, upper, offset));
  };
  EXPECT_EQ(assuming(kAfter), "");
  EXPECT_NE(assuming(shifted("4", "0", "-4")), "");
  EXPECT_NE(assuming(shifted("-4", "-1", "4")), "");
  EXPECT_NE(refusalOf(kBefore, shifted("-4", "-1", "4")), "");
}

TEST(SplitPointer, WhoReadsThePointerBehindTheLoopNeedsIt) {
  const std::string store = "\n	global_store_b32 v[2:3], v1, off";
  EXPECT_NE(refusalOf(kBefore + store, kAfter + store), "");
}

TEST(SplitPointer, OtherLanesAreNotSpokenFor) {
  // Lanes that were switched off at the loop read their own pointers behind it.
  const auto masked = [](const std::string &body) {
    return "	s_mov_b32 s20, exec_lo\n	s_mov_b32 exec_lo, 0xff\n" +
           replaced(body, "	global_store_b32 v0, v1",
                    "	s_mov_b32 exec_lo, s20\n	global_store_b32 v0, v1");
  };
  EXPECT_EQ(refusalOf(masked(kBefore), masked(kAfter)), "");
  const std::string store = "\n	global_store_b32 v0, v2, s[10:11] offset:4";
  EXPECT_NE(refusalOf(masked(kBefore) + store, masked(kAfter) + store), "");
}

} // namespace
} // namespace rdna::test::splitPointerTest
