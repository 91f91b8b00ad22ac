//===- EmuModeTest.cpp - rounding, denormals, NaN and clamps by MODE ------===//
//
// Expected values are worked out by hand or by a reference that rounds with floor() in f64, where
// every value of these tests is exact.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include "Support/Random.h"

#include <cfenv>
#include <cmath>

namespace emuModeTest {

using namespace rdna::test;

namespace {

// FP_ROUND: 0 to nearest even, 1 up, 2 down, 3 toward zero.
enum Round : unsigned { Nearest, Up, Down, Zero };
const Round allRounds[] = {Nearest, Up, Down, Zero};
const std::string noIeee = "\t.amdhsa_ieee_mode 0\n";
const std::string keepHalfFinite = "\t.amdhsa_fp16_overflow 1\n";
constexpr uint32_t minus = 0x80000000u;

std::string roundDirectives(Round single, Round other) {
  return keepDenormals + "\t.amdhsa_float_round_mode_32 " + std::to_string(single) +
         "\n\t.amdhsa_float_round_mode_16_64 " + std::to_string(other) + "\n";
}

/// x, exact in f64, as f16 bits.
uint32_t half(double x, Round round = Nearest) {
  uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x))
    return 0x7e00;
  double a = std::fabs(x);
  if (std::isinf(a))
    return sign | 0x7c00;
  int e = a == 0 ? -14 : std::max(std::ilogb(a), -14);
  double ulp = std::ldexp(1.0, e - 10), below = std::floor(a / ulp), rest = a / ulp - below;
  bool away = round == Up     ? rest > 0 && !sign
              : round == Down ? rest > 0 && sign
              : round == Zero ? false
                              : rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) == 1);
  double r = (below + (away ? 1 : 0)) * ulp;
  bool toInfinity = round == Nearest || (round == Up && !sign) || (round == Down && sign);
  if (r > 65504)
    return sign | (toInfinity ? 0x7c00 : 0x7bff);
  if (r < 0x1p-14)
    return sign | uint32_t(r * 0x1p24);
  e = std::ilogb(r);
  return sign | uint32_t(e + 15) << 10 | (uint32_t(std::ldexp(r, 10 - e)) & 0x3ff);
}
double fromHalf(uint32_t h) {
  int e = int(h >> 10 & 31);
  double m = h & 0x3ff, a = e == 0 ? m * 0x1p-24 : std::ldexp(m + 1024, e - 25);
  a = e == 31 ? (h & 0x3ff ? NAN : INFINITY) : a;
  return h & 0x8000 ? -a : a;
}

TEST(EmuMode, HalvesRoundAsTheOtherFieldSays) {
  for (Round round : allRounds) {
    std::vector<LaneCase> convert, multiply, add, fma;
    for (uint32_t x : {0x00000000u, 0x80000000u, 0x477fe000u, 0x477fefffu, 0x477ff000u, 0x47800000u,
                       0x7f7fffffu, 0x7f800000u, 0x33000000u, 0x33000001u, 0x32ffffffu, 0x33800000u,
                       0x33c00000u, 0x00000001u, 0x387fc000u, 0x387fffffu, 0x38800000u, 0x3f801000u,
                       0x3f803000u, 0x3f800fffu, 0x3f801001u})
      for (uint32_t sign : {0u, minus})
        convert.push_back({{x ^ sign, 0, 0}, half(std::bit_cast<float>(x ^ sign), round)});
    rdna::Random random(5);
    for (unsigned n = 0; n < 400; ++n) {
      auto bits = uint32_t(random.next());
      float x = std::bit_cast<float>((bits & 0x81ffffffu) | 0x3a000000u);
      convert.push_back({{f32(x), 0, 0}, half(x, round)});
      // Exponents near 0, so that every exact result fits into an f64.
      auto h = [&] { return (uint32_t(random.next()) & 0x97ffu) | 0x2800u; };
      uint32_t a = h(), b = h(), c = h();
      double fa = fromHalf(a), fb = fromHalf(b), fc = fromHalf(c);
      multiply.push_back({{a, b, 0}, half(fa * fb, round)});
      // An exact zero is +0, but -0 when rounding down.
      if (fa + fb != 0)
        add.push_back({{a, b, 0}, half(fa + fb, round)});
      if (fa * fb + fc != 0)
        fma.push_back({{a, b, c}, half(fa * fb + fc, round)});
    }
    add.push_back({{0x3c00, 0xbc00, 0}, round == Down ? 0x8000u : 0u});
    const std::string mask = "\n\tv_and_b32 v100, 0xffff, v100";
    // The single field must not matter.
    for (Round other : {Nearest, Down}) {
      std::string mode = roundDirectives(other, round);
      expectLanes("v_cvt_f16_f32 v100.l, v1" + mask, convert, mode);
      expectLanes("v_mul_f16 v100.l, v1.l, v2.l" + mask, multiply, mode);
      expectLanes("v_add_f16 v100.l, v1.l, v2.l" + mask, add, mode);
      expectLanes("v_fma_f16 v100.l, v1.l, v2.l, v3.l" + mask, fma, mode);
      expectLanes("v_pk_mul_f16 v100, v1, v2" + mask, multiply, mode);
      expectLanes("v_pk_fma_f16 v100, v1, v2, v3" + mask, fma, mode);
    }
  }
}

TEST(EmuMode, SinglesAndDoublesHaveTheirOwnField) {
  // 1 + 2^-30 as f64; V_CVT_F32_F64 follows the field of doubles.
  const std::string wide = "v_cvt_f64_f32 v[20:21], v2\n\tv_add_f64 v[20:21], v[20:21], 1.0\n\t";
  std::vector<uint32_t> in = {0, f32(0x1p-30f)};
  expectLanes(wide + "v_cvt_f32_f64 v100, v[20:21]", {{in, f32(1) + 1}}, roundDirectives(Down, Up));
  expectLanes(wide + "v_cvt_f32_f64 v100, v[20:21]", {{in, f32(1)}}, roundDirectives(Up, Down));
  expectLanes("v_add_f32 v100, 1.0, v2", {{in, f32(1) + 1}}, roundDirectives(Up, Down));
  expectLanes("v_cvt_f32_i32 v100, v1", {{{16777217}, 0x4b800001u}}, roundDirectives(Up, Down));
  expectLanes("v_cvt_f32_u32 v100, v1", {{{0xffffffffu}, 0x4f7fffffu}}, roundDirectives(Zero, Up));
  // The rounding of a conversion to integer is fixed.
  expectLanes("v_cvt_i32_f32 v100, v1", {{{f32(1.5f)}, 1}, {{f32(-1.5f)}, uint32_t(-1)}},
              roundDirectives(Up, Up));
  expectLanes("v_cvt_pk_rtz_f16_f32 v100, v1, v2", {{{f32(1e6f), f32(-1.9999f)}, 0xbfff7bffu}},
              roundDirectives(Up, Up));
  // Approximations are not rounded by MODE.
  expectLanes("v_rcp_f32 v100, v1", {{{f32(3)}, 0x3eaaaaabu}}, roundDirectives(Down, Down));
  expectLanes("v_exp_f32 v100, v1", {{{f32(0.5f)}, 0x3fb504f3u}}, roundDirectives(Up, Up));
}

TEST(EmuMode, MixedFmaRoundsToSingleAndThenToHalf) {
  // 1 + 2^-11 + 2^-30 to f32: nearest drops the last term, up does not. Then to f16.
  const std::string fma = "v_mov_b32 v100, 0\n\tv_fma_mixlo_f16 v100, v1, 1.0, v2";
  std::vector<uint32_t> in = {f32(1 + 0x1p-11f), f32(0x1p-30f)};
  expectLanes(fma, {{in, 0x3c00}}, roundDirectives(Nearest, Nearest)); // A tie, to even.
  expectLanes(fma, {{in, 0x3c01}}, roundDirectives(Up, Nearest));
  expectLanes(fma, {{in, 0x3c01}}, roundDirectives(Nearest, Up));
  expectLanes(fma, {{in, 0x3c00}}, roundDirectives(Up, Zero));
  expectLanes("v_fma_mixlo_f16 v100, v1, 1.0, 0\n\tv_and_b32 v100, 0xffff, v100",
              {{{f32(70000)}, 0x7bff}, {{f32(-70000)}, 0xfc00}, {{f32(65519.9f)}, 0x7bff}},
              roundDirectives(Nearest, Down));
  expectLanes("v_fma_mixlo_f16 v100, v1, 1.0, 0\n\tv_and_b32 v100, 0xffff, v100",
              {{{f32(65520)}, 0x7c00}, {{f32(65519.9f)}, 0x7bff}, {{quietNan}, 0x7e00}},
              roundDirectives(Down, Nearest));
}

TEST(EmuMode, DenormalHalves) {
  const std::string flush = "\t.amdhsa_float_denorm_mode_16_64 0\n";
  expectLanes("v_pk_add_f16 v100, v1, v2", {{{0x3c000001u, 0x00008000u}, 0x3c000000u}}, flush);
  expectLanes("v_pk_mul_f16 v100, v1, v2", {{{0x84000400u, 0x38003800u}, 0x80000000u}}, flush);
  expectLanes("v_pk_mul_f16 v100, v1, v2", {{{0x84000400u, 0x38003800u}, 0x82000200u}});
  // Outputs alone: inputs are kept, so the smallest denormal times 2^14 is a number.
  expectLanes("v_mul_f16 v100.l, v1.l, v2.l\n\tv_and_b32 v100, 0xffff, v100",
              {{{0x0001, 0x7400}, 0x1400}, {{0x0001, 0x3c00}, 0}},
              "\t.amdhsa_float_denorm_mode_16_64 1\n");
  expectLanes("v_mul_f16 v100.l, v1.l, v2.l\n\tv_and_b32 v100, 0xffff, v100",
              {{{0x0001, 0x7400}, 0}, {{0x0400, 0x3800}, 0x0200}},
              "\t.amdhsa_float_denorm_mode_16_64 2\n");
  expectLanes("v_cvt_pk_rtz_f16_f32 v100, v1, v2", {{{f32(0x1p-20f), f32(1)}, 0x3c000000u}}, flush);
  // The f32 sums of V_DOT2_F32_F16 flush in every mode, the halves do not.
  expectLanes("v_dot2_f32_f16 v100, v1, v2, v3",
              {{{0, 0, 1}, 0}, {{0x0001, 0x0001, 0}, f32(0x1p-48f)}});
}

TEST(EmuMode, Fp16OverflowKeepsTrueInfinities) {
  const std::string low = "\n\tv_and_b32 v100, 0xffff, v100";
  const std::string mode = keepDenormals + keepHalfFinite;
  expectLanes("v_mul_f16 v100.l, v1.l, v2.l" + low,
              {{{0x7bff, 0x4000}, 0x7bff},
               {{0x7bff, 0xc000}, 0xfbff},
               {{0x7c00, 0x4000}, 0x7c00},
               {{0x3c00, 0x4000}, 0x4000}},
              mode);
  expectLanes("v_rcp_f16 v100.l, v1.l" + low, {{{0x0000}, 0x7c00}, {{0x8001}, 0xfbff}}, mode);
  expectLanes("v_exp_f16 v100.l, v1.l" + low, {{{0x5c00}, 0x7bff}, {{0x7c00}, 0x7c00}}, mode);
  expectLanes("v_cvt_f16_f32 v100.l, v1" + low,
              {{{f32(1e30f)}, 0x7bff}, {{infinity}, 0x7c00}, {{quietNan}, 0x7e00}}, mode);
  expectLanes(
      "v_pk_add_f16 v100, v1, v2",
      {{{0xfbff7bffu, 0xfbff7bffu}, 0xfbff7bffu}, {{0x7c007bffu, 0x3c003c00u}, 0x7c007bffu}}, mode);
  expectLanes("v_fma_mixlo_f16 v100, v1, v2, 0" + low,
              {{{f32(70000), f32(2)}, 0x7bff}, {{infinity, f32(2)}, 0x7c00}}, mode);
  // Written at run time: MODE bit 23.
  expectLanes("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n\t"
              "v_mul_f16 v100.l, v1.l, v2.l" +
                  low,
              {{{0x7bff, 0x4000}, 0x7bff}});
  expectLanes("v_mul_f16 v100.l, v1.l, v2.l" + low, {{{0x7bff, 0x4000}, 0x7c00}});
}

TEST(EmuMode, ClampLeavesNanWithoutDx10Clamp) {
  const std::string mode = keepDenormals + "\t.amdhsa_dx10_clamp 0\n";
  std::vector<LaneCase> cases = {{{quietNan, f32(5)}, quietNan}, {{f32(3), f32(5)}, f32(1)}};
  expectLanes("v_mul_f32_e64 v100, v1, v2 clamp", cases, mode);
  cases[0].expected = 0;
  expectLanes("v_mul_f32_e64 v100, v1, v2 clamp", cases);
  expectLanes("v_pk_mul_f16 v100, v1, v2 clamp", {{{0x7e004200u, 0x3c004200u}, 0x7e003c00u}}, mode);
}

TEST(EmuMode, OutputModifiersNeedFlushedDenormalsAndNoIeee) {
  const std::string flush = "\t.amdhsa_float_denorm_mode_32 0\n";
  const std::string scaled = "v_mul_f32_e64 v100, v1, v2 mul:4";
  std::vector<LaneCase> plain = {{{f32(3), f32(5)}, f32(15)}},
                        times4 = {{{f32(3), f32(5)}, f32(60)}};
  expectLanes(scaled, plain, keepDenormals + noIeee);
  expectLanes(scaled, plain, flush);
  expectLanes(scaled, times4, flush + noIeee);
  expectLanes("v_mul_f32_e64 v100, v1, v2 mul:2", {{{f32(3), f32(5)}, f32(30)}}, flush + noIeee);
  expectLanes("v_mul_f32_e64 v100, v1, v2 div:2",
              {{{f32(3), f32(5)}, f32(7.5f)}, {{minus, f32(1)}, 0}}, flush + noIeee);
  expectLanes("v_add_f16_e64 v100.l, v1.l, v2.l mul:2\n\tv_and_b32 v100, 0xffff, v100",
              {{{0x3c00, 0x3c00}, 0x4400}}, "\t.amdhsa_float_denorm_mode_16_64 0\n" + noIeee);
}

TEST(EmuMode, MinimumKeepsThePayload) {
  constexpr uint32_t nan1 = 0x7fc00123u, nan2 = 0xffc00456u, signalling = 0xff800789u;
  expectLanes("v_min_f32 v100, v1, v2", {{{nan1, nan2}, nan1},
                                         {{nan1, signalling}, signalling | 0x400000u},
                                         {{signalling, nan1}, signalling | 0x400000u}});
  expectLanes("v_min_f32 v100, v1, v2",
              {{{nan1, signalling}, nan1}, {{signalling, nan1}, signalling}},
              keepDenormals + noIeee);
  expectLanes("v_max_f16 v100.l, v1.l, v2.l\n\tv_and_b32 v100, 0xffff, v100",
              {{{0x7e12, 0x7d34}, 0x7f34},
               {{0x8000, 0x0000}, 0x0000},
               {{0xbc00, 0x8000}, 0x8000},
               {{0x7e12, 0x3c00}, 0x3c00}});
  expectLanes("v_med3_f32 v100, v1, v2, v3", {{{f32(2), nan1, f32(1)}, f32(1)},
                                              {{minus, 0, f32(1)}, 0},
                                              {{f32(-1), minus, f32(-2)}, f32(-1)}});
  expectLanes(
      "v_frexp_mant_f32 v100, v1",
      {{{signalling}, signalling | 0x400000u}, {{0xff800000u}, 0xff800000u}, {{1}, f32(0.5f)}});
}

TEST(EmuMode, TheHostsOwnEnvironmentDoesNotMatterAndSurvives) {
  auto program = rdna::emu::Program::create(kernelImage("\tv_add_f32 v1, 1.0, v0\n"
                                                        "\tv_rcp_f32 v1, v1\n\ts_endpgm\n"));
  ASSERT_TRUE(bool(program));
  rdna::emu::Launch launch;
  launch.block = {32, 1, 1};
  std::fesetround(FE_UPWARD);
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_DIVBYZERO);
  auto result = (*program)->run(launch);
  int flags = std::fetestexcept(FE_ALL_EXCEPT), round = std::fegetround();
  Snippet s;
  s.body = "\tv_add_f32 v100, v1, v2\n";
  s.inputs = {broadcast(f32(1)), broadcast(f32(0x1p-30f))};
  SnippetResult sum = run(s);
  std::fesetround(FE_TONEAREST);
  std::feclearexcept(FE_ALL_EXCEPT);
  EXPECT_TRUE(bool(result));
  EXPECT_EQ(flags, FE_DIVBYZERO);
  EXPECT_EQ(round, FE_UPWARD);
  EXPECT_EQ(sum[0][3], f32(1));
}

} // namespace

} // namespace emuModeTest
