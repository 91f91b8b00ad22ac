// What the proof takes integer arithmetic to be: each of these rewrites is wrong in one place,
// mostly where only a few lanes or large numbers show it.

#include "VerifySample.h"

namespace rdna::test::verifyArithmeticTest {
namespace {

//===----------------------------------------------------------------------===//
// Scalar loads
//===----------------------------------------------------------------------===//

const std::string kScalarLoad = R"(
	s_add_u32 s6, s6, 16
	s_addc_u32 s7, s7, 0
	s_load_b64 s[10:11], s[6:7], 0x8
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s11)";

TEST(VerifyArithmetic, ScalarLoadsAreOfASum) {
  const std::string folded = R"(
	s_load_b64 s[10:11], s[6:7], 0x18
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v1, s11)";
  EXPECT_EQ(refusalOfResult(kScalarLoad, folded), "");
  for (const auto &[from, to] : std::initializer_list<std::pair<const char *, const char *>>{
           {"0x18", "0x14"},
           {"0x18", "0x8"},
           {"s[6:7]", "s[8:9]"},
           {"0x18", "0x18 glc"},
           {"0x18", "s12"},
           {"v1, s11", "v1, s10"},
           {"	s_load", "	global_store_b32 v0, v2, s[14:15]\n	s_load"}})
    EXPECT_NE(refusalOfResult(kScalarLoad, replaced(folded, from, to)), "") << to;
  // One dword more is read than the original did.
  EXPECT_NE(refusalOfResult(kScalarLoad, replaced(folded, "s_load_b64 s[10:11], s[6:7], 0x18",
                                                  "s_load_b128 s[8:11], s[6:7], 0x10")),
            "");
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

const std::string kScalarSum = R"(
	s_add_u32 s10, s6, s8
	s_addc_u32 s11, s7, s9
	v_mov_b32_e32 v1, s11)";

TEST(VerifyArithmetic, CarriesOfScalarsAndOfLanesAreTheSameSum) {
  EXPECT_EQ(refusalOfResult(kScalarSum, R"(
	v_mov_b32_e32 v2, s8
	v_mov_b32_e32 v3, s9
	v_add_co_u32 v2, vcc_lo, s6, v2
	v_add_co_ci_u32_e32 v1, vcc_lo, s7, v3, vcc_lo)"),
            "");
  EXPECT_EQ(refusalOfResult(kScalarSum, R"(
	s_add_u32 s10, s8, s6
	s_addc_u32 s11, s7, s9
	v_mov_b32_e32 v1, s11)"),
            "");
}

TEST(VerifyArithmetic, ConstantsAddUpWhereverTheyWereSeenFirst) {
  const std::string loop = R"(
	s_movk_i32 s12, 0x400
.Lloop:
	{}
	v_mov_b32_e32 v1, s11
	global_store_b32 v0, v1, s[4:5]
	s_cmp_lg_u32 s8, s12
	s_cbranch_scc1 .Lloop
)";
  const std::string once = "s_add_u32 s10, s10, 0x400\n	s_addc_u32 s11, s11, 0";
  const std::string twice = fmt::format(fmt::runtime(loop), once + "\n	" + once);
  const auto refuses = [&](std::string_view sum) {
    return !refusalOfBodies(twice, fmt::format(fmt::runtime(loop), sum)).empty();
  };
  EXPECT_FALSE(refuses("s_add_u32 s10, s10, 0x800\n	s_addc_u32 s11, s11, 0"));
  EXPECT_TRUE(refuses("s_add_u32 s10, s10, 0x800\n	s_addc_u32 s11, s11, 1"));
  EXPECT_TRUE(refuses("s_add_u32 s10, s10, 0x400\n	s_addc_u32 s11, s11, 0x400"));
}

TEST(VerifyArithmetic, ACarryOfNoSumIsStillOneBit) {
  const std::string body = R"(
	s_cmp_lt_u32 s6, s7
	s_addc_u32 s11, s8, -1
	v_mov_b32_e32 v1, s11)";
  const auto refuses = [&](std::string_view from, std::string_view to) {
    return !refusalOfResult(body, replaced(body, from, to)).empty();
  };
  EXPECT_FALSE(refuses("s8, -1", "s8, 0xffffffff"));
  EXPECT_FALSE(
      refuses("	s_addc_u32 s11, s8, -1", "	s_addc_u32 s11, s8, 0\n	s_sub_u32 s11, s11, 1"));
  EXPECT_TRUE(refuses("s8, -1", "s8, 0"));
  EXPECT_TRUE(refuses("s_addc_u32", "s_add_u32"));
  EXPECT_TRUE(refuses("s_cmp_lt_u32 s6, s7", "s_cmp_lt_u32 s7, s6"));
}

TEST(VerifyArithmetic, SccIsNoLaneMask) {
  EXPECT_NE(refusalOfResult(kScalarSum, R"(
	s_add_u32 s10, s6, s8
	s_mov_b32 s12, src_scc
	v_mov_b32_e32 v1, s9
	v_add_co_ci_u32_e64 v1, s13, s7, v1, s12)"),
            "");
}

TEST(VerifyArithmetic, CarriesMustArrive) {
  EXPECT_NE(refusalOfResult(kScalarSum, replaced(kScalarSum, "s_addc_u32", "s_add_u32")), "");
  EXPECT_NE(refusalOfResult(kScalarSum, replaced(kScalarSum, "	s_addc",
                                                 "	s_cmp_eq_u32 s6, 0\n	s_addc")),
            "");
  EXPECT_NE(refusalOfResult(kScalarSum, replaced(kScalarSum, "	s_addc",
                                                 "	s_lshl_b32 s12, s6, 1\n	s_addc")),
            "");
  EXPECT_NE(refusalOfResult(kScalarSum, R"(
	s_addc_u32 s11, s7, s9
	s_add_u32 s10, s6, s8
	v_mov_b32_e32 v1, s11)"),
            "");
  // Of another pair of halves.
  EXPECT_NE(refusalOfResult(kScalarSum, replaced(kScalarSum, "s10, s6, s8", "s10, s6, s12")), "");
}

TEST(VerifyArithmetic, CarriesAreOfTheLanesThatWereActive) {
  const std::string wide = R"(
	v_mov_b32_e32 v1, v9
	s_mov_b32 s12, exec_lo
	v_add_co_u32 v4, vcc_lo, v2, v3
	v_add_co_ci_u32_e32 v1, vcc_lo, v5, v6, vcc_lo)";
  EXPECT_EQ(refusalOfResult(wide, wide), "");
  EXPECT_NE(refusalOfResult(wide, R"(
	v_mov_b32_e32 v1, v9
	s_mov_b32 s12, exec_lo
	s_mov_b32 exec_lo, 0xff
	v_add_co_u32 v4, vcc_lo, v2, v3
	s_mov_b32 exec_lo, s12
	v_add_co_ci_u32_e32 v1, vcc_lo, v5, v6, vcc_lo)"),
            "");
  // A lane that was switched off has no carry, or another value in v2.
  EXPECT_NE(refusalOfResult(R"(
	s_mov_b32 s12, exec_lo
	s_and_b32 exec_lo, exec_lo, s13
	v_mov_b32_e32 v2, v7
	v_add_co_u32 v4, vcc_lo, v2, v3
	s_mov_b32 exec_lo, s12
	v_add_co_ci_u32_e32 v1, vcc_lo, v5, v6, vcc_lo)",
                            R"(
	s_mov_b32 s12, exec_lo
	v_add_co_u32 v4, vcc_lo, v7, v3
	v_add_co_ci_u32_e32 v1, vcc_lo, v5, v6, vcc_lo)"),
            "");
}

TEST(VerifyArithmetic, CarriesOfLanesThatAreOffAreUnknown) {
  for (const char *add : {"v_add_co_u32 v2, s12, v2, v3", "v_add_co_ci_u32_e64 v2, s12, v2, v3, s6",
                          "v_mad_u64_u32 v[2:3], s12, v6, v7, v[4:5]"})
    EXPECT_NE(refusalOfResult(fmt::format("	{}\n	s_or_b32 s13, s12, exec_lo\n"
                                          "	v_mov_b32_e32 v1, s13",
                                          add),
                              "	v_mov_b32_e32 v1, exec_lo"),
              "")
        << add;
}

TEST(VerifyArithmetic, WhatAMultiplicationCarriesOut) {
  const std::string before = R"(
	v_mad_u64_u32 v[2:3], s12, s6, v8, v[4:5]
	v_cndmask_b32_e64 v1, v2, v3, s12)";
  EXPECT_EQ(refusalOfResult(before, replaced(before, "s6, v8", "v8, s6")), "");
  EXPECT_NE(refusalOfResult(before, replaced(before, "u64_u32", "i64_i32")), "");
  EXPECT_NE(refusalOfResult(before, R"(
	v_mad_u64_u32 v[2:3], null, s6, v8, v[4:5]
	v_cndmask_b32_e64 v1, v2, v3, s12)"),
            "");
  EXPECT_NE(refusalOfResult(before, R"(
	v_mad_u64_u32 v[2:3], null, s6, v8, v[4:5]
	v_add_co_u32 v6, s12, v4, v8
	v_cndmask_b32_e64 v1, v2, v3, s12)"),
            "");
}

//===----------------------------------------------------------------------===//
// Widths and signs
//===----------------------------------------------------------------------===//

TEST(VerifyArithmetic, ExtensionsDiffer) {
  const std::string zero = "	v_mad_u64_u32 v[2:3], null, v6, v7, 0\n	v_mov_b32_e32 v1, v3";
  const auto with = [&](std::string_view from, std::string_view to) {
    return refusalOfResult(zero, replaced(zero, from, to));
  };
  EXPECT_EQ(refusalOfResult(zero, "	v_mul_hi_u32 v1, v7, v6"), "");
  EXPECT_NE(with("u64_u32", "i64_i32"), "");
  EXPECT_NE(with("v7, 0", "v7, 1"), "");
  EXPECT_NE(refusalOfResult(zero, "	v_mul_hi_i32 v1, v7, v6"), "");
  EXPECT_NE(refusalOfResult(zero, "	v_mul_hi_u32_u24 v1, v7, v6"), "");
  const std::string sign = R"(
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_mov_b32_e32 v1, v5)";
  EXPECT_NE(refusalOfResult(sign, replaced(sign, "v_ashrrev_i32_e32", "v_lshrrev_b32_e32")), "");
  EXPECT_NE(refusalOfResult(sign, replaced(sign, "31", "30")), "");
  EXPECT_NE(
      refusalOfResult(sign, replaced(sign, "v_ashrrev_i32_e32 v3, 31, v2", "v_mov_b32_e32 v3, 0")),
      "");
}

TEST(VerifyArithmetic, InlineConstantsOf64Bits) {
  const std::string minusOne = R"(
	v_mad_u64_u32 v[2:3], null, v6, v7, -1
	v_mov_b32_e32 v1, v3)";
  EXPECT_EQ(refusalOfResult(minusOne, R"(
	v_mov_b32_e32 v8, -1
	v_mov_b32_e32 v9, -1
	v_mad_u64_u32 v[2:3], null, v6, v7, v[8:9]
	v_mov_b32_e32 v1, v3)"),
            "");
  EXPECT_NE(refusalOfResult(minusOne, R"(
	v_mov_b32_e32 v8, -1
	v_mov_b32_e32 v9, 0
	v_mad_u64_u32 v[2:3], null, v6, v7, v[8:9]
	v_mov_b32_e32 v1, v3)"),
            "");
  const std::string shifted = "	s_lshl_b64 s[10:11], -1, 4\n	v_mov_b32_e32 v1, s11";
  EXPECT_EQ(refusalOfResult(shifted, "	v_mov_b32_e32 v1, -1"), "");
  EXPECT_NE(refusalOfResult(shifted, "	v_mov_b32_e32 v1, 15"), "");
  // 1.0 is a double here.
  EXPECT_NE(refusalOfResult("	v_lshlrev_b64 v[2:3], 1, 1.0\n	v_mov_b32_e32 v1, v3",
                            "	v_lshlrev_b64 v[2:3], 1, 0x3f800000\n	v_mov_b32_e32 v1, v3"),
            "");
}

TEST(VerifyArithmetic, NullHasTwoZeroHalves) {
  EXPECT_NE(
      refusalOfResult("	v_mad_u64_u32 v[2:3], null, v6, v7, null\n	v_mov_b32_e32 v1, v3",
                      "	v_mov_b32_e32 v8, 0\n	v_mov_b32_e32 v9, m0\n"
                      "	v_mad_u64_u32 v[2:3], null, v6, v7, v[8:9]\n"
                      "	v_mov_b32_e32 v1, v3"),
      "");
  EXPECT_NE(refusalOfResult("	s_mov_b64 s[10:11], null\n	v_mov_b32_e32 v1, s11",
                            "	v_mov_b32_e32 v1, m0"),
            "");
}

TEST(VerifyArithmetic, NullIsOneRegister) {
  // The number behind it is M0's.
  for (const char *write : {"s_mov_b64 null, s[6:7]", "s_lshl_b64 null, s[6:7], 0"}) {
    const std::string before = fmt::format("\t{}\n\tv_mov_b32_e32 v1, m0", write);
    EXPECT_NE(refusalOfResult(before, "\tv_mov_b32_e32 v1, s7"), "") << write;
    EXPECT_EQ(refusalOfResult(before, before), "") << write;
  }
}

TEST(VerifyArithmetic, Permlane64KeepsItsDestinationInWave32) {
  EXPECT_NE(refusalOfResult("\tv_mov_b32_e32 v1, 5\n\tv_permlane64_b32 v1, v2",
                            "\tv_mov_b32_e32 v1, 6\n\tv_permlane64_b32 v1, v2"),
            "");
}

TEST(VerifyArithmetic, ExecIsNoPlaceToSaveExec) {
  const std::string before = "\ts_and_saveexec_b32 exec_lo, s6\n\ts_mov_b32 s7, exec_lo\n"
                             "\ts_mov_b32 exec_lo, -1\n\tv_mov_b32_e32 v1, s7";
  EXPECT_EQ(refusalOfResult(before, before), "");
  EXPECT_NE(refusalOfResult(before, "\ts_mov_b32 s7, exec_lo\n\ts_and_b32 exec_lo, exec_lo, s6\n"
                                    "\ts_mov_b32 exec_lo, -1\n\tv_mov_b32_e32 v1, s7"),
            "");
}

TEST(VerifyArithmetic, ShiftsCountModuloTheirWidth) {
  const std::string narrow = "	v_lshlrev_b32_e32 v1, 34, v2";
  EXPECT_EQ(refusalOfResult(narrow, "	v_lshlrev_b32_e32 v1, 2, v2"), "");
  EXPECT_NE(refusalOfResult(narrow, "	v_mov_b32_e32 v1, 0"), "");
  EXPECT_NE(refusalOfResult(narrow, "	v_lshlrev_b32_e32 v1, 3, v2"), "");
  const std::string wide = "	v_lshlrev_b64 v[4:5], 34, v[2:3]\n	v_mov_b32_e32 v1, v5";
  EXPECT_NE(
      refusalOfResult(wide, "	v_lshlrev_b64 v[4:5], 2, v[2:3]\n	v_mov_b32_e32 v1, v5"), "");
  EXPECT_EQ(refusalOfResult("	s_lshl_b64 s[10:11], s[6:7], 0x42\n	v_mov_b32_e32 v1, s11",
                            "	s_lshl_b64 s[10:11], s[6:7], 2\n	v_mov_b32_e32 v1, s11"),
            "");
  // By a register: nothing is known.
  EXPECT_NE(refusalOfResult("	v_lshlrev_b64 v[4:5], v8, v[2:3]\n	v_mov_b32_e32 v1, v5",
                            "	v_lshlrev_b64 v[4:5], v9, v[2:3]\n	v_mov_b32_e32 v1, v5"),
            "");
  EXPECT_NE(refusalOfResult("	v_lshlrev_b64 v[4:5], v8, v[2:3]\n	v_mov_b32_e32 v1, v5",
                            "	v_lshlrev_b32_e32 v1, v8, v3"),
            "");
  EXPECT_NE(
      refusalOfResult("	v_lshl_add_u32 v1, v2, 2, v3", "	v_add_lshl_u32 v1, v2, v3, 2"), "");
  EXPECT_NE(refusalOfResult("	v_dual_mov_b32 v8, v3 :: v_dual_lshlrev_b32 v1, 2, v2",
                            "	v_dual_mov_b32 v8, 2 :: v_dual_lshlrev_b32 v1, v8, v2"),
            "");
}

TEST(VerifyArithmetic, ProductsOf24Bits) {
  const std::string product = "	v_mul_u32_u24_e32 v1, s6, v2";
  EXPECT_EQ(refusalOfResult(product, "	v_mad_u32_u24 v1, v2, s6, 0"), "");
  EXPECT_NE(refusalOfResult(product, "	v_mul_lo_u32 v1, s6, v2"), "");
  EXPECT_NE(refusalOfResult(product, "	v_mul_i32_i24_e32 v1, s6, v2"), "");
  EXPECT_NE(refusalOfResult(product, "	v_mad_i32_i24 v1, v2, s6, 0"), "");
  EXPECT_NE(refusalOfResult(product, "	v_mad_u32_u24 v1, v2, s6, 1"), "");
  // Factors do not come out of it: 24 bits are cut off before.
  EXPECT_NE(refusalOfResult("	v_lshlrev_b32_e32 v3, 1, v2\n	v_mul_u32_u24_e32 v1, s6, v3",
                            "	v_mul_u32_u24_e32 v3, s6, v2\n	v_lshlrev_b32_e32 v1, 1, v3"),
            "");
}

TEST(VerifyArithmetic, ModifiersChangeTheOperation) {
  for (const auto &[plain, changed] :
       {std::pair("	v_add_nc_u32_e64 v1, v2, v3", "	v_add_nc_u32_e64 v1, v2, v3 clamp"),
        std::pair("	v_sub_nc_u32_e64 v1, v2, v3", "	v_sub_nc_u32_e64 v1, v2, v3 clamp"),
        std::pair("	v_mad_u32_u24 v1, v2, v3, v4",
                  "	v_mad_u32_u24 v1, v2, v3, v4 clamp"),
        std::pair("	v_add_co_u32 v1, s6, v2, v3", "	v_add_co_u32 v1, s6, v2, v3 clamp"),
        std::pair(
            "	v_mad_u64_u32 v[6:7], s6, v2, v3, v[4:5]\n	v_mov_b32_e32 v1, v7",
            "	v_mad_u64_u32 v[6:7], s6, v2, v3, v[4:5] clamp\n	v_mov_b32_e32 v1, v7"),
        std::pair(
            "	v_add_nc_u32_e32 v1, v2, v3",
            "	v_add_nc_u32_dpp v1, v2, v3 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xe"),
        std::pair("	v_mul_u32_u24_e32 v1, v2, v3",
                  "	v_mul_u32_u24_dpp v1, v2, v3 row_shl:1 row_mask:0xf bank_mask:0xf"),
        std::pair("	v_add_co_ci_u32_e32 v1, vcc_lo, v2, v3, vcc_lo",
                  "	v_add_co_ci_u32_dpp v1, vcc_lo, v2, v3, vcc_lo row_shl:1 row_mask:0xf "
                  "bank_mask:0xf")}) {
    EXPECT_NE(refusalOfResult(plain, changed), "") << changed;
    EXPECT_NE(refusalOfResult(changed, plain), "") << changed;
  }
}

TEST(VerifyArithmetic, SymbolsAreNoOperations) {
  for (const char *name : {"sum", "product", "high", "zext", "pair", "and", "carry", "constant64",
                           "sum64", "sign", "scalar-carry"}) {
    if (std::string_view(name).find('-') != std::string_view::npos)
      continue;
    const std::string before =
        fmt::format("	s_mov_b32 s6, {0}\n	s_add_i32 s7, s6, 4\n	s_and_b32 s8, s6, s7\n"
                    "	s_or_b32 s8, s8, s6\n	s_add_u32 s9, s7, s6\n	s_addc_u32 s10, s8, s6\n"
                    "	s_lshl_b64 s[6:7], s[6:7], 2\n	v_add_nc_u32_e32 v1, s10, v1\n"
                    "	v_add_nc_u32_e32 v1, s7, v1",
                    name);
    EXPECT_EQ(refusalOfResult(before, before), "") << name;
    EXPECT_NE(refusalOfResult(fmt::format("	s_mov_b32 s6, {}\n	s_add_i32 s7, s6, 4\n"
                                          "	v_mov_b32_e32 v1, s7",
                                          name),
                              "	v_mov_b32_e32 v1, 4"),
              "")
        << name;
  }
}

} // namespace
} // namespace rdna::test::verifyArithmeticTest
