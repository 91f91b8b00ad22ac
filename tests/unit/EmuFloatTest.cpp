//===- EmuFloatTest.cpp - f32, f64 and f16 arithmetic of the emulator -----===//
//
// Expected values are written down by hand or computed by the host's C library, never by the
// emulator's own functions.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include "Support/Random.h"

#include <cmath>

namespace emuFloatTest {

using namespace rdna::test;

namespace {

constexpr uint32_t signalling = 0x7f800001u, negativeNan = 0xffc12345u;
constexpr uint32_t smallest = 1, largestDenormal = 0x007fffffu, smallestNormal = 0x00800000u;
constexpr uint32_t minusZero = 0x80000000u;
const std::string flushMode = "\t.amdhsa_float_denorm_mode_32 0\n";

TEST(EmuFloat, AddRoundsOnceAndGivesTheOneNan) {
  expectLanes("v_add_f32 v100, v1, v2", {{{f32(1), f32(2)}, f32(3)},
                                         {{infinity, 0xff800000u}, quietNan},
                                         {{signalling, f32(1)}, quietNan},
                                         {{f32(1), negativeNan}, quietNan},
                                         {{minusZero, minusZero}, minusZero},
                                         {{minusZero, 0}, 0},
                                         {{f32(1), minusZero | f32(1)}, 0},
                                         {{smallest, smallest}, 2},
                                         {{f32(0x1p24f), f32(1)}, f32(0x1p24f)},
                                         {{0x7f7fffffu, 0x7f7fffffu}, infinity}});
}

TEST(EmuFloat, DenormalModeOfTheDescriptorIsHonoured) {
  expectLanes("v_add_f32 v100, v1, v2",
              {{{smallest, smallest}, 0},
               {{minusZero | smallest, minusZero}, minusZero},
               {{smallestNormal, minusZero | largestDenormal}, smallestNormal},
               {{f32(1), f32(2)}, f32(3)}},
              flushMode);
  // The output alone: 2^-126 * 0.5 has normal inputs and a denormal result.
  expectLanes("v_mul_f32 v100, v1, v2", {{{smallestNormal, f32(0.5f)}, 0}}, flushMode);
  expectLanes("v_mul_f32 v100, v1, v2", {{{smallestNormal, f32(0.5f)}, 0x00400000u}});
  // Moves and integer operations do not flush.
  expectLanes("v_mov_b32 v100, v1", {{{smallest}, smallest}}, flushMode);
}

TEST(EmuFloat, DenormModeInstructionSwitches) {
  Snippet s;
  s.body = "\tv_add_f32 v100, v1, v1\n\ts_denorm_mode 15\n\tv_add_f32 v101, v1, v1\n";
  s.inputs = {broadcast(smallest)};
  s.outputs = 2;
  s.directives = flushMode;
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][5], 0u);
  EXPECT_EQ(r[1][5], 2u);
}

TEST(EmuFloat, RoundModeInstructionSwitches) {
  Snippet s;
  s.body = "\tv_add_f32 v100, v1, v2\n\ts_round_mode 1\n\tv_add_f32 v101, v1, v2\n"
           "\ts_round_mode 2\n\tv_add_f32 v102, v1, v2\n\ts_round_mode 3\n"
           "\tv_sub_f32 v103, v1, v2\n\ts_round_mode 0\n\tv_sub_f32 v104, v1, v2\n";
  s.inputs = {broadcast(f32(1)), broadcast(f32(0x1p-30f))};
  s.outputs = 5;
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][0], f32(1));
  EXPECT_EQ(r[1][0], f32(1) + 1); // Up.
  EXPECT_EQ(r[2][0], f32(1));     // Down.
  EXPECT_EQ(r[3][0], f32(1) - 1); // To zero, just below 1.
  EXPECT_EQ(r[4][0], f32(1));
}

TEST(EmuFloat, FmaRoundsOnce) {
  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46: the last term survives only without intermediate rounding.
  uint32_t x = f32(1) + 1;
  expectLanes("v_fma_f32 v100, v1, v2, v3", {{{x, x, f32(-(1 + 0x1p-22f))}, f32(0x1p-46f)},
                                             {{infinity, 0, f32(1)}, quietNan},
                                             {{infinity, f32(1), 0xff800000u}, quietNan},
                                             {{minusZero, f32(1), minusZero}, minusZero},
                                             {{minusZero, f32(1), 0}, 0}});
  rdna::Random random(7);
  std::vector<LaneCase> cases;
  for (unsigned n = 0; n < 512; ++n) {
    auto a = uint32_t(random.next()), b = uint32_t(random.next()), c = uint32_t(random.next());
    float fa = std::bit_cast<float>(a), fb = std::bit_cast<float>(b), fc = std::bit_cast<float>(c);
    if (!std::isfinite(fa) || !std::isfinite(fb) || !std::isfinite(fc))
      continue;
    cases.push_back({{a, b, c}, f32(std::fma(fa, fb, fc))});
  }
  expectLanes("v_fma_f32 v100, v1, v2, v3", cases);
}

TEST(EmuFloat, MinimumAndMaximum) {
  std::vector<LaneCase> minimum = {
      {{f32(1), f32(2)}, f32(1)},           {{0, minusZero}, minusZero},
      {{minusZero, 0}, minusZero},          {{quietNan, f32(2)}, f32(2)},
      {{f32(2), quietNan}, f32(2)},         {{quietNan, negativeNan}, quietNan},
      {{signalling, f32(2)}, quietNan | 1}, {{f32(2), signalling}, quietNan | 1},
      {{infinity, f32(3)}, f32(3)}};
  expectLanes("v_min_f32 v100, v1, v2", minimum);
  std::vector<LaneCase> maximum = {{{f32(1), f32(2)}, f32(2)},
                                   {{0, minusZero}, 0},
                                   {{minusZero, 0}, 0},
                                   {{quietNan, f32(2)}, f32(2)},
                                   {{f32(2), signalling}, quietNan | 1}};
  expectLanes("v_max_f32 v100, v1, v2", maximum);
  // Without IEEE mode a signalling NaN loses like any other.
  expectLanes("v_min_f32 v100, v1, v2", {{{signalling, f32(2)}, f32(2)}},
              "\t.amdhsa_ieee_mode 0\n");
  expectLanes("v_med3_f32 v100, v1, v2, v3", {{{f32(3), f32(1), f32(2)}, f32(2)},
                                              {{f32(1), f32(1), f32(5)}, f32(1)},
                                              {{quietNan, f32(5), f32(2)}, f32(2)}});
  expectLanes("v_minmax_f32 v100, v1, v2, v3", {{{f32(3), f32(1), f32(2)}, f32(2)}});
  expectLanes("v_maxmin_f32 v100, v1, v2, v3", {{{f32(3), f32(1), f32(2)}, f32(2)}});
}

TEST(EmuFloat, SourceAndResultModifiers) {
  expectLanes("v_add_f32_e64 v100, -v1, |v2|", {{{f32(1), f32(-3)}, f32(2)}});
  expectLanes("v_add_f32_e64 v100, -|v1|, v2", {{{f32(-1), f32(3)}, f32(2)}});
  expectLanes("v_mul_f32_e64 v100, v1, v2 clamp", {{{f32(3), f32(5)}, f32(1)},
                                                   {{f32(-3), f32(5)}, 0},
                                                   {{f32(0.5f), f32(0.5f)}, f32(0.25f)},
                                                   {{quietNan, f32(5)}, 0}});
  expectLanes("v_mul_f32 v100, 0.15915494, v1", {{{f32(1)}, 0x3e22f983u}});
  expectLanes("v_mul_f32 v100, -4.0, v1", {{{f32(2)}, f32(-8)}});
  expectLanes("v_mul_f32 v100, 0x40490fdb, v1", {{{f32(1)}, 0x40490fdbu}});
}

TEST(EmuFloat, LiteralFmaForms) {
  expectLanes("v_fmaak_f32 v100, v1, v2, 0x41200000", {{{f32(2), f32(3)}, f32(16)}});
  expectLanes("v_fmamk_f32 v100, v1, 0x41200000, v2", {{{f32(2), f32(3)}, f32(23)}});
  expectLanes("v_mov_b32 v100, 1.0\n\tv_fmac_f32 v100, v1, v2", {{{f32(2), f32(3)}, f32(7)}});
  expectLanes("v_mul_dx9_zero_f32 v100, v1, v2",
              {{{0, infinity}, 0}, {{quietNan, minusZero}, 0}, {{f32(2), f32(3)}, f32(6)}});
}

TEST(EmuFloat, ConversionsSaturate) {
  expectLanes("v_cvt_i32_f32 v100, v1", {{{f32(-1.9f)}, uint32_t(-1)},
                                         {{f32(3e9f)}, 0x7fffffffu},
                                         {{f32(-3e9f)}, 0x80000000u},
                                         {{quietNan}, 0},
                                         {{f32(2147483520.0f)}, 2147483520u}});
  expectLanes("v_cvt_u32_f32 v100, v1", {{{f32(-1)}, 0},
                                         {{f32(4294967040.0f)}, 4294967040u},
                                         {{f32(5e9f)}, 0xffffffffu},
                                         {{quietNan}, 0}});
  expectLanes("v_cvt_f32_u32 v100, v1", {{{0xffffffffu}, f32(4294967296.0f)}});
  expectLanes("v_cvt_f32_i32 v100, v1", {{{0x80000000u}, f32(-2147483648.0f)}});
  expectLanes("v_cvt_nearest_i32_f32 v100, v1",
              {{{f32(2.5f)}, 3}, {{f32(-2.5f)}, uint32_t(-2)}, {{f32(0.49999997f)}, 0}});
  expectLanes("v_cvt_floor_i32_f32 v100, v1", {{{f32(-0.5f)}, uint32_t(-1)}});
  expectLanes("v_cvt_f32_ubyte2 v100, v1", {{{0x11ff2233u}, f32(255)}});
  expectLanes("v_cvt_off_f32_i4 v100, v1", {{{8}, f32(-0.5f)}, {{7}, f32(0.4375f)}});
}

TEST(EmuFloat, RoundingToIntegral) {
  expectLanes("v_rndne_f32 v100, v1", {{{f32(2.5f)}, f32(2)},
                                       {{f32(3.5f)}, f32(4)},
                                       {{f32(-0.5f)}, minusZero},
                                       {{f32(0.49999997f)}, 0}});
  expectLanes("v_fract_f32 v100, v1", {{{f32(1.25f)}, f32(0.25f)}, {{f32(-1e-9f)}, 0x3f7fffffu}});
  expectLanes("v_trunc_f32 v100, v1", {{{f32(-1.5f)}, f32(-1)}, {{f32(-0.5f)}, minusZero}});
  expectLanes("v_floor_f32 v100, v1", {{{f32(-1.5f)}, f32(-2)}});
  expectLanes("v_ceil_f32 v100, v1", {{{f32(-0.5f)}, minusZero}});
}

TEST(EmuFloat, SignificandAndExponent) {
  expectLanes("v_frexp_mant_f32 v100, v1",
              {{{f32(6)}, f32(0.75f)}, {{smallest}, f32(0.5f)}, {{0}, 0}, {{infinity}, infinity}});
  expectLanes("v_frexp_exp_i32_f32 v100, v1",
              {{{f32(6)}, 3}, {{smallest}, uint32_t(-148)}, {{0}, 0}, {{infinity}, 0}});
  expectLanes("v_ldexp_f32 v100, v1, v2", {{{f32(3), 2}, f32(12)},
                                           {{f32(1), uint32_t(-149)}, smallest},
                                           {{smallest, 149}, f32(1)},
                                           {{f32(1), 1000}, infinity},
                                           {{0x00c00001u, uint32_t(-1)}, 0x00600000u}});
}

TEST(EmuFloat, Transcendentals) {
  expectLanes("v_rcp_f32 v100, v1", {{{f32(4)}, f32(0.25f)},
                                     {{0}, infinity},
                                     {{minusZero}, 0xff800000u},
                                     {{smallest}, infinity},
                                     {{infinity}, 0}});
  expectLanes("v_rsq_f32 v100, v1", {{{f32(4)}, f32(0.5f)}, {{f32(-1)}, quietNan}});
  expectLanes("v_sqrt_f32 v100, v1", {{{f32(9)}, f32(3)}, {{minusZero}, minusZero}});
  expectLanes("v_exp_f32 v100, v1", {{{f32(3)}, f32(8)}, {{f32(-200)}, 0}, {{0}, f32(1)}});
  expectLanes("v_log_f32 v100, v1",
              {{{f32(8)}, f32(3)}, {{0}, 0xff800000u}, {{f32(-1)}, quietNan}});
  expectLanes("v_sin_f32 v100, v1", {{{f32(0.25f)}, f32(1)}, {{f32(100.25f)}, f32(1)}});
  expectLanes("v_cos_f32 v100, v1", {{{f32(0.5f)}, f32(-1)}, {{0}, f32(1)}});
}

TEST(EmuFloat, Class) {
  // Bits of the mask: sNaN, qNaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal, +inf.
  const uint32_t values[] = {signalling, quietNan, 0xff800000u, f32(-1),   minusZero | 1,
                             minusZero,  0,        smallest,    f32(2.5f), infinity};
  std::vector<LaneCase> cases;
  for (unsigned n = 0; n < 10; ++n)
    for (unsigned bit = 0; bit < 10; ++bit)
      cases.push_back({{values[n], 1u << bit}, n == bit ? 1u : 0u});
  expectLanes("v_cmp_class_f32 s10, v1, v2\n\tv_cndmask_b32 v100, 0, 1, s10", cases);
}

TEST(EmuFloat, ComparesWithNan) {
  std::vector<uint32_t> operands = {quietNan, f32(1)};
  for (const char *ordered : {"lt", "eq", "le", "gt", "lg", "ge", "o"})
    expectLanes(std::string("v_cmp_") + ordered +
                    "_f32 s10, v1, v2\n\tv_cndmask_b32 v100, 0, 1, s10",
                {{operands, 0}});
  for (const char *unordered : {"u", "nge", "nlg", "ngt", "nle", "neq", "nlt"})
    expectLanes(std::string("v_cmp_") + unordered +
                    "_f32 s10, v1, v2\n\tv_cndmask_b32 v100, 0, 1, s10",
                {{operands, 1}});
}

std::string wide(const std::string &instruction) {
  return instruction + "\n\tv_mov_b32 v100, v20\n\tv_mov_b32 v101, v21";
}

TEST(EmuFloat, Doubles) {
  auto check = [](const std::string &instruction, double a, double b, double c, double expected) {
    auto lo = [](double x) { return uint32_t(std::bit_cast<uint64_t>(x)); };
    auto hi = [](double x) { return uint32_t(std::bit_cast<uint64_t>(x) >> 32); };
    Snippet s;
    s.body = "\t" + wide(instruction);
    s.inputs = {broadcast(lo(a)), broadcast(hi(a)), broadcast(lo(b)),
                broadcast(hi(b)), broadcast(lo(c)), broadcast(hi(c))};
    s.outputs = 2;
    SnippetResult r = run(s);
    EXPECT_EQ(r[0][17], lo(expected)) << instruction;
    EXPECT_EQ(r[1][17], hi(expected)) << instruction;
  };
  check("v_add_f64 v[20:21], v[1:2], v[3:4]", 1.5, 2.25, 0, 3.75);
  check("v_mul_f64 v[20:21], v[1:2], -v[3:4]", 1.5, 2, 0, -3);
  check("v_fma_f64 v[20:21], v[1:2], v[3:4], v[5:6]", 1 + 0x1p-52, 1 + 0x1p-52, -1 - 0x1p-51,
        0x1p-104);
  check("v_add_f64 v[20:21], v[1:2], 4.0", 1.5, 0, 0, 5.5);
  check("v_add_f64 v[20:21], v[1:2], 0x40080000", 1.5, 0, 0, 4.5); // A literal is the high half.
  check("v_rcp_f64 v[20:21], v[1:2]", 4, 0, 0, 0.25);
  check("v_floor_f64 v[20:21], v[1:2]", -2.5, 0, 0, -3);
  check("v_ldexp_f64 v[20:21], v[1:2], 3", 1.5, 0, 0, 12);
  check("v_max_f64 v[20:21], v[1:2], v[3:4]", 1.5, NAN, 0, 1.5);
  check("v_cvt_f64_f32 v[20:21], v2", 0, 0, 0, 0);
  check("v_div_fixup_f64 v[20:21], v[1:2], v[3:4], v[5:6]", 3, -2, 6, -3);
}

TEST(EmuFloat, Halves) {
  // Low halves in, low half out; the high half of the destination is kept.
  expectLanes("v_mov_b32 v100, 0xabcd0000\n\tv_add_f16 v100.l, v1.l, v2.l",
              {{{0xffff3c00u, 0xffff4000u}, 0xabcd4200u}}); // 1 + 2 = 3
  expectLanes("v_mov_b32 v100, 0x0000abcd\n\tv_add_f16 v100.h, v1.h, v2.l",
              {{{0x3c00ffffu, 0xffff4000u}, 0x4200abcdu}});
  expectLanes("v_cvt_f16_f32 v100.l, v1\n\tv_and_b32 v100, 0xffff, v100",
              {{{f32(65519.9f)}, 0x7bff},
               {{f32(65520.0f)}, 0x7c00},
               {{f32(0x1p-24f)}, 1},
               {{f32(0x1p-25f)}, 0},
               {{f32(0x1.000002p-25f)}, 1},
               {{f32(0x1.8p-24f)}, 2},
               {{f32(1 + 0x1p-11f)}, 0x3c00},
               {{f32(1 + 0x1.8p-10f)}, 0x3c02},
               {{quietNan}, 0x7e00}});
  expectLanes("v_cvt_f32_f16 v100, v1.l", {{{0x0001}, f32(0x1p-24f)},
                                           {{0x83ff}, f32(-0x1.ff8p-15f)},
                                           {{0x7c00}, infinity},
                                           {{0x7c01}, quietNan}});
  expectLanes("v_cvt_pk_rtz_f16_f32 v100, v1, v2", {{{f32(1e6f), f32(-1.9999f)}, 0xbfff7bffu}});
  // 3 * 2^-14 + 2^-24 stays exact only with one rounding.
  expectLanes("v_fma_f16 v100.l, v1.l, v2.l, v3.l\n\tv_and_b32 v100, 0xffff, v100",
              {{{0x3c01, 0x3c01, 0xbc02}, 0x0010}}); // (1+2^-10)^2 - (1+2^-9) = 2^-20
}

TEST(EmuFloat, PackedHalves) {
  expectLanes("v_pk_add_f16 v100, v1, v2", {{{0x40003c00u, 0x3c004000u}, 0x42004200u}});
  // op_sel swaps what feeds the halves, neg applies per half.
  expectLanes("v_pk_mul_f16 v100, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]",
              {{{0x40003c00u, 0x44004200u}, 0x44004600u}}); // lo 2*3, hi 1*4
  expectLanes("v_pk_add_f16 v100, v1, v2 neg_lo:[1,0] neg_hi:[0,1]",
              {{{0x40003c00u, 0x3c004000u}, 0x3c003c00u}}); // lo -1+2, hi 2-1
  expectLanes("v_pk_fma_f16 v100, v1, v2, 1.0 op_sel_hi:[1,1,0]",
              {{{0x40003c00u, 0x40004000u}, 0x45004200u}}); // hi 2*2+1, lo 1*2+1
  expectLanes("v_fma_mix_f32 v100, v1, v2, v3 op_sel_hi:[1,0,0]",
              {{{0x00004000u, f32(3), f32(1)}, f32(7)}});
  expectLanes("v_mov_b32 v100, 0x1234\n\tv_fma_mixhi_f16 v100, v1, v2, v3",
              {{{f32(2), f32(3), f32(1)}, 0x47001234u}});
  expectLanes("v_dot2_f32_f16 v100, v1, v2, v3", {{{0x40003c00u, 0x42004400u, f32(1)}, f32(11)}});
}

} // namespace

} // namespace emuFloatTest
