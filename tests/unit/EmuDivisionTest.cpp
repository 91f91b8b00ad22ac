//===- EmuDivisionTest.cpp - v_div_scale, v_div_fmas, v_div_fixup ---------===//
//
// AMD's text of these three is wrong in places, so they are judged by what they are for: the
// sequence that LLVM emits for a / b must give the correctly rounded quotient for all inputs.
//
//===----------------------------------------------------------------------===//
#include "EmuSnippet.h"

#include "Support/Random.h"

#include <cmath>

namespace emuDivisionTest {

using namespace rdna::test;

namespace {

// LLVM's expansion of an f32 division (clang -O3, denormals kept): v1 / v2 -> v100.
const std::string divide32 = R"(
  v_div_scale_f32 v20, null, v2, v2, v1
  v_rcp_f32 v21, v20
  v_fma_f32 v22, -v20, v21, 1.0
  v_fmac_f32 v21, v22, v21
  v_div_scale_f32 v23, vcc_lo, v1, v2, v1
  v_mul_f32 v22, v23, v21
  v_fma_f32 v24, -v20, v22, v23
  v_fmac_f32 v22, v24, v21
  v_fma_f32 v20, -v20, v22, v23
  v_div_fmas_f32 v20, v20, v21, v22
  v_div_fixup_f32 v100, v20, v2, v1)";

// v[1:2] / v[3:4] -> v[100:101].
const std::string divide64 = R"(
  v_div_scale_f64 v[20:21], null, v[3:4], v[3:4], v[1:2]
  v_rcp_f64 v[22:23], v[20:21]
  v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
  v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
  v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
  v_fma_f64 v[22:23], v[22:23], v[24:25], v[22:23]
  v_div_scale_f64 v[24:25], vcc_lo, v[1:2], v[3:4], v[1:2]
  v_mul_f64 v[26:27], v[24:25], v[22:23]
  v_fma_f64 v[20:21], -v[20:21], v[26:27], v[24:25]
  v_div_fmas_f64 v[20:21], v[20:21], v[22:23], v[26:27]
  v_div_fixup_f64 v[100:101], v[20:21], v[3:4], v[1:2])";

/// AMD's text of DIV_FIXUP: a NaN operand comes back quiet, the dividend's first; 0/0 and inf/inf
/// give the negative default NaN.
uint32_t quotient(uint32_t a, uint32_t b) {
  float fa = std::bit_cast<float>(a), fb = std::bit_cast<float>(b), q = fa / fb;
  if (!std::isnan(q))
    return f32(q);
  return std::isnan(fa) ? a | 0x400000u : std::isnan(fb) ? b | 0x400000u : 0xffc00000u;
}
uint64_t quotient(uint64_t a, uint64_t b) {
  double fa = std::bit_cast<double>(a), fb = std::bit_cast<double>(b), q = fa / fb;
  constexpr uint64_t quiet = 0x0008000000000000u;
  if (!std::isnan(q))
    return std::bit_cast<uint64_t>(q);
  return std::isnan(fa) ? a | quiet : std::isnan(fb) ? b | quiet : 0xfff8000000000000u;
}

TEST(EmuDivision, SinglesAreCorrectlyRounded) {
  const uint32_t corners[] = {0,
                              0x80000000u,
                              1,
                              0x007fffffu,
                              0x00800000u,
                              0x00ffffffu,
                              f32(1),
                              f32(-3),
                              f32(0x1p-100f),
                              f32(0x1p100f),
                              0x7f7fffffu,
                              0x7f000001u,
                              infinity,
                              0xff800000u,
                              quietNan,
                              0x7e800000u,
                              0x00000fffu,
                              f32(1.5e-38f),
                              f32(0x1p-31f),
                              0x7effffffu};
  std::vector<LaneCase> cases;
  for (uint32_t a : corners)
    for (uint32_t b : corners)
      cases.push_back({{a, b}, quotient(a, b)});
  rdna::Random random(11);
  for (unsigned n = 0; n < 4096; ++n) {
    auto a = uint32_t(random.next()), b = uint32_t(random.next());
    if (n % 4 == 1) // Quotients around the smallest normal number.
      b = (b & 0x807fffffu) | (((a >> 23 & 0xff) | 0x80) << 23 & 0x7f800000u);
    if (n % 4 == 2) // Denormal operands.
      a &= 0x807fffffu;
    cases.push_back({{a, b}, quotient(a, b)});
  }
  expectLanes(divide32, cases);
}

TEST(EmuDivision, DoublesAreCorrectlyRounded) {
  rdna::Random random(12);
  for (unsigned n = 0; n < 64; ++n) {
    Snippet s;
    s.body = divide64;
    s.outputs = 2;
    s.inputs.resize(4);
    Row lo, hi;
    for (unsigned l = 0; l < 32; ++l) {
      uint64_t a = random.next(), b = random.next();
      if (n % 4 == 1)
        a &= 0x800fffffffffffffu;
      if (n % 4 == 2)
        b = (b & 0x800fffffffffffffu) | uint64_t(2045 - n) << 52;
      uint64_t expected = quotient(a, b);
      lo[l] = uint32_t(expected);
      hi[l] = uint32_t(expected >> 32);
      s.inputs[0][l] = uint32_t(a);
      s.inputs[1][l] = uint32_t(a >> 32);
      s.inputs[2][l] = uint32_t(b);
      s.inputs[3][l] = uint32_t(b >> 32);
    }
    SnippetResult r = run(s);
    EXPECT_EQ(r[0], lo) << n;
    EXPECT_EQ(r[1], hi) << n;
  }
}

TEST(EmuDivision, FlushedDenormalsStayConsistent) {
  // LLVM switches f32 denormals on around the FMAs of a flushing kernel.
  std::string body = divide32;
  body.insert(body.find("  v_fma_f32"), "  s_denorm_mode 3\n");
  body.insert(body.find("  v_div_fmas"), "  s_denorm_mode 0\n");
  expectLanes(body, {{{f32(6), f32(3)}, f32(2)}, {{f32(1), f32(3)}, f32(1.0f / 3)}},
              "\t.amdhsa_float_denorm_mode_32 0\n");
}

} // namespace

} // namespace emuDivisionTest
