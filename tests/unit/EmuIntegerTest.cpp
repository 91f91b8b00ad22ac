//===- EmuIntegerTest.cpp - integer vector and scalar instructions --------===//
#include "EmuSnippet.h"

namespace emuIntegerTest {

using namespace rdna::test;

namespace {

TEST(EmuInteger, AddSubtractAndCarry) {
  expectLanes("v_add_nc_u32 v100, v1, v2", {{{0xffffffffu, 2}, 1}});
  expectLanes("v_add_nc_u32_e64 v100, v1, v2 clamp", {{{0xffffffffu, 2}, 0xffffffffu}});
  expectLanes("v_sub_nc_u32_e64 v100, v1, v2 clamp", {{{1, 2}, 0}, {{5, 2}, 3}});
  expectLanes("v_add_nc_i32 v100, v1, v2 clamp",
              {{{0x7fffffffu, 1}, 0x7fffffffu}, {{0x80000000u, 0xffffffffu}, 0x80000000u}});
  expectLanes("v_subrev_nc_u32 v100, v1, v2", {{{2, 5}, 3}});
  // 64-bit addition in two steps.
  const std::string add64 = "v_add_co_u32 v20, vcc_lo, v1, v3\n"
                            "\tv_add_co_ci_u32 v100, vcc_lo, v2, v4, vcc_lo";
  expectLanes(add64, {{{0xffffffffu, 1, 1, 2}, 4}, {{1, 1, 1, 2}, 3}});
  const std::string sub64 = "v_sub_co_u32 v20, s10, v1, v3\n"
                            "\tv_sub_co_ci_u32_e64 v100, s11, v2, v4, s10";
  expectLanes(sub64, {{{0, 5, 1, 2}, 2}, {{1, 5, 1, 2}, 3}});
  // The carry of an all-ones subtrahend with borrow in.
  expectLanes("s_mov_b32 vcc_lo, -1\n\tv_sub_co_ci_u32 v20, vcc_lo, v1, v2, vcc_lo\n"
              "\tv_cndmask_b32 v100, 0, 1, vcc_lo",
              {{{0, 0xffffffffu}, 1}, {{0, 0}, 1}, {{1, 0}, 0}});
}

TEST(EmuInteger, MultiplyAdd) {
  expectLanes("v_mad_u64_u32 v[20:21], null, v1, v2, v[3:4]\n\tv_mov_b32 v100, v21",
              {{{0xffffffffu, 0xffffffffu, 0xffffffffu, 0}, 0xffffffffu}});
  expectLanes("v_mad_u64_u32 v[20:21], s10, v1, v2, v[3:4]\n\tv_cndmask_b32 v100, 0, 1, s10",
              {{{0xffffffffu, 0xffffffffu, 0, 2}, 1}, {{2, 3, 4, 0}, 0}});
  expectLanes("v_mad_i64_i32 v[20:21], null, v1, v2, v[3:4]\n\tv_mov_b32 v100, v21",
              {{{0xffffffffu, 5, 0, 0}, 0xffffffffu}});
  expectLanes("v_mul_lo_u32 v100, v1, v2", {{{0x10001u, 0x10001u}, 0x20001u}});
  expectLanes("v_mul_hi_u32 v100, v1, v2", {{{0x80000000u, 6}, 3}});
  expectLanes("v_mul_hi_i32 v100, v1, v2", {{{0x80000000u, 6}, 0xfffffffdu}});
  expectLanes("v_mul_u32_u24 v100, v1, v2", {{{0xff000002u, 0xff000003u}, 6}});
  expectLanes("v_mul_i32_i24 v100, v1, v2", {{{0x00ffffffu, 3}, 0xfffffffdu}});
  expectLanes("v_mad_u32_u24 v100, v1, v2, v3", {{{0xff000002u, 3, 4}, 10}});
}

TEST(EmuInteger, ShiftsUseFiveBits) {
  expectLanes("v_lshlrev_b32 v100, v1, v2", {{{33, 1}, 2}, {{31, 1}, 0x80000000u}, {{32, 7}, 7}});
  expectLanes("v_lshrrev_b32 v100, v1, v2", {{{36, 0x100}, 0x10}});
  expectLanes("v_ashrrev_i32 v100, v1, v2", {{{63, 0x80000000u}, 0xffffffffu}});
  expectLanes("v_lshlrev_b64 v[20:21], v1, v[2:3]\n\tv_mov_b32 v100, v21",
              {{{36, 1, 0}, 16}, {{65, 0x80000000u, 0}, 1}});
  expectLanes("v_ashrrev_i64 v[20:21], 40, v[1:2]\n\tv_mov_b32 v100, v20",
              {{{0, 0x80000000u}, 0xff800000u}});
  expectLanes("v_lshlrev_b16 v100.l, v1.l, v2.l\n\tv_and_b32 v100, 0xffff, v100",
              {{{17, 0x8001}, 2}});
}

TEST(EmuInteger, FieldsAndBytes) {
  expectLanes("v_bfe_u32 v100, v1, 8, 4", {{{0x12345678u}, 6}});
  expectLanes("v_bfe_u32 v100, v1, v2, v3",
              {{{0xffffffffu, 0, 32}, 0}, {{0xffffffffu, 31, 31}, 1}});
  expectLanes("v_bfe_i32 v100, v1, 4, 4", {{{0x80}, 0xfffffff8u}, {{0x70}, 7}});
  expectLanes("v_bfi_b32 v100, v1, v2, v3",
              {{{0xffff0000u, 0x12345678u, 0xabcdef01u}, 0x1234ef01u}});
  expectLanes("v_bfm_b32 v100, v1, v2", {{{4, 8}, 0xf00}});
  expectLanes("v_alignbit_b32 v100, v1, v2, 8", {{{0x11223344u, 0x55667788u}, 0x44556677u}});
  expectLanes("v_alignbyte_b32 v100, v1, v2, 3", {{{0x11223344u, 0x55667788u}, 0x22334455u}});
  expectLanes("v_perm_b32 v100, v1, v2, v3",
              {{{0x11223344u, 0x85667788u, 0x07000c0du}, 0x118800ffu},
               {{0x11223344u, 0x85667788u, 0x0908040cu}, 0xff004400u | 0x00000000u}});
  expectLanes("v_bfrev_b32 v100, v1", {{{0x00000001u}, 0x80000000u}, {{0x12345678u}, 0x1e6a2c48u}});
  expectLanes("v_clz_i32_u32 v100, v1", {{{0}, 0xffffffffu}, {{1}, 31}});
  expectLanes("v_ctz_i32_b32 v100, v1", {{{0}, 0xffffffffu}, {{0x100}, 8}});
  expectLanes("v_cls_i32 v100, v1", {{{0xffffffffu}, 0xffffffffu}, {{0xfffffff0u}, 28}, {{1}, 31}});
  expectLanes("v_sad_u8 v100, v1, v2, v3", {{{0x01020304u, 0x04030201u, 100}, 108}});
  expectLanes("v_lerp_u8 v100, v1, v2, v3",
              {{{0xff00ff02u, 0xff010003u, 0x01010000u}, 0xff017f02u}});
}

TEST(EmuInteger, TwoOperationsInOne) {
  expectLanes("v_add3_u32 v100, v1, v2, v3", {{{1, 2, 3}, 6}});
  expectLanes("v_lshl_add_u32 v100, v1, 4, v2", {{{3, 5}, 53}});
  expectLanes("v_add_lshl_u32 v100, v1, v2, 2", {{{3, 5}, 32}});
  expectLanes("v_lshl_or_b32 v100, v1, 8, v2", {{{3, 5}, 0x305}});
  expectLanes("v_and_or_b32 v100, v1, v2, v3", {{{0xf0, 0x3c, 1}, 0x31}});
  expectLanes("v_xad_u32 v100, v1, v2, v3", {{{6, 5, 10}, 13}});
  expectLanes("v_med3_i32 v100, v1, v2, v3", {{{5, uint32_t(-7), 2}, 2}, {{1, 1, 9}, 1}});
  expectLanes("v_max3_u32 v100, v1, v2, v3", {{{5, 0xfffffff9u, 2}, 0xfffffff9u}});
  expectLanes("v_mbcnt_lo_u32_b32 v100, -1, v1", {{{7}, 7}, {{7}, 8}, {{7}, 9}});
}

TEST(EmuInteger, SixteenBits) {
  expectLanes("v_mov_b32 v100, 0xabcd0000\n\tv_add_nc_u16 v100.l, v1.h, v2.l",
              {{{0x00050000u, 0xffffffffu}, 0xabcd0004u}});
  expectLanes("v_pk_add_u16 v100, v1, v2", {{{0xffff0001u, 0x00020002u}, 0x00010003u}});
  expectLanes("v_pk_add_u16 v100, v1, v2 clamp", {{{0xffff0001u, 0x00020002u}, 0xffff0003u}});
  expectLanes("v_pk_mul_lo_u16 v100, v1, v2", {{{0x00030004u, 0x00050006u}, 0x000f0018u}});
  expectLanes("v_pk_lshlrev_b16 v100, 4, v1 op_sel_hi:[0,1]", {{{0x00030004u}, 0x00300040u}});
  expectLanes("v_cvt_pk_i16_i32 v100, v1, v2", {{{70000, uint32_t(-70000)}, 0x80007fffu}});
  expectLanes("v_dot4_i32_iu8 v100, v1, v2, v3 neg_lo:[1,0,0]",
              {{{0xff000002u, 0x02000003u, 10}, 14}}); // -1 * 2 + 2 * 3 + 10
  expectLanes("v_dot4_u32_u8 v100, v1, v2, v3", {{{0xff000002u, 0x02000003u, 10}, 526}});
}

TEST(EmuInteger, ComparesAndMasksUnderPartialExec) {
  Snippet s;
  s.inputs = {byLane([](uint32_t l) { return l; })};
  s.outputs = 4;
  // Inactive lanes: compares write 0 bits, results keep the old value.
  s.body = R"(
    v_mov_b32 v100, 7
    s_mov_b32 exec_lo, 0x0000ffff
    v_cmp_gt_u32 vcc_lo, 24, v1
    v_mov_b32 v100, v1
    v_cmpx_lt_u32 3, v1
    s_mov_b32 s10, exec_lo
    s_mov_b32 s11, vcc_lo
    s_mov_b32 exec_lo, -1
    v_mov_b32 v101, s10
    v_mov_b32 v102, s11
    v_cndmask_b32 v103, 5, 6, s10)";
  SnippetResult r = run(s);
  EXPECT_EQ(r[0], byLane([](uint32_t l) { return l < 16 ? l : 7; }));
  EXPECT_EQ(r[1][0], 0x0000fff0u);
  EXPECT_EQ(r[2][0], 0x0000ffffu);
  EXPECT_EQ(r[3], byLane([](uint32_t l) { return l > 3 && l < 16 ? 6 : 5; }));
}

/// Runs scalar code and returns s20, s21, ... by way of v100, v101, ...
Row scalars(const std::string &body, unsigned count) {
  Snippet s;
  s.body = body + "\n";
  s.outputs = count;
  for (unsigned k = 0; k < count; ++k)
    s.body += "\tv_mov_b32 v" + std::to_string(100 + k) + ", s" + std::to_string(20 + k) + "\n";
  SnippetResult r = run(s);
  Row values{};
  for (unsigned k = 0; k < count; ++k)
    values[k] = r[k][9];
  return values;
}

TEST(EmuInteger, ScalarArithmetic) {
  Row r = scalars(R"(
    s_mov_b32 s10, -1
    s_add_u32 s20, s10, 2
    s_addc_u32 s21, 0, 5
    s_sub_u32 s22, 3, 4
    s_subb_u32 s23, 9, 4
    s_mul_i32 s24, s10, 7
    s_mul_hi_u32 s25, s10, 16
    s_lshl3_add_u32 s26, 5, 2
    s_absdiff_i32 s27, 3, 10
    s_min_i32 s28, s10, 4
    s_cselect_b32 s29, 11, 22
    s_max_u32 s30, 4, 4
    s_cselect_b32 s31, 11, 22)",
                  12);
  const uint32_t expected[] = {1,  6, 0xffffffffu, 4,  0xfffffff9u, 15,
                               42, 7, 0xffffffffu, 11, 4,           11};
  for (unsigned k = 0; k < 12; ++k)
    EXPECT_EQ(r[k], expected[k]) << k;
}

TEST(EmuInteger, ScalarFieldsAndShifts) {
  Row r = scalars(R"(
    s_mov_b32 s10, 0x12345678
    s_bfe_u32 s20, s10, 0x80008
    s_bfe_i32 s21, s10, 0x40004
    s_bfe_u32 s22, s10, 0x400000
    s_bfm_b32 s23, 4, 8
    s_pack_lh_b32_b16 s24, s10, 0xabcd0000
    s_sext_i32_i8 s25, 0x80
    s_ashr_i32 s26, 0x80000000, 36
    s_brev_b32 s27, 1
    s_ctz_i32_b64 s28, 0
    s_mov_b64 s[12:13], 0x80000000
    s_lshl_b64 s[30:31], s[12:13], 4
    s_bcnt1_i32_b64 s29, s[12:13]
    s_mov_b64 s[32:33], -2
    s_bitreplicate_b64_b32 s[34:35], 5
    s_mov_b64 s[36:37], 1.0
    s_quadmask_b32 s38, 0x00f00010)",
                  19);
  const uint32_t expected[] = {0x56,        7,           0x12345678u, 0xf00,       0xabcd5678u,
                               0xffffff80u, 0xf8000000u, 0x80000000u, 0xffffffffu, 1,
                               0,           8,           0xfffffffeu, 0xffffffffu, 0x33,
                               0,           0,           0x3ff00000u, 0x22};
  for (unsigned k = 0; k < 19; ++k)
    EXPECT_EQ(r[k], expected[k]) << k;
}

TEST(EmuInteger, ScalarImmediatesAndConditionalMoves) {
  Row r = scalars(R"(
    s_movk_i32 s20, -5
    s_addk_i32 s20, 3
    s_movk_i32 s21, 100
    s_mulk_i32 s21, -2
    s_movk_i32 s22, 1
    s_cmpk_eq_u32 s22, 0xffff
    s_cmovk_i32 s22, 9
    s_movk_i32 s23, -1
    s_cmpk_gt_i32 s22, 0
    s_cmov_b32 s23, s22
    s_movk_i32 s24, 0
    s_bitset1_b32 s24, 37
    s_mov_b32 s25, null
    s_mov_b32 null, 55
    s_mov_b32 s26, null
    s_mov_b32 s10, 0xf0
    s_mov_b32 s11, exec_lo
    s_and_saveexec_b32 s27, s10
    s_mov_b32 s28, exec_lo
    s_mov_b32 exec_lo, s11
    s_mov_b64 s[30:31], null
    s_mov_b32 m0, 2
    s_mov_b32 s14, 77
    s_movrels_b32 s29, s12)",
                  12);
  const uint32_t expected[] = {uint32_t(-2), uint32_t(-200), 1,  1, 32, 0, 0,
                               0xffffffffu,  0xf0,           77, 0, 0};
  for (unsigned k = 0; k < 12; ++k)
    EXPECT_EQ(r[k], expected[k]) << k;
}

} // namespace

} // namespace emuIntegerTest
