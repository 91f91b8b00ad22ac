// Halves of registers and pieces of dwords in LDS, for texts that do things earlier than others.

#include "BufferPair.h"

namespace rdna::test::aheadHalvesTest {
namespace {

using testing::HasSubstr;

const std::string kZero = "\tv_mov_b32_e32 v6, 0\n", kOnes = "\tv_mov_b32_e32 v6, -1\n";
const std::string kHalf = "\tglobal_load_d16_b16 v6, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n";
const std::string kMeet = "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n";
const std::string kOut = "\ts_waitcnt lgkmcnt(0)\n\tglobal_store_b32 v1, v5, s[2:3]\n";

/// v6 holds something else in the half that nothing was loaded to.
std::string refusalOfHalf(const std::string &rest) {
  return refusalAhead(kZero + kHalf + rest + kOut, kOnes + kHalf + rest + kOut);
}

TEST(AheadHalves, StoresTakeOneHalf) {
  const std::string load = kMeet + "\tds_load_u16 v5, v2\n";
  EXPECT_EQ(refusalOfHalf("\tds_store_b16 v1, v6\n" + load), "");
  EXPECT_EQ(refusalOfHalf("\tds_store_b8 v1, v6\n" + replaced(load, "u16", "u8")), "");
  EXPECT_THAT(refusalOfHalf("\tds_store_b16_d16_hi v1, v6\n" + load),
              HasSubstr("something else was stored there"));
  EXPECT_THAT(refusalOfHalf("\tds_store_b32 v1, v6\n" + replaced(load, "u16", "b32")),
              HasSubstr("something else was stored there"));
  EXPECT_EQ(refusalOfHalf("\tglobal_store_b16 v1, v6, s[2:3]\n\tv_mov_b32 v5, 0\n"), "");
  EXPECT_NE(refusalOfHalf("\tglobal_store_d16_hi_b16 v1, v6, s[2:3]\n\tv_mov_b32 v5, 0\n"), "");
}

TEST(AheadHalves, OperationsReadOneHalf) {
  for (const char *reader :
       {"\tv_cvt_f32_f16_e32 v5, v6.l\n", "\tv_fma_mix_f32 v5, v6, v6, v1 op_sel_hi:[1,1,0]\n"})
    EXPECT_EQ(refusalOfHalf(reader), "") << reader;
  for (const char *reader : {"\tv_cvt_f32_f16_e32 v5, v6.h\n", "\tv_pk_add_f16 v5, v6, v6\n",
                             "\tv_fma_mix_f32 v5, v6, v6, v1 op_sel:[1,0,0] op_sel_hi:[1,1,0]\n",
                             "\tv_fma_mix_f32 v5, v6, v6, v6 op_sel_hi:[1,1,0]\n"})
    EXPECT_NE(refusalOfHalf(reader), "") << reader;
}

TEST(AheadHalves, WholesThatLookLikeHalves) {
  const std::string two = "\tbuffer_load_d16_format_xy v6, v1, s[8:11], 0 offen\n"
                          "\ts_waitcnt vmcnt(0)\n\tglobal_store_d16_hi_b16 v1, v6, s[2:3]\n";
  const std::string other =
      "\tv_mov_b32 v7, v3\n" + replaced(two, "v1, v6, s[2:3]", "v1, v7, s[2:3]");
  EXPECT_EQ(refusalAhead("\tv_mov_b32 v6, v3\n" + two, "\tv_mov_b32 v6, v3\n" + two), "");
  EXPECT_THAT(refusalAhead("\tv_mov_b32 v6, v3\n" + two, other), HasSubstr("not the original's"));
  const std::string swap = kZero + "\tv_swap_b16 v6.l, v6.h\n";
  EXPECT_THAT(refusalAhead(swap, swap), HasSubstr("writes a register twice"));
}

TEST(AheadHalves, HalvesMakeAWhole) {
  const std::string high = "\tglobal_load_d16_hi_b16 v6, v1, s[2:3] offset:2\n"
                           "\ts_waitcnt vmcnt(0)\n\tv_mov_b32 v5, v6\n";
  EXPECT_EQ(refusalOfHalf(high), "");
  EXPECT_NE(refusalOfHalf(replaced(high, "_hi", "")), "");
}

// The same bytes in LDS, however they have come there.
TEST(AheadHalves, PiecesOfDwordsInLds) {
  const std::string load = "\tglobal_load_b32 v4, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n";
  const std::string whole = load + "\tds_store_b32 v1, v4\n" + kMeet,
                    pieces = load +
                             "\tds_store_b16_d16_hi v1, v4 offset:2\n"
                             "\tds_store_b16 v1, v4\n" +
                             kMeet;
  for (const char *read : {"\tds_load_u16 v5, v2 offset:2\n", "\tds_load_b32 v5, v2\n",
                           "\tds_load_i16 v5, v2\n", "\tds_load_u8 v5, v2 offset:1\n"}) {
    EXPECT_EQ(refusalAhead(whole + read + kOut, pieces + read + kOut), "") << read;
    EXPECT_EQ(refusalAhead(pieces + read + kOut, whole + read + kOut), "") << read;
    const std::string swapped =
        replaced(replaced(pieces, "v4 offset:2", "v4"), "_b16 v1, v4\n", "_b16 v1, v4 offset:2\n");
    EXPECT_NE(refusalAhead(whole + read + kOut, swapped + read + kOut), "") << read;
  }
  const std::string read = "\tds_load_u16 v5, v2 offset:2\n";
  for (const char *other : {"\tds_load_i16 v5, v2 offset:2\n", "\tds_load_u16 v5, v2\n",
                            "\tds_load_u8 v5, v2 offset:2\n"})
    EXPECT_NE(refusalAhead(whole + read + kOut, whole + other + kOut), "") << other;
  // What was in the other half before the launch is the same as well.
  const std::string part = load + "\tds_store_b16 v1, v4\n" + kMeet + "\tds_load_b32 v5, v2\n";
  EXPECT_EQ(refusalAhead(part + kOut, part + kOut), "");
  EXPECT_THAT(
      refusalAhead(part + kOut, replaced(part, "_b16 v1, v4\n", "_b16 v1, v4 offset:2\n") + kOut),
      HasSubstr("is not what the original loads"));
}

TEST(AheadHalves, LoadsFromLdsKeepTheOtherHalf) {
  const std::string load = "\tds_store_b32 v1, v1\n" + kMeet +
                           "\tds_load_u16_d16 v6, v2\n"
                           "\ts_waitcnt lgkmcnt(0)\n",
                    low = "\tv_and_b32 v5, 1, v6\n", half = "\tv_cvt_f32_f16_e32 v5, v6.l\n";
  EXPECT_EQ(refusalAhead(kZero + load + half + kOut, kOnes + load + half + kOut), "");
  EXPECT_EQ(refusalAhead(kZero + load + low + kOut, kZero + load + low + kOut), "");
  EXPECT_NE(refusalAhead(kZero + load + low + kOut, kOnes + load + low + kOut), "");
}

} // namespace
} // namespace rdna::test::aheadHalvesTest
