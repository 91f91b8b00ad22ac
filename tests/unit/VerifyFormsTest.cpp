// What the proof takes an instruction for: its operation and named operands, not its encoding, the
// places of its operands or its spelling.

#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::verifyFormsTest {
namespace {

using testing::HasSubstr;

/// One instruction between what makes its operands and what shows its results: v1 to v4, VCC, s12.
std::string around(std::string_view text) {
  return fmt::format("\tv_mov_b32_e32 v5, v0\n\t{}\n"
                     "\tv_cndmask_b32_e64 v9, v3, v4, vcc_lo\n"
                     "\tv_cndmask_b32_e64 v10, v3, v4, s12\n"
                     "\tglobal_store_b32 v5, v1, s[8:9]\n"
                     "\tglobal_store_b32 v5, v9, s[8:9] offset:4\n"
                     "\tglobal_store_b32 v5, v10, s[8:9] offset:8\n",
                     text);
}

bool isSame(std::string_view before, std::string_view after) {
  return refusalOfBodies(around(before), around(after)).empty();
}

TEST(VerifyForms, ShortAndLongEncodingAreOneOperation) {
  const std::pair<const char *, const char *> same[] = {
      {"v_add_f32_e32 v1, v2, v3", "v_add_f32_e64 v1, v2, v3"},
      {"v_ldexp_f16_e32 v1.l, v2.l, v3.l", "v_ldexp_f16_e64 v1.l, v2.l, v3.l"},
      {"v_rcp_f32_e32 v1, v2", "v_rcp_f32_e64 v1, v2"},
      {"v_cvt_f32_i32_e32 v1, v2", "v_cvt_f32_i32_e64 v1, v2"},
      {"v_add_co_ci_u32_e32 v1, vcc_lo, v2, v3, vcc_lo",
       "v_add_co_ci_u32_e64 v1, vcc_lo, v2, v3, vcc_lo"},
      {"v_cmp_lt_f32_e32 vcc_lo, v2, v3", "v_cmp_lt_f32_e64 vcc_lo, v2, v3"},
      {"v_cmp_lt_i32_e32 vcc_lo, 3, v3", "v_cmp_lt_i32_e64 vcc_lo, 3, v3"},
      {"v_cmp_class_f32_e32 vcc_lo, v2, v3", "v_cmp_class_f32_e64 vcc_lo, v2, v3"},
      {"v_cndmask_b32_e32 v1, v2, v3, vcc_lo", "v_cndmask_b32_e64 v1, v2, v3, vcc_lo"},
      {"v_fmac_f32_e32 v1, v2, v3", "v_fmac_f32_e64 v1, v2, v3"},
      {"v_fmac_f16_e32 v1.l, v2.l, v3.l", "v_fmac_f16_e64 v1.l, v2.l, v3.l"},
      {"v_add_f32_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf",
       "v_add_f32_e64_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf"}};
  for (const auto &[before, after] : same) {
    EXPECT_EQ(refusalOfBodies(around(before), around(after)), "") << before;
    EXPECT_EQ(refusalOfBodies(around(after), around(before)), "") << before;
  }
}

TEST(VerifyForms, WhatOnlyTheLongEncodingSaysCounts) {
  const std::pair<const char *, const char *> different[] = {
      {"v_add_f32_e32 v1, v2, v3", "v_add_f32_e64 v1, -v2, v3"},
      {"v_add_f32_e32 v1, v2, v3", "v_add_f32_e64 v1, v2, |v3|"},
      {"v_add_f32_e32 v1, v2, v3", "v_add_f32_e64 v1, v2, v3 clamp"},
      {"v_add_f32_e32 v1, v2, v3", "v_add_f32_e64 v1, v2, v3 mul:2"},
      {"v_add_f32_e64 v1, v2, v3 clamp", "v_add_f32_e64 v1, v2, v3 mul:2"},
      {"v_ldexp_f16_e32 v1.l, v2.l, v3.l", "v_ldexp_f16_e64 v1.l, v2.l, v3.l clamp"},
      {"v_cvt_f32_i32_e32 v1, v2", "v_cvt_f32_i32_e64 v1, v2 div:2"},
      {"v_cvt_f32_i32_e32 v1, v2",
       "v_cvt_f32_i32_dpp v1, v2 quad_perm:[0,0,0,0] row_mask:0x0 bank_mask:0x0"},
      {"v_cmp_lt_f32_e32 vcc_lo, v2, v3", "v_cmp_lt_f32_e64 s12, v2, v3"},
      {"v_cmp_lt_f32_e32 vcc_lo, v2, v3", "v_cmp_lt_f32_e64 vcc_lo, v2, -v3"},
      {"v_cmp_class_f32_e32 vcc_lo, v2, v3", "v_cmp_class_f32_e64 s12, v2, v3"},
      {"v_cndmask_b32_e32 v1, v2, v3, vcc_lo", "v_cndmask_b32_e64 v1, v2, v3, s12"},
      {"v_cndmask_b32_e32 v1, v2, v3, vcc_lo", "v_cndmask_b32_e64 v1, -v2, v3, vcc_lo"},
      {"v_add_co_ci_u32_e32 v1, vcc_lo, v2, v3, vcc_lo",
       "v_add_co_ci_u32_e64 v1, s12, v2, v3, vcc_lo"},
      {"v_fmac_f32_e32 v1, v2, v3", "v_fmac_f32_e64 v1, v2, v3 clamp"},
      {"v_fmac_f32_e64 v1, v2, v3 clamp", "v_fmac_f32_e64 v1, v2, v3 mul:2"},
      {"v_fmac_f16_e32 v1.l, v2.l, v3.l", "v_fmac_f16_e64 v1.l, v2.l, -v3.l"}};
  for (const auto &[before, after] : different) {
    EXPECT_FALSE(isSame(before, after)) << before << " | " << after;
    EXPECT_FALSE(isSame(after, before)) << after << " | " << before;
  }
}

TEST(VerifyForms, AddressingFormsDiffer) {
  const char *forms[] = {"buffer_load_b32 v1, off, s[4:7], s12",
                         "buffer_load_b32 v1, v2, s[4:7], s12 offen",
                         "buffer_load_b32 v1, v2, s[4:7], s12 idxen",
                         "buffer_load_b32 v1, v2, s[4:7], s12 idxen glc",
                         "buffer_load_b32 v1, v2, s[4:7], s12 idxen slc",
                         "buffer_load_b32 v1, v2, s[4:7], s12 idxen offset:1",
                         "buffer_load_b32 v1, v2, s[4:7], s12 offen offset:1",
                         "tbuffer_load_format_x v1, v2, s[4:7], s12 format:22 idxen",
                         "tbuffer_load_format_x v1, v2, s[4:7], s12 format:23 idxen",
                         "tbuffer_load_format_x v1, v2, s[4:7], s12 format:22 offen"};
  const auto body = [](std::string_view text) {
    return fmt::format("\t{}\n\ts_waitcnt vmcnt(0)\n\tglobal_store_b32 v5, v1, s[8:9]\n", text);
  };
  for (const char *before : forms)
    for (const char *after : forms)
      EXPECT_EQ(refusalOfBodies(body(before), body(after)).empty(), before == after)
          << before << " | " << after;
}

/// A polled scalar load synchronises whatever form its address has: loads behind it stay there.
TEST(VerifyForms, CachePolicyOfAScalarLoadWithAnSgprOffset) {
  const auto body = [](std::string_view load, std::string_view order) {
    return fmt::format("\t{}\n{}\tv_add_f32_e32 v1, s10, v1\n\tglobal_store_b32 v5, v1, s[8:9]\n",
                       load, order);
  };
  const char *first = "\ts_waitcnt lgkmcnt(0)\n\tglobal_load_b32 v1, v0, s[6:7]\n"
                      "\ts_waitcnt vmcnt(0)\n";
  const char *moved = "\tglobal_load_b32 v1, v0, s[6:7]\n\ts_waitcnt lgkmcnt(0)\n"
                      "\ts_waitcnt vmcnt(0)\n";
  for (const char *load : {"s_load_b32 s10, s[4:5], s2 glc", "s_load_b32 s10, s[4:5], 0x0 glc",
                           "s_load_b32 s10, s[4:5], s2 offset:0x4 dlc"})
    EXPECT_NE(refusalOfBodies(body(load, first), body(load, moved)), "") << load;
  EXPECT_EQ(refusalOfBodies(body("s_load_b32 s10, s[4:5], s2", first),
                            body("s_load_b32 s10, s[4:5], s2", moved)),
            "");
  // The bits themselves.
  EXPECT_NE(refusalOfBodies(body("s_load_b32 s10, s[4:5], s2", first),
                            body("s_load_b32 s10, s[4:5], s2 glc", first)),
            "");
}

/// A lane exchange that reads lanes which are switched off depends on what those hold.
TEST(VerifyForms, InactiveLanesAreReadHoweverThatIsSpelt) {
  const auto body = [](std::string_view exchange, std::string_view mask) {
    return fmt::format("\tv_mov_b32_e32 v2, v0\n\ts_mov_b32 s3, exec_lo\n"
                       "\tv_cmp_gt_u32_e32 vcc_lo, 3, v0\n\ts_and_b32 exec_lo, exec_lo, vcc_lo\n"
                       "{}\t{}\n\tglobal_store_b32 v5, v1, s[8:9]\n",
                       mask, exchange);
  };
  // The second version changes v2 in the lanes that are switched off only.
  const char *other = "\ts_mov_b32 exec_lo, s3\n\ts_andn2_b32 exec_lo, exec_lo, vcc_lo\n"
                      "\tv_mov_b32_e32 v2, 1.0\n\ts_and_b32 exec_lo, s3, vcc_lo\n";
  for (const char *exchange : {"v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf fi:0x1",
                               "v_mov_b32_dpp v1, v2 row_shr:1 row_mask: 0xf bank_mask:0xf fi: 1",
                               "v_mov_b32_dpp v1, v2 dpp8:[1,0,3,2,5,4,7,6] fi:1",
                               "v_permlane16_b32 v1, v2, s10, s11 op_sel:[1,0]"})
    EXPECT_NE(refusalOfBodies(body(exchange, ""), body(exchange, other)), "") << exchange;
}

TEST(VerifyForms, SpellingIsNoDifference) {
  const std::pair<const char *, const char *> same[] = {
      {"v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0x3 bank_mask:0xf fi:1",
       "v_mov_b32_dpp v1, v2 row_shr:1 row_mask: 3 bank_mask:15 fi: 0x1"},
      {"v_permlane16_b32 v1, v2, s10, s11 op_sel:[1,0]",
       "v_permlane16_b32 v1,v2,s10,s11 op_sel: [1, 0]"}};
  for (const auto &[before, after] : same)
    EXPECT_EQ(refusalOfBodies(around(before), around(after)), "") << after;
}

TEST(VerifyForms, InstructionsOfMacrosAreTheSameInstructions) {
  const auto text = [](std::string_view inst) {
    return fmt::format(".macro exchange\n\t{}\n.endm\n{}", inst,
                       kernelText("\tv_mov_b32_e32 v2, v0\n\texchange\n"
                                  "\tglobal_store_b32 v5, v1, s[8:9]\n\ts_nop 0\n"));
  };
  // Not opaque because of the macro: the nop may go.
  for (const char *inst : {"v_add_f32_e64 v1, 0x12345678, v2", "s_mov_b32 s5, null",
                           "v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf"}) {
    const auto before = parseText(text(inst));
    const auto after = parseText(replaced(text(inst), "\ts_nop 0\n", ""));
    EXPECT_EQ(refusal(*before, *after), "") << inst;
  }
}

} // namespace
} // namespace rdna::test::verifyFormsTest
