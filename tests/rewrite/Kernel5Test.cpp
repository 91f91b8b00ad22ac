// The kernel that the project is shown on: the FMA loop of ladder kernel 5, as every compiler
// writes it, becomes 64 dual FMACs without conflict, and computes the same bits.

#include "Object/CodeObject.h"
#include "Variant.h"

#include "Run/LaunchDescription.h"
#include "Support/File.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rdna::rewrite::kernel5Test {

namespace {

class Kernel5 : public testing::Test {
protected:
  static void SetUpTestSuite() {
    std::vector<test::CompiledKernel> kernels = test::compiledKernels();
    std::erase_if(kernels, [](const test::CompiledKernel &kernel) {
      return !kernel.name.starts_with("kernel5") || kernel.optimization != "O3";
    });
    RunPlan plan;
    plan.parameters = {{{"N", 256}}, {{"N", 512}}, {{"N", 1024}}};
    plan.sampled = {{{"N", 4096}}};
    plan.reference = RunPlan::Reference::Host;
    results = checkVariants(kernels, plan);
    for (const VariantResult &variant : results)
      for (const BlockResult &block : variant.blocks)
        fmt::print("{}: VALU {} -> {}, dual {} -> {}, single {} -> {}, conflicts {} -> {}, hazards "
                   "{} -> {}, src0 reuse {} -> {}, src1 reuse {} -> {}, rotation {} -> {}, VGPRs "
                   "{} -> {}, waves {} -> {}, rewritten in {:.2f} s, run in {:.1f} s\n",
                   variant.title(), block.before.valu, block.after.valu, block.before.dualFmac,
                   block.after.dualFmac, block.before.singleFmac, block.after.singleFmac,
                   block.before.sourceBankConflicts, block.after.sourceBankConflicts,
                   block.before.parityHazards, block.after.parityHazards, block.before.src0Reuse,
                   block.after.src0Reuse, block.before.src1Reuse, block.after.src1Reuse,
                   block.before.destinationRotation, block.after.destinationRotation,
                   variant.vgprsBefore, variant.vgprsAfter, variant.wavesBefore, variant.wavesAfter,
                   variant.rewriteSeconds, variant.runSeconds);
    std::fflush(stdout);
  }
  static std::vector<VariantResult> results;
};

std::vector<VariantResult> Kernel5::results;

TEST_F(Kernel5, EveryCompilerAndTheSpillingOne) {
  for (const char *compiler : {"clang-16", "clang-19", "clang-22"})
    for (const char *name : {"kernel5", "kernel5_spill", "kernel5_debug"})
      EXPECT_TRUE(std::any_of(results.begin(), results.end(),
                              [&](const VariantResult &variant) {
                                return variant.kernel.name == name &&
                                       variant.kernel.compiler == compiler;
                              }))
          << name << " " << compiler;
}

TEST_F(Kernel5, LoopIsAllDualWithoutConflicts) {
  for (const VariantResult &variant : results) {
    SCOPED_TRACE(variant.title());
    ASSERT_EQ(variant.blocks.size(), 1U);
    const LoopMetrics &loop = variant.blocks[0].after;
    EXPECT_EQ(variant.blocks[0].bound.fmas, 128U);
    EXPECT_EQ(loop.dualFmac, 64U);
    EXPECT_EQ(loop.vopd, 64U);
    EXPECT_EQ(loop.singleFmac, 0U);
    EXPECT_EQ(loop.sourceBankConflicts, 0U);
    EXPECT_EQ(loop.parityHazards, 0U);
    EXPECT_GE(loop.src0Reuse, 62U);
    EXPECT_GE(loop.src1Reuse, 62U);
    EXPECT_GE(loop.destinationRotation, 60U);
    EXPECT_LE(loop.valu, 66U);
    EXPECT_TRUE(variant.blocks[0].reached()) << variant.blocks[0].shortfall();
  }
}

TEST_F(Kernel5, SameBitsSameWaves) {
  for (const VariantResult &variant : results) {
    for (const std::string &problem : variant.problems)
      ADD_FAILURE() << variant.title() << ": " << problem;
    EXPECT_EQ(variant.bits, VariantResult::Bits::Same) << variant.title();
    EXPECT_GT(variant.wavesBefore, 0U) << variant.title();
    EXPECT_GE(variant.wavesAfter, variant.wavesBefore) << variant.title();
  }
}

} // namespace

} // namespace rdna::rewrite::kernel5Test
