//===- EmuExactTest.cpp - approximations, division steps, saturating sums ---===//
//
// Expected values are worked out by hand, or come from the C library in a wider format than the
// emulator computes in.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include "Support/Random.h"

#include <cmath>

namespace emuExactTest {

using namespace rdna::test;

namespace {

constexpr uint32_t minus = 0x80000000u;
const std::string lowHalf = "\n\tv_and_b32 v100, 0xffff, v100";

/// One unsigned operand pair per row of two inputs: low and high dword.
void expectWide(const std::string &instruction, const std::vector<uint64_t> &operands,
                uint64_t expected, const std::string &directives = keepDenormals) {
  Snippet s;
  s.body = "\t" + instruction;
  s.directives = directives;
  s.outputs = 2;
  for (uint64_t x : operands) {
    s.inputs.push_back(broadcast(uint32_t(x)));
    s.inputs.push_back(broadcast(uint32_t(x >> 32)));
  }
  SnippetResult r = run(s);
  EXPECT_EQ(r[0][9] | uint64_t(r[1][9]) << 32, expected) << instruction;
}
uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }

long double revolutions(float x) { return 2 * acosl(-1.0L) * (x - roundl(x)); }

TEST(EmuExact, ApproximationsAreTheNearestSingle) {
  rdna::Random random(3);
  std::vector<LaneCase> exp2, log2, sine, cosine, root, reciprocal;
  for (unsigned n = 0; n < 640; ++n) {
    auto r = uint32_t(random.next());
    float x = std::bit_cast<float>((r & 0x87ffffffu) | 0x38000000u); // 2^-15 to 2, and negative.
    float positive = std::bit_cast<float>((r & 0x3fffffffu) | 0x20000000u);
    exp2.push_back({{f32(x * 30)}, f32(float(exp2l(x * 30)))});
    log2.push_back({{f32(positive)}, f32(float(log2l(positive)))});
    sine.push_back({{f32(x * 9)}, f32(float(sinl(revolutions(x * 9))))});
    cosine.push_back({{f32(x * 9)}, f32(float(cosl(revolutions(x * 9))))});
    root.push_back({{f32(positive)}, f32(float(sqrtl(positive)))});
    reciprocal.push_back({{f32(positive)}, f32(float(1 / (long double)(positive)))});
  }
  expectLanes("v_exp_f32 v100, v1", exp2);
  expectLanes("v_log_f32 v100, v1", log2);
  expectLanes("v_sin_f32 v100, v1", sine);
  expectLanes("v_cos_f32 v100, v1", cosine);
  expectLanes("v_sqrt_f32 v100, v1", root);
  expectLanes("v_rcp_f32 v100, v1", reciprocal);
}

TEST(EmuExact, ApproximationsAtTheirEdges) {
  // Quarter turns are exact, as LLVM folds them.
  expectLanes("v_sin_f32 v100, v1", {{{f32(0.5f)}, 0},
                                     {{f32(1)}, 0},
                                     {{f32(-0.25f)}, f32(-1)},
                                     {{f32(0.75f)}, f32(-1)},
                                     {{minus}, minus},
                                     {{f32(0x1p30f)}, 0},
                                     {{infinity}, quietNan}});
  expectLanes("v_cos_f32 v100, v1", {{{f32(0.25f)}, 0},
                                     {{f32(-0.5f)}, f32(-1)},
                                     {{f32(0x1p100f)}, f32(1)},
                                     {{minus | infinity}, quietNan}});
  expectLanes("v_exp_f32 v100, v1", {{{infinity}, infinity},
                                     {{minus | infinity}, 0},
                                     {{quietNan}, quietNan},
                                     {{f32(127)}, f32(0x1p127f)},
                                     {{f32(128)}, infinity},
                                     {{f32(-126)}, 0x00800000u},
                                     {{f32(-127)}, 0}, // Denormals are flushed in every mode.
                                     {{f32(1e30f)}, infinity}});
  expectLanes("v_log_f32 v100, v1", {{{infinity}, infinity},
                                     {{minus}, minus | infinity},
                                     {{1}, minus | infinity}, // Flushed to 0.
                                     {{0x00800000u}, f32(-126)},
                                     {{f32(1)}, 0},
                                     {{quietNan}, quietNan}});
  expectLanes("v_log_f16 v100.l, v1.l" + lowHalf, {{{0x0001}, 0xce00}, {{0x4800}, 0x4200}});
  expectLanes("v_exp_f16 v100.l, v1.l" + lowHalf, {{{0xcc00}, 0x0100}, {{0x4c00}, 0x7c00}});
  expectLanes("v_sin_f16 v100.l, v1.l" + lowHalf, {{{0x3400}, 0x3c00}, {{0x3800}, 0x0000}});
}

TEST(EmuExact, DivFixupKeepsPayloadsAndRoundsUnderflow) {
  constexpr uint32_t nanA = 0xffc00123u, nanB = 0x7f800456u;
  const std::string fixup = "v_div_fixup_f32 v100, v1, v2, v3"; // Quotient, denominator, numerator.
  expectLanes(fixup, {{{f32(5), nanA, nanB}, nanB | 0x400000u},
                      {{f32(5), nanA, f32(1)}, nanA},
                      {{f32(5), 0, 0}, 0xffc00000u},
                      {{f32(5), infinity, minus | infinity}, 0xffc00000u},
                      {{f32(5), minus, f32(1)}, minus | infinity},
                      {{f32(5), infinity, f32(-1)}, minus},
                      {{f32(-5), f32(2), f32(10)}, f32(5)},
                      {{quietNan, f32(2), f32(-10)}, minus | infinity},
                      {{f32(5), 0x7f000000u, 0x00800000u}, 0}});
  std::vector<LaneCase> tiny = {{{f32(5), 0x7f000000u, 0x00800000u}, 1},
                                {{f32(5), 0x7f000000u, minus | 0x00800000u}, minus}};
  expectLanes(fixup, tiny, keepDenormals + "\t.amdhsa_float_round_mode_32 1\n");
  expectLanes("v_div_fixup_f16 v100.l, v1.l, v2.l, v3.l" + lowHalf,
              {{{0x3c00, 0, 0}, 0xfe00}, {{0x3c00, 0x3c00, 0x7d01}, 0x7f01}});
}

TEST(EmuExact, DivFmasRoundsOnceWhenItScalesDown) {
  const std::string setVcc = "s_mov_b32 vcc_lo, -1\n\t";
  // 3 * 2^-947 scaled by 2^-128 is 1.5 units of the denormal grid: a tie, to even 2. The product,
  // 2^-1020 and far below the sum's last bit, says on which side of the tie it really is.
  uint64_t c = bits(3 * 0x1p-947), a = bits(0x1p-500), b = bits(0x1p-520);
  const std::string fmas = setVcc + "v_div_fmas_f64 v[100:101], v[1:2], v[3:4], v[5:6]";
  expectWide(fmas, {a, b, c}, 2);
  expectWide(fmas, {a, b | 1ull << 63, c}, 1);
  // 5 * 2^-947 scaled is 2.5 units: to even 2, with a bit more 3.
  expectWide(fmas, {a, b, bits(5 * 0x1p-947)}, 3);
  expectWide(fmas, {a, b | 1ull << 63, bits(5 * 0x1p-947)}, 2);
  expectWide(fmas, {0, b, bits(5 * 0x1p-947)}, 2);
  // Up and down see the lost bit too.
  expectWide(fmas, {a, b, bits(4 * 0x1p-947)}, 3,
             keepDenormals + "\t.amdhsa_float_round_mode_16_64 1\n");
  expectWide(fmas, {a, b | 1ull << 63, bits(4 * 0x1p-947)}, 1,
             keepDenormals + "\t.amdhsa_float_round_mode_16_64 2\n");
  // A large quotient is scaled up; without VCC nothing is.
  expectWide(fmas, {bits(1), bits(2), bits(0x1p500)}, bits(0x1p628));
  expectWide("s_mov_b32 vcc_lo, 0\n\tv_div_fmas_f64 v[100:101], v[1:2], v[3:4], v[5:6]",
             {bits(2), bits(3), bits(4)}, bits(10));
}

TEST(EmuExact, LdexpOfDoublesRoundsOnce) {
  auto ldexp = [](double x, int32_t e, double expected) {
    expectWide("v_ldexp_f64 v[100:101], v[1:2], v3", {bits(x), uint64_t(uint32_t(e))},
               bits(expected));
  };
  ldexp(1 + 0x1p-52, -1023, 0x1p-1023); // A tie of the 52-bit grid, to even.
  ldexp(1 + 0x1.8p-51, -1023, (1 + 0x1p-50) * 0x1p-1023);
  ldexp(0x1p-1074, 2097, 0x1p1023);
  ldexp(0x1p-1074, 2098, INFINITY);
  ldexp(0x1.8p1023, -2098, 0x1p-1074); // 0.75 units.
  ldexp(0x1p1023, -2098, 0);           // Half a unit, to even.
  ldexp(1.5, 0x7fffffff, INFINITY);
  ldexp(-1.5, int32_t(0x80000000u), -0.0);
}

TEST(EmuExact, ZeroTimesAnythingTheDx9Way) {
  // The addend comes back as it is: -0 stays, which 0 * x + -0 would not.
  expectLanes("v_fma_dx9_zero_f32 v100, v1, v2, v3", {{{0, infinity, minus}, minus},
                                                      {{quietNan, minus, f32(3)}, f32(3)},
                                                      {{f32(2), f32(3), f32(4)}, f32(10)}});
  expectLanes("v_mov_b32 v100, v3\n\tv_fmac_dx9_zero_f32 v100, v1, v2",
              {{{0, infinity, minus}, minus}, {{f32(2), f32(3), f32(4)}, f32(10)}});
  expectLanes("v_mullit_f32 v100, v1, v2, v3", {{{f32(2), f32(3), f32(1)}, f32(6)},
                                                {{f32(2), infinity, f32(1)}, infinity},
                                                {{f32(2), minus | infinity, f32(1)}, 0xff7fffffu},
                                                {{f32(2), f32(3), 0}, 0xff7fffffu},
                                                {{f32(2), quietNan, f32(1)}, 0xff7fffffu}});
}

TEST(EmuExact, SumsOfDifferencesSaturateWithClamp) {
  std::vector<uint32_t> big = {0xff000000u, 0, 0xffffff80u};
  expectLanes("v_sad_u8 v100, v1, v2, v3", {{big, 0x7f}});
  expectLanes("v_sad_u8 v100, v1, v2, v3 clamp", {{big, 0xffffffffu}, {{3, 1, 5}, 7}});
  expectLanes("v_sad_u16 v100, v1, v2, v3 clamp", {{big, 0xffffffffu}});
  expectLanes("v_sad_u32 v100, v1, v2, v3 clamp", {{big, 0xffffffffu}});
  expectLanes("v_sad_hi_u8 v100, v1, v2, v3 clamp", {{big, 0xffffffffu}, {{3, 1, 5}, 0x20005}});
  // A zero byte of the reference (S1) masks its difference.
  expectLanes("v_msad_u8 v100, v1, v2, v3", {{{0x05060708u, 0x01000002u, 10}, 10 + 4 + 6}});
  expectWide("v_qsad_pk_u16_u8 v[100:101], v[1:2], v3, v[5:6] clamp",
             {0x00000000000000ffu, 0, 0x000100010001ffffu}, 0x000100010001ffffu);
  expectWide("v_qsad_pk_u16_u8 v[100:101], v[1:2], v3, v[5:6]",
             {0x00000000000000ffu, 0, 0x000100010001ffffu}, 0x00010001000100feu);
  expectWide("v_mad_u64_u32 v[100:101], null, v1, v2, v[3:4] clamp", {0x0000000200000003u, ~0ull},
             ~0ull);
  expectWide("v_mad_i64_i32 v[100:101], null, v1, v2, v[3:4] clamp",
             {0x0000000200000003u, 0x7fffffffffffffffu}, 0x7fffffffffffffffu);
  expectLanes("v_mul_u32_u24 v100, v1, v2", {{{0xffffff, 0x1000}, 0xfffff000u}});
}

TEST(EmuExact, NegAndAbsOnWhatIsNoFloat) {
  // V_CNDMASK takes them as operations on the sign bit and never flushes.
  expectLanes("s_mov_b32 s10, 0x55555555\n\tv_cndmask_b32_e64 v100, -v1, |v2|, s10",
              {{{f32(1), f32(-2)}, f32(2)}, {{1, f32(-2)}, minus | 1}});
  expectLanes("s_mov_b32 s10, 0\n\tv_cndmask_b16 v100.l, -v1.l, |v2.l|, s10" + lowHalf,
              {{{0x0001, 0xbc00}, 0x8001}}, "\t.amdhsa_float_denorm_mode_16_64 0\n");
  // Packed bf16: 2 * 3 + -(1 * 4) + 1.
  expectLanes("v_dot2_f32_bf16 v100, v1, v2, v3", {{{0x3f804000u, 0x40804040u, f32(1)}, f32(11)}});
  expectLanes("v_dot2_f32_bf16 v100, v1, v2, v3 neg_hi:[1,0,0]",
              {{{0x3f804000u, 0x40804040u, f32(1)}, f32(3)}});
  // As LLVM writes the negation of all of a and of c: NEG_HI is no absolute value of an f32.
  expectLanes("v_dot2_f32_bf16 v100, v1, v2, v3 neg_lo:[1,0,1] neg_hi:[1,0,1]",
              {{{0x3f804000u, 0x40804040u, f32(1)}, f32(-11)},
               {{0x3f804000u, 0x40804040u, f32(-1)}, f32(-9)}});
  expectLanes("v_dot2_f16_f16 v100.l, -v1, v2, v3.l" + lowHalf,
              {{{0x3c004000u, 0x44004200u, 0x3c00}, 0xc880}}); // -(2 * 3) - (1 * 4) + 1
  expectLanes("v_dot2_bf16_bf16 v100.l, v1, v2, -v3.l" + lowHalf,
              {{{0x3f804000u, 0x40804040u, 0x3f80}, 0x4110}}); // 6 + 4 - 1
}

} // namespace

} // namespace emuExactTest
