// Interpreter and JIT agree where compiled code could take a short cut that does not hold:
// registers that an operand does not name, NaNs on their way through a block, EXEC written by a
// load, blocks of any size.

#include "ExpectSame.h"

#include <fmt/format.h>

namespace rdna::test::engineCornersTest {
namespace {

Snippet snippet(std::string body, unsigned outputs) {
  Snippet s;
  s.body = std::move(body);
  s.outputs = outputs;
  return s;
}

constexpr unsigned rampCount = 24;

/// v100 and following: lane * 4 + 1000 * n, enough of them for the JIT to change their order.
std::string ramps() {
  std::string t;
  for (unsigned n = 0; n < rampCount; ++n)
    t += fmt::format("\tv_add_nc_u32 v{}, {}, v255\n", 100 + n, 1000 * n);
  return t;
}

TEST(EngineCorners, RegistersRelativeToM0) {
  for (const char *instruction :
       {"v_movrels_b32 v100, v101", "v_movreld_b32 v100, v101", "v_movrelsd_b32 v100, v101",
        "v_movrelsd_2_b32 v100, v101", "v_swaprel_b32 v100, v101"})
    for (uint32_t m0 : {0x3u, 0x20004u, 0x50001u}) {
      SCOPED_TRACE(fmt::format("{}, m0 {:#x}", instruction, m0));
      expectSame(snippet(fmt::format("{}\ts_mov_b32 m0, {:#x}\n\t{}\n\tv_add_nc_u32 v103, v103, "
                                     "v104\n",
                                     ramps(), m0, instruction),
                         rampCount));
    }
}

/// inf - inf is a negative NaN on x86; nothing may let its bits through.
TEST(EngineCorners, NanOfTheHost) {
  for (const char *instruction :
       {"v_cubema_f32 v100, v20, v21, v21", "v_cubema_f32 v100, v21, v21, v20",
        "v_div_scale_f32 v100, vcc_lo, v20, v20, v22",
        "v_div_scale_f32 v100, vcc_lo, v20, v20, v21", "v_fract_f32 v100, v20",
        "v_mullit_f32 v100, v20, v21, v21", "v_mul_dx9_zero_f32 v100, v20, v21",
        "v_cvt_f16_f32 v100, v20", "v_ldexp_f32 v100, v20, 3", "v_sin_f32 v100, v20",
        "v_exp_f32 v100, v20", "v_fma_dx9_zero_f32 v100, v20, v21, v20",
        "v_frexp_mant_f32 v100, v20", "v_add_f32 v100, v20, v21", "v_max_f32 v100, v20, v20",
        "v_cvt_pk_norm_i16_f32 v100, v20, v21", "v_div_fixup_f32 v100, v20, v21, v20"}) {
    SCOPED_TRACE(instruction);
    Snippet s = snippet(fmt::format("\tv_mov_b32 v21, 1.0\n\tv_mov_b32 v22, 0x00800001\n"
                                    "\tv_sub_f32 v20, v1, v1\n\t{}\n",
                                    instruction),
                        1);
    s.inputs = {broadcast(infinity)};
    expectSame(s);
  }
  for (const char *instruction :
       {"v_div_scale_f64 v[100:101], vcc_lo, v[20:21], v[20:21], v[24:25]",
        "v_fract_f64 v[100:101], v[20:21]",
        "v_div_fmas_f64 v[100:101], v[20:21], v[24:25], v[20:21]",
        "v_ldexp_f64 v[100:101], v[20:21], 3", "v_cvt_f32_f64 v100, v[20:21]"}) {
    SCOPED_TRACE(instruction);
    Snippet s = snippet(fmt::format("\tv_mov_b32 v24, 1\n\tv_mov_b32 v25, 0x00100000\n"
                                    "\tv_mov_b32 v101, 0\n"
                                    "\tv_mul_f64 v[20:21], v[1:2], v[3:4]\n\t{}\n",
                                    instruction),
                        2);
    s.inputs = {broadcast(0), broadcast(0x7ff00000), broadcast(0), broadcast(0)}; // inf * 0
    expectSame(s);
  }
}

/// SMEM may name EXEC; no compiler does.
TEST(EngineCorners, ExecFromMemory) {
  Snippet s = snippet("\t.long 0xf4001f83, 0xf8000000\n" // s_load_b32 exec_lo, s[6:7], 0
                      "\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v100, 7\n\tv_mov_b32 v101, 8\n",
                      2);
  s.inputs = {broadcast(0x0ff00ff0)};
  s.body = "\tv_mov_b32 v100, 1\n\tv_mov_b32 v101, 2\n" + s.body;
  SnippetResult r = expectSame(s);
  EXPECT_EQ(r[0][3], 1u);
  EXPECT_EQ(r[0][4], 7u);
}

TEST(EngineCorners, TuplesPastTheLastRegister) {
  expectSame(snippet("\tv_mov_b32 v251, 64\n\tv_mov_b32 v252, 5\n\tv_mov_b32 v253, 6\n"
                     "\tds_store_2addr_b64 v251, v[252:253], v[252:253] offset0:0 offset1:1\n"
                     "\ts_waitcnt lgkmcnt(0)\n"
                     // ds_load_b128 v[254:257], v251 and v_lshlrev_b64 v[100:101], 1, v[255:256]:
                     "\tv_mov_b32 v254, v255\n\t.long 0xdbfc0000, 0xfe0000fb\n"
                     "\ts_waitcnt lgkmcnt(0)\n\t.long 0xd73c0064, 0x0003fe81\n"
                     "\tv_mov_b32 v102, v255\n\tv_mov_b32 v255, v254\n"
                     "\tv_and_b32 v255, 0x3ff, v0\n\tv_lshlrev_b32 v255, 2, v255\n",
                     3));
}

/// Lanes and results of LDS loads over each other, in range and out of it.
TEST(EngineCorners, LdsLoadsOverTheirAddress) {
  std::string fill = "\tds_store_b32 v255, v255\n\tds_store_b32 v255, v0 offset:128\n"
                     "\ts_waitcnt lgkmcnt(0)\n";
  for (const char *load :
       {"ds_load_b32 v100, v100", "ds_load_b64 v[100:101], v100", "ds_load_b64 v[100:101], v101",
        "ds_load_b128 v[100:103], v102", "ds_load_2addr_b32 v[100:101], v100 offset0:1 offset1:3",
        "ds_load_2addr_b32 v[100:101], v101 offset0:1 offset1:3",
        "ds_load_2addr_b64 v[100:103], v102 offset0:1 offset1:3",
        "ds_load_2addr_stride64_b32 v[100:101], v100 offset0:0 offset1:1"})
    for (uint32_t scale : {0u, 1u, 4u, 9u}) {
      SCOPED_TRACE(fmt::format("{}, lanes {} dwords apart", load, scale));
      Snippet s = snippet(fill, 5);
      for (unsigned v = 100; v < 105; ++v)
        s.body += fmt::format("\tv_mul_u32_u24 v{}, {}, v255\n", v, scale);
      s.body +=
          fmt::format("\t{}\n\ts_waitcnt lgkmcnt(0)\n\tv_add_nc_u32 v104, v100, v101\n", load);
      s.directives += "\t.amdhsa_group_segment_fixed_size 512\n";
      expectSame(s);
    }
}

/// A loop that is taken several iterations at a time, whose addresses leave LDS on the way.
TEST(EngineCorners, LoopThatLeavesLds) {
  for (unsigned iterations : {1u, 3u, 4u, 5u, 23u}) {
    SCOPED_TRACE(iterations);
    std::string body = "\tds_store_b32 v255, v255\n\ts_waitcnt lgkmcnt(0)\n\tv_mov_b32 v20, v255\n";
    for (unsigned n = 0; n < 24; ++n)
      body += fmt::format("\tv_mov_b32 v{}, {}\n", 100 + n, n);
    body += fmt::format("\ts_movk_i32 s20, {}\n.Lloop:\n\tds_load_b64 v[30:31], v20\n"
                        "\tds_load_2addr_b32 v[32:33], v20 offset0:7 offset1:2\n"
                        "\ts_waitcnt lgkmcnt(0)\n",
                        iterations);
    for (unsigned n = 0; n < 24; ++n)
      body += fmt::format("\tv_fmac_f32 v{}, v{}, v{}\n", 100 + n, 30 + n % 4, 30 + (n + 1) % 3);
    body += "\tv_add_nc_u32 v20, 12, v20\n\ts_sub_u32 s20, s20, 1\n\ts_cmp_lg_u32 s20, 0\n"
            "\ts_cbranch_scc1 .Lloop\n";
    Snippet s = snippet(body, 24);
    s.directives += "\t.amdhsa_group_segment_fixed_size 256\n";
    SnippetResult r = expectSame(s);
    EXPECT_EQ(r.run.loopsAtOnce, 1u);
    EXPECT_EQ(r.run.outOfBounds.empty(), iterations < 10);
  }
}

/// Such loops with LDS addresses of every kind: the same for all lanes, closer and wider than what
/// is loaded at once, on no boundary, lower in every iteration, with a scalar that moves, from
/// before the beginning of LDS; and results that the next iteration reads, or that only the last
/// iteration leaves.
TEST(EngineCorners, LoopsOverLds) {
  for (const char *address : {"v_mov_b32 v20, 64", "v_lshrrev_b32 v20, 1, v255",
                              "v_lshlrev_b32 v20, 2, v255", "v_add_nc_u32 v20, 1, v255",
                              "v_sub_nc_u32 v20, 124, v255", "v_subrev_nc_u32 v20, 64, v255"})
    for (const char *step :
         {"v_add_nc_u32 v20, 16, v20", "v_add_nc_u32 v20, -8, v20", "v_add_nc_u32 v20, s21, v20",
          "v_add_nc_u32 v21, v20, v20\n\tv_and_b32 v20, 0xfc, v21", "v_mov_b32 v20, v30",
          "v_mov_b32 v20, v24\n\tv_mov_b32 v24, v30"}) {
      SCOPED_TRACE(fmt::format("{}; {}", address, step));
      std::string body = "\tv_lshlrev_b32 v22, 4, v255\n\tv_add_nc_u32 v23, v255, v255\n";
      for (unsigned n = 0; n < 4; ++n)
        body += fmt::format("\tds_store_b32 v255, v23 offset:{}\n\tds_store_b32 v22, v255 "
                            "offset:{}\n\tv_add_nc_u32 v23, v23, v22\n",
                            128 * n, 8 + 4 * n);
      body += fmt::format("\ts_waitcnt lgkmcnt(0)\n\t{}\n\tv_mov_b32 v34, 3\n"
                          "\tv_mov_b32 v24, 12\n",
                          address);
      for (unsigned n = 0; n < 20; ++n)
        body += fmt::format("\tv_mov_b32 v{}, {}\n", 100 + n, n);
      body += "\ts_movk_i32 s20, 11\n\ts_movk_i32 s21, 4\n.Lloop:\n"
              "\tv_add_nc_u32 v119, v34, v119\n"
              "\tds_load_b128 v[30:33], v20 offset:64\n\tds_load_b96 v[34:36], v20\n"
              "\tds_load_2addr_stride64_b32 v[37:38], v20 offset1:1\n\ts_waitcnt lgkmcnt(0)\n";
      for (unsigned n = 0; n < 19; ++n)
        body += fmt::format("\tv_mad_u32_u24 v{}, v{}, v{}, v{}\n", 100 + n, 30 + n % 9,
                            30 + (n + 4) % 9, 100 + n);
      body += fmt::format("\tv_lshlrev_b32 v36, 3, v36\n\ts_add_u32 s21, s21, 4\n\t{}\n"
                          "\ts_sub_u32 s20, s20, 1\n\ts_cmp_lg_u32 s20, 0\n"
                          "\ts_cbranch_scc1 .Lloop\n"
                          "\tv_add_nc_u32 v118, v118, v36\n\tv_xor_b32 v117, v117, v38\n"
                          "\tv_xor_b32 v116, v116, v33\n",
                          step);
      Snippet s = snippet(body, 20);
      s.directives += "\t.amdhsa_group_segment_fixed_size 1024\n";
      expectSame(s);
    }
}

/// Straight code longer than any unit of compilation, whose loads need room beside the registers.
TEST(EngineCorners, BlockOfThousandsOfLoads) {
  std::string body = "\tds_store_b32 v255, v255\n\tv_mov_b32 v100, 0\n\ts_waitcnt lgkmcnt(0)\n";
  for (unsigned n = 0; n < 20000; ++n)
    body += fmt::format("\tds_load_b128 v[20:23], v24 offset:{}\n", 16 * (n % 4)) +
            (n % 16 == 0 ? "\tv_add_nc_u32 v100, v100, v21\n" : "");
  Snippet s = snippet("\tv_mov_b32 v24, 0\n" + body, 1);
  s.directives += "\t.amdhsa_group_segment_fixed_size 4096\n";
  expectSame(s);
}

/// Straight code of operations that have nothing to do with each other: they are ordered in less
/// than the time of LLVM's passes.
TEST(EngineCorners, BlockOfThousandsOfOperations) {
  std::string body = ramps();
  for (unsigned n = 0; n < 2900; ++n)
    body += fmt::format("\tv_mul_f32 v{}, v{}, v{}\n", 20 + n % 200, 20 + (n * 7 + 3) % 180,
                        20 + (n * 13 + 5) % 190);
  expectSame(snippet(body, rampCount));
}

/// VCC_HI, EXEC_HI, SCC, M0 and NULL as operands of scalar and vector instructions.
TEST(EngineCorners, UnusualScalarOperands) {
  expectSame(snippet("\ts_mov_b32 exec_hi, 0x1234\n\ts_mov_b32 vcc_hi, 77\n\ts_mov_b32 m0, 5\n"
                     "\ts_mov_b64 vcc, vcc\n\ts_add_u32 s20, exec_hi, vcc_hi\n"
                     "\ts_mov_b64 s[22:23], exec\n\ts_mov_b64 s[24:25], src_scc\n"
                     "\ts_add_u32 s26, -1, 2\n\ts_addc_u32 s27, src_scc, null\n"
                     "\ts_mov_b64 null, s[22:23]\n\ts_mov_b64 s[28:29], null\n"
                     "\tv_add_nc_u32 v100, src_scc, v255\n\tv_add_nc_u32 v101, m0, v255\n"
                     "\tv_add_nc_u32 v102, vcc_hi, v255\n\tv_add_nc_u32 v103, exec_hi, v255\n"
                     "\tv_mov_b32 v104, s20\n\tv_mov_b32 v105, s23\n\tv_mov_b32 v106, s27\n"
                     "\tv_cmp_lt_u32 vcc_hi, v255, v102\n\tv_mov_b32 v107, vcc_hi\n"
                     "\tv_add_co_u32 v108, null, v255, v255\n\tv_mov_b32 v109, s29\n"
                     "\tv_lshlrev_b64 v[110:111], 3, exec\n\tv_lshlrev_b64 v[112:113], 1, vcc\n",
                     14));
}

} // namespace
} // namespace rdna::test::engineCornersTest
