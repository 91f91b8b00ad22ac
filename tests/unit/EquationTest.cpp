// Equations of a claim: registers of the original that are sums of others in the rewritten code,
// and what a claim may not say.

#include "VerifySample.h"

namespace rdna::test::equationTest {
namespace {

using Asked = Equation::Asked;
using Read = Term::Read;

constexpr RegUnit v(unsigned n) { return RegUnit::vgpr(n); }
constexpr RegUnit s(unsigned n) { return RegUnit::scalar(n); }

Equation equation(RegUnit left, uint8_t dwords, std::vector<Term::Summand> sum,
                  uint64_t constant = 0) {
  Equation result;
  result.left = left;
  result.dwords = dwords;
  result.right = {std::move(sum), constant};
  result.asked = Asked::Always;
  return result;
}

std::string refusalOf(const std::string &before, const std::string &after,
                      std::vector<Equation> equations, std::set<Assumption> assumptions = {}) {
  const auto module = parseKernel(before);
  Correspondence claim;
  claim.function = "k";
  claim.points[module->labelTarget(".Lloop").value()].equations = std::move(equations);
  claim.assumptions = std::move(assumptions);
  return refusal(*module, *parseKernel(after), {claim});
}

//===----------------------------------------------------------------------===//
// 32 bits
//===----------------------------------------------------------------------===//

/// Lanes step an offset.
const std::string kStepped = R"(
	v_lshlrev_b32_e32 v5, 2, v0
	v_mov_b32_e32 v1, 0
.Lloop:
	global_load_b32 v4, v5, s[8:9]
	v_add_nc_u32_e32 v5, 64, v5
	s_add_i32 s4, s4, -1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v4
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";

/// The same, but not to the letter, which nobody would look at.
const std::string kLater = "\n\ts_nop 0" + kStepped;

/// Iterations are counted, and the offset is made of their number.
const std::string kCounted = R"(
	v_lshlrev_b32_e32 v5, 2, v0
	v_mov_b32_e32 v1, 0
	s_mov_b32 s5, 2
.Lloop:
	s_lshl_b32 s6, s5, 6
	v_add3_u32 v6, s6, v5, 0xffffff80
	global_load_b32 v4, v6, s[8:9]
	s_add_i32 s5, s5, 1
	s_add_i32 s4, s4, -1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v4
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";

const Equation kOffset = equation(v(5), 1, {{Read::Dword, v(5)}, {Read::Dword, s(5), 64}}, -128);

TEST(Equation, ARegisterIsASumOfOthers) {
  EXPECT_EQ(refusalOf(kStepped, kCounted, {kOffset}), "");
  EXPECT_NE(refusalOf(kStepped, kCounted, {}), "");
}

TEST(Equation, EveryPartOfTheCodeCounts) {
  for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
           {"s_mov_b32 s5, 2", "s_mov_b32 s5, 1"},
           {"s_lshl_b32 s6, s5, 6", "s_lshl_b32 s6, s5, 5"},
           {"s6, v5, 0xffffff80", "s6, v5, 0xffffff7c"},
           {"s_add_i32 s5, s5, 1", "s_add_i32 s5, s5, 2"},
           {"v_lshlrev_b32_e32 v5, 2, v0", "v_lshlrev_b32_e32 v5, 3, v0"},
           {"	s_add_i32 s4, s4, -1\n", "	s_add_i32 s4, s4, -1\n	v_mov_b32_e32 v5, 0\n"}})
    EXPECT_NE(refusalOf(kStepped, replaced(kCounted, from, to), {kOffset}), "") << to;
}

TEST(Equation, EveryPartOfTheEquationCounts) {
  const auto other = [](auto change) {
    Equation result = kOffset;
    change(result);
    return refusalOf(kStepped, kCounted, {result});
  };
  EXPECT_NE(other([](Equation &e) { e.left = v(6); }), "");
  EXPECT_NE(other([](Equation &e) { e.right.constant = 0; }), "");
  EXPECT_NE(other([](Equation &e) { e.right.summands[1].factor = 32; }), "");
  EXPECT_NE(other([](Equation &e) { e.right.summands[1].reg = s(4); }), "");
  EXPECT_NE(other([](Equation &e) { e.right.summands[0].reg = v(0); }), "");
  EXPECT_NE(other([](Equation &e) { e.right.summands.pop_back(); }), "");
  // Modulo 2^32, and nobody minds the order.
  EXPECT_EQ(other([](Equation &e) { e.right.constant = 0xffffff80u; }), "");
  EXPECT_EQ(other([](Equation &e) { std::swap(e.right.summands[0], e.right.summands[1]); }), "");
}

TEST(Equation, WhatTheOriginalStillReadsBehindTheLoopIsNotThere) {
  const std::string store = "\n	global_store_b32 v0, v5, s[10:11] offset:4";
  EXPECT_NE(refusalOf(kStepped + store, kCounted + store, {kOffset}), "");
}

TEST(Equation, OtherLanesAreNotSpokenFor) {
  const auto masked = [](const std::string &body) {
    return "	s_mov_b32 s20, exec_lo\n	s_mov_b32 exec_lo, 0xff\n" +
           replaced(body, "	global_store_b32 v0, v1",
                    "	s_mov_b32 exec_lo, s20\n	global_store_b32 v0, v1");
  };
  EXPECT_EQ(refusalOf(masked(kStepped), masked(kCounted), {kOffset}), "");
  // They keep what v5 was, which the rewritten code has as well.
  const std::string store = "\n	v_mov_b32_e32 v1, v5\n	global_store_b32 v0, v1, s[10:11] "
                            "offset:4";
  EXPECT_NE(refusalOf(masked(kStepped) + store, masked(kCounted) + store, {kOffset}), "");
}

TEST(Equation, OtherLanesKeepWhatTheyHave) {
  const auto masked = [](const std::string &body) {
    return "	s_mov_b32 exec_lo, s21\n" +
           replaced(body, "	global_store_b32 v0, v1",
                    "	s_and_not1_b32 exec_lo, s20, s21\n	global_store_b32 v0, v5, s[10:11] "
                    "offset:4\n	s_mov_b32 exec_lo, s21\n	global_store_b32 v0, v1");
  };
  EXPECT_EQ(refusalOf(masked(kStepped), masked(kCounted), {kOffset}), "");
  EXPECT_NE(
      refusalOf(masked(kStepped),
                replaced(masked(kCounted), "	s_and_not1_b32 exec_lo, s20, s21\n",
                         "	s_and_not1_b32 exec_lo, s20, s21\n	v_mov_b32_e32 v5, v0\n"),
                {kOffset}),
      "");
}

/// A scalar that is another one times a constant.
const std::string kBytes = R"(
	s_mov_b32 s5, 0
	v_mov_b32_e32 v1, 0
.Lloop:
	v_add_f32_e32 v1, s5, v1
	s_add_i32 s5, s5, 64
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";

const std::string kIndex = R"(
	s_mov_b32 s6, 0
	v_mov_b32_e32 v1, 0
.Lloop:
	s_lshl_b32 s7, s6, 6
	v_add_f32_e32 v1, s7, v1
	s_add_i32 s6, s6, 1
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])";

TEST(Equation, ScalarsToo) {
  EXPECT_EQ(refusalOf(kBytes, kIndex, {equation(s(5), 1, {{Read::Dword, s(6), 64}})}), "");
  EXPECT_NE(refusalOf(kBytes, kIndex, {equation(s(5), 1, {{Read::Dword, s(6), 32}})}), "");
  EXPECT_NE(refusalOf(kBytes, kIndex, {equation(s(5), 1, {{Read::Dword, s(7), 1}})}), "");
  EXPECT_NE(refusalOf(kBytes, replaced(kIndex, "s6, s6, 1", "s6, s6, 2"),
                      {equation(s(5), 1, {{Read::Dword, s(6), 64}})}),
            "");
  EXPECT_NE(refusalOf(kBytes, kIndex, {}), "");
}

TEST(Equation, AMultipleIsZeroForOtherNumbersToo) {
  // 64 * s6 is 0 where s6 is 2^26.
  const auto ending = [](std::string body, std::string_view counter) {
    return replaced(std::move(body), "s_cmp_lg_u32 s4, 0",
                    fmt::format("s_cmp_lg_u32 {}, 0", counter));
  };
  EXPECT_NE(refusalOf(ending(kBytes, "s5"), ending(kIndex, "s6"),
                      {equation(s(5), 1, {{Read::Dword, s(6), 64}})}),
            "");
}

//===----------------------------------------------------------------------===//
// 64 bits
//===----------------------------------------------------------------------===//

/// Pointers, or numbers that are stored, from an offset of 32 bits that may wrap or not.
std::string wide(std::string_view use) {
  return fmt::format(R"(
	v_lshl_add_u32 v5, v0, 2, 4
	v_mov_b32_e32 v1, 0
	v_add_co_u32 v2, vcc_lo, s6, v5
	v_add_co_ci_u32_e64 v3, null, s7, v1, vcc_lo
.Lloop:
	{}
	v_add_co_u32 v2, vcc_lo, v2, s8
	v_add_co_ci_u32_e64 v3, null, s9, v3, vcc_lo
	s_add_i32 s4, s4, -1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v4
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])",
                     use);
}
std::string split(std::string_view use) {
  return fmt::format(R"(
	v_lshlrev_b32_e32 v5, 2, v0
	v_mov_b32_e32 v1, 0
	s_add_u32 s12, s6, 4
	s_addc_u32 s13, s7, 0
.Lloop:
	{}
	s_add_u32 s12, s12, s8
	s_addc_u32 s13, s13, s9
	s_add_i32 s4, s4, -1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v4
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .Lloop
	global_store_b32 v0, v1, s[10:11])",
                     use);
}

TEST(Equation, TheAssumptionIsOfPointersNotOfNumbers) {
  const std::vector<Equation> claim = {splitPointer({2}, s(12), {5})};
  const std::set<Assumption> assumed = {Assumption::NoIndexWrap};
  const std::string pointer = wide("global_load_b32 v4, v[2:3], off"),
                    based = split("global_load_b32 v4, v5, s[12:13]");
  EXPECT_EQ(refusalOf(pointer, based, claim, assumed), "");
  EXPECT_NE(refusalOf(pointer, based, claim), "");
  const std::string number = wide("global_store_b64 v0, v[2:3], s[10:11]"),
                    sum = split("v_add_co_u32 v2, vcc_lo, s12, v5\n"
                                "	v_add_co_ci_u32_e64 v3, null, s13, 0, vcc_lo\n"
                                "	global_store_b64 v0, v[2:3], s[10:11]");
  EXPECT_NE(refusalOf(number, sum, claim, assumed), "");
  // Where nothing can wrap, numbers are as good.
  const auto exact = [](std::string text) {
    return replaced(std::move(text), "v_lshl_add_u32 v5, v0, 2, 4", "v_lshlrev_b32_e32 v5, 2, v0");
  };
  const std::string plain = replaced(replaced(sum, "s_add_u32 s12, s6, 4", "s_add_u32 s12, s6, 0"),
                                     "s_addc_u32 s13, s7, 0", "s_addc_u32 s13, s7, 0");
  EXPECT_EQ(refusalOf(exact(number), plain, claim), "");
}

//===----------------------------------------------------------------------===//
// What is no claim
//===----------------------------------------------------------------------===//

TEST(Equation, AClaimMayNotSayAnything) {
  const auto refuses = [](std::vector<Equation> equations) {
    const std::string said = refusalOf(kStepped, kLater, std::move(equations));
    return said.find("the claim ") != std::string::npos;
  };
  EXPECT_FALSE(refuses({}));
  const Equation same = equation(v(5), 1, {{Read::Dword, v(5)}});
  EXPECT_FALSE(refuses({same}));
  EXPECT_TRUE(refuses({same, same}));
  EXPECT_TRUE(refuses({same, movedTo({5}, {5}, Equation::Lanes::Active)}));
  EXPECT_TRUE(refuses(
      {movedTo({5}, {6}, Equation::Lanes::All), movedTo({5}, {7}, Equation::Lanes::SwitchedOff)}));
  EXPECT_FALSE(refuses({movedTo({9}, {6}, Equation::Lanes::Active),
                        movedTo({9}, {7}, Equation::Lanes::SwitchedOff)}));
  // Registers with a meaning of their own, and ones that there are not.
  for (const RegUnit unit : {kVccLo, kVccHi, kM0, kExecLo, kScc, kMode, s(124)}) {
    EXPECT_TRUE(refuses({equation(unit, 1, {{Read::Dword, s(4)}})})) << toString(unit);
    EXPECT_TRUE(refuses({equation(s(30), 1, {{Read::Dword, unit}})})) << toString(unit);
  }
  EXPECT_TRUE(refuses({equation(v(255), 2, {{Read::Pair, s(4)}})}));
  EXPECT_TRUE(refuses({equation(s(105), 2, {{Read::Pair, s(4)}})}));
  EXPECT_TRUE(refuses({equation(v(30), 2, {{Read::Pair, s(105)}})}));
  EXPECT_TRUE(refuses({equation(v(30), 0, {})}));
  EXPECT_TRUE(refuses({equation(v(30), 3, {})}));
  // Widths, and lanes in a scalar.
  EXPECT_TRUE(refuses({equation(v(30), 2, {{Read::Dword, v(4)}})}));
  EXPECT_TRUE(refuses({equation(v(30), 1, {{Read::ZeroExtended, v(4)}})}));
  EXPECT_TRUE(refuses({equation(s(30), 1, {{Read::Dword, v(4)}})}));
  // Lanes that are switched off have copies at the most.
  Equation off = same;
  off.lanes = Equation::Lanes::SwitchedOff;
  EXPECT_TRUE(refuses({off}));
  // Of the rewritten code's registers a claim only hints, and only at constants.
  Equation theirs = same;
  theirs.text = Equation::Text::Rewritten;
  EXPECT_TRUE(refuses({theirs}));
  Equation hint = same;
  hint.asked = Asked::Hint;
  EXPECT_TRUE(refuses({hint}));
  EXPECT_FALSE(refuses({constantHint(Equation::Text::Rewritten, {5}, 3)}));
}

TEST(Equation, WhatNobodyNeedsNeedNotBeShown) {
  Equation wrong = equation(v(40), 1, {{Read::Dword, v(5), 3}}, 7);
  EXPECT_NE(refusalOf(kStepped, kLater, {wrong}), "");
  wrong.asked = Asked::WhereNeeded;
  EXPECT_EQ(refusalOf(kStepped, kLater, {wrong}), "");
  wrong.left = v(5);
  EXPECT_NE(refusalOf(kStepped, kLater, {wrong}), "");
}

} // namespace
} // namespace rdna::test::equationTest
