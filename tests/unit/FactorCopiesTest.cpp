// Which factors get a second register, which one, and that the proof tells copies from wrong ones.

#include "Transform/FactorCopies.h"

#include "Asm/Lane.h"
#include "VerifySample.h"

#include <gmock/gmock.h>

namespace rdna::test::factorCopiesTest {
namespace {

using testing::HasSubstr;

/// The kernel's instructions with such registers; empty if none has.
std::string copied(const std::string &body, CopyRequest request) {
  const auto module = parseKernel(body);
  const Cfg cfg = buildCfg(*module, 0);
  std::vector<uint32_t> blocks;
  for (uint32_t b = 0; b < cfg.blocks.size(); ++b)
    blocks.push_back(b);
  request.blocks = blocks;
  const auto apart = copyFactors(*module, cfg, computeLiveness(*module, cfg), request);
  if (!apart)
    return "";
  EXPECT_EQ(refusal(*module, *apart->module), "");
  std::string text;
  for (const Instruction &inst : apart->module->instructions()) {
    const bool isOurs = asNegatedFmac(inst) || laneOps(inst).size() == 1;
    if (isOurs)
      (text += apart->module->text().substr(inst.begin, inst.end - inst.begin)) += '\n';
  }
  return text;
}

/// Three uses of a negated value wanted.
std::string separated(const std::string &body, unsigned budget = 24, unsigned parity = 0) {
  return copied(body, {{}, CopyOf::Negated, budget, 3, parity});
}

/// Four uses of a scaled one.
std::string scaledTwice(const std::string &body, unsigned budget = 24) {
  return copied(body, {{}, CopyOf::Scaled, budget, 4, 0});
}

/// Around FMAs of v1 to v8, all results stored.
std::string around(const std::string &fmas) {
  std::string body = "\ts_load_b64 s[8:9], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n"
                     "\tglobal_load_b128 v[1:4], v0, s[8:9]\n"
                     "\tglobal_load_b128 v[5:8], v0, s[8:9] offset:16\n\ts_waitcnt vmcnt(0)\n" +
                     fmas;
  for (unsigned v = 4; v <= 8; v += 4)
    body += fmt::format("\tglobal_store_b128 v0, v[{}:{}], s[8:9]\n", v - 3, v);
  return body;
}

constexpr const char *kThree = "\tv_fma_f32 v5, -v1, v2, v5\n"
                               "\tv_fma_f32 v6, v3, -v1, v6\n"
                               "\tv_fma_f32 v7, -v1, s2, v7\n";

/// In neither factor's bank.
TEST(FactorCopies, ARegisterThatHoldsNothing) {
  EXPECT_EQ(separated(around(kThree)), "v_add_nc_u32_e32 v12, 0x80000000, v1\n"
                                       "v_fmac_f32_e32 v5, v12, v2\n"
                                       "v_fmac_f32_e32 v6, v3, v12\n"
                                       "v_fma_f32 v7, v12, s2, v7\n");
}

TEST(FactorCopies, OneOfTheOtherParity) {
  EXPECT_THAT(separated(around(kThree), 24, 1), HasSubstr("v_add_nc_u32_e32 v9, 0x80000000, v1\n"));
  // If there is none, any will do.
  EXPECT_THAT(separated(around(kThree), 10, 0), HasSubstr("v_add_nc_u32_e32 v9, 0x80000000, v1\n"));
}

TEST(FactorCopies, ItsOwnRegisterIfNobodyElseReadsIt) {
  const std::string dead = around(std::string(kThree) + "\tv_mov_b32_e32 v1, 0\n");
  EXPECT_THAT(separated(dead), HasSubstr("v_add_nc_u32_e32 v1, 0x80000000, v1\n"));
  // Read as it is between two that negate it.
  const std::string read =
      around("\tv_fma_f32 v5, -v1, v2, v5\n\tv_add_f32_e32 v8, v1, v8\n"
             "\tv_fma_f32 v6, v3, -v1, v6\n\tv_fma_f32 v7, -v1, v2, v7\n\tv_mov_b32_e32 v1, 0\n");
  EXPECT_THAT(separated(read), HasSubstr("v_add_nc_u32_e32 v12, 0x80000000, v1\n"));
  // Read as it is by one of them.
  const std::string both = around("\tv_fma_f32 v5, -v1, v1, v5\n\tv_fma_f32 v6, v3, -v1, v6\n"
                                  "\tv_fma_f32 v7, -v1, v2, v7\n\tv_mov_b32_e32 v1, 0\n");
  EXPECT_THAT(separated(both), HasSubstr("v_add_nc_u32_e32 v12, 0x80000000, v1\n"));
}

TEST(FactorCopies, OneRegisterForTwoValuesAfterAnother) {
  const std::string text = separated(
      around(std::string(kThree) + "\tv_fma_f32 v5, -v2, v6, v5\n\tv_fma_f32 v8, -v2, v6, v8\n"
                                   "\tv_fma_f32 v7, -v2, v6, v7\n"));
  EXPECT_THAT(text, HasSubstr("v_add_nc_u32_e32 v12, 0x80000000, v1\n"));
  EXPECT_THAT(text, HasSubstr("v_add_nc_u32_e32 v12, 0x80000000, v2\n"));
}

TEST(FactorCopies, TwoRegistersForTwoValuesAtOnce) {
  const std::string text = separated(around(
      "\tv_fma_f32 v5, -v1, v6, v5\n\tv_fma_f32 v8, -v2, v6, v8\n\tv_fma_f32 v7, -v1, v6, v7\n"
      "\tv_fma_f32 v5, -v2, v6, v5\n\tv_fma_f32 v8, -v1, v6, v8\n\tv_fma_f32 v7, -v2, v6, v7\n"));
  EXPECT_THAT(text, HasSubstr("v_add_nc_u32_e32 v12, 0x80000000, v1\n"));
  EXPECT_THAT(text, HasSubstr("v_add_nc_u32_e32 v16, 0x80000000, v2\n"));
}

TEST(FactorCopies, NoneForFewUsesOfAValue) {
  EXPECT_EQ(separated(around("\tv_fma_f32 v5, -v1, v2, v5\n\tv_fma_f32 v6, v3, -v1, v6\n"
                             "\tv_mov_b32_e32 v1, v8\n\tv_fma_f32 v7, -v1, v2, v7\n")),
            "");
}

TEST(FactorCopies, NoneAcrossAChangeOfExec) {
  EXPECT_EQ(separated(around("\tv_fma_f32 v5, -v1, v2, v5\n\tv_fma_f32 v6, v3, -v1, v6\n"
                             "\ts_mov_b32 exec_lo, s3\n\tv_fma_f32 v7, -v1, v2, v7\n")),
            "");
}

TEST(FactorCopies, NoneWithoutARegister) { EXPECT_EQ(separated(around(kThree), 9), ""); }

TEST(FactorCopies, NoneForOtherModifiersAndAddends) {
  for (const char *other :
       {"v_fma_f32 v5, |v1|, v2, v5", "v_fma_f32 v5, -|v1|, v2, v5", "v_fma_f32 v5, -v1, -v2, v5",
        "v_fma_f32 v5, -v1, v2, v5 clamp", "v_fma_f32 v5, -v1, v2, v6",
        "v_fma_f32 v5, -v1, v2, -v5", "v_fma_f32 v5, v2, v1, -v5", "v_fma_f32 v5, -s1, v2, v5"}) {
    const auto module = parseKernel(std::string("\t") + other);
    EXPECT_FALSE(asNegatedFmac(module->instructions()[0])) << other;
  }
}

TEST(FactorCopies, TheProofTellsThemFromWrongOnes) {
  const std::string before = around(kThree);
  const std::string after = around("\tv_add_nc_u32_e32 v9, 0x80000000, v1\n"
                                   "\tv_fmac_f32_e32 v5, v9, v2\n"
                                   "\tv_fmac_f32_e32 v6, v3, v9\n"
                                   "\tv_fma_f32 v7, v9, s2, v7\n");
  EXPECT_EQ(refusalOfBodies(before, after), "");
  EXPECT_EQ(refusalOfBodies(after, before), "");
  for (const auto &[right, wrong] :
       {std::pair("0x80000000", "0x40000000"),
        std::pair("v9, 0x80000000, v1", "v9, 0x80000000, v2"),
        std::pair("v5, v9, v2", "v5, v1, v2"), std::pair("v7, v9, s2", "v7, -v9, s2")})
    EXPECT_NE(refusalOfBodies(before, replaced(after, right, wrong)), "") << wrong;
}

/// Odd destinations read the copy, which has the other parity.
TEST(FactorCopies, EveryOtherProductByAScalarReadsACopy) {
  const std::string four = "\tv_fmac_f32_e32 v5, s2, v1\n\tv_mul_f32_e32 v6, s3, v1\n"
                           "\tv_fmac_f32_e32 v7, s4, v1\n\tv_fmac_f32_e32 v8, 2.0, v1\n";
  EXPECT_EQ(scaledTwice(around(four)), "v_mov_b32_e32 v10, v1\n"
                                       "v_fmac_f32_e32 v5, s2, v10\n"
                                       "v_mul_f32_e32 v6, s3, v1\n"
                                       "v_fmac_f32_e32 v7, s4, v10\n"
                                       "v_fmac_f32_e32 v8, 2.0, v1\n");
  // Never in its own register, and in none of its parity.
  EXPECT_EQ(scaledTwice(around(four + "\tv_mov_b32_e32 v1, 0\n"), 10), "");
}

TEST(FactorCopies, EverySecondOneIfDestinationsHaveOneParity) {
  EXPECT_EQ(scaledTwice(around("\tv_fmac_f32_e32 v2, s2, v1\n\tv_fmac_f32_e32 v4, s3, v1\n"
                               "\tv_fmac_f32_e32 v6, s4, v1\n\tv_fmac_f32_e32 v8, s5, v1\n")),
            "v_fmac_f32_e32 v2, s2, v1\n"
            "v_mov_b32_e32 v10, v1\n"
            "v_fmac_f32_e32 v4, s3, v10\n"
            "v_fmac_f32_e32 v6, s4, v1\n"
            "v_fmac_f32_e32 v8, s5, v10\n");
}

TEST(FactorCopies, NoCopyOfWhatMeetsRegistersOrFewScalars) {
  EXPECT_EQ(scaledTwice(around("\tv_fmac_f32_e32 v5, v2, v1\n\tv_fmac_f32_e32 v6, v3, v1\n"
                               "\tv_fmac_f32_e32 v7, v4, v1\n\tv_fmac_f32_e32 v8, v2, v1\n")),
            "");
  EXPECT_EQ(scaledTwice(around("\tv_fmac_f32_e32 v5, s2, v1\n\tv_fmac_f32_e32 v6, s3, v1\n"
                               "\tv_mov_b32_e32 v1, 0\n"
                               "\tv_fmac_f32_e32 v7, s4, v1\n\tv_fmac_f32_e32 v8, s5, v1\n")),
            "");
}

} // namespace
} // namespace rdna::test::factorCopiesTest
