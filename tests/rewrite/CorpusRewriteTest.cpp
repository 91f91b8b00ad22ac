// The generality corpus: every kernel, as every compiler writes it, is rewritten; the result
// computes the same bits, is worse in nothing, and is held against what no rewrite could beat.

#include "Variant.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace rdna::rewrite::corpusRewriteTest {

namespace {

struct Totals {
  unsigned valu = 0, dual = 0, single = 0, conflicts = 0, hazards = 0;
  Totals &operator+=(const LoopMetrics &metrics) {
    valu += metrics.valu;
    dual += metrics.dualFmac;
    single += metrics.singleFmac;
    conflicts += metrics.sourceBankConflicts;
    hazards += metrics.parityHazards;
    return *this;
  }
};

class CorpusRewrite : public testing::Test {
protected:
  static void SetUpTestSuite() {
    std::vector<test::CompiledKernel> kernels = test::compiledKernels();
    std::erase_if(kernels, [](const test::CompiledKernel &kernel) {
      return kernel.set != "corpus" && kernel.set != "held-out";
    });
    RunPlan plan;
    plan.inputs = {std::nullopt, run::Init::Nan};
    results = checkVariants(kernels, plan);
    printTable();
  }

  static void printTable() {
    fmt::print("{:34}{:>12}{:>12}{:>12}{:>12}{:>10}  {:15}{:8}{}\n", "kernel", "VALU", "dual",
               "single", "conflicts", "hazards", "bounds", "reached", "bits");
    for (const VariantResult &variant : results) {
      Totals before, after;
      BestCounts valu, singles;
      for (const BlockResult &block : variant.blocks) {
        before += block.before;
        after += block.after;
        valu.valu += block.bound.fewestValu.valu;
        valu.singleFmac += block.bound.fewestValu.singleFmac;
        singles.valu += block.bound.fewestSingles.valu;
        singles.singleFmac += block.bound.fewestSingles.singleFmac;
      }
      const auto change = [](unsigned a, unsigned b) { return fmt::format("{} -> {}", a, b); };
      fmt::print(
          "{:34}{:>12}{:>12}{:>12}{:>12}{:>10}  {:15}{:8}{}\n", variant.title(),
          change(before.valu, after.valu), change(before.dual, after.dual),
          change(before.single, after.single), change(before.conflicts, after.conflicts),
          change(before.hazards, after.hazards),
          fmt::format("{}/{} {}/{}", valu.valu, valu.singleFmac, singles.valu, singles.singleFmac),
          variant.reached() ? "yes" : "NO",
          variant.bits == VariantResult::Bits::Same        ? "same"
          : variant.bits == VariantResult::Bits::Different ? "DIFFERENT"
                                                           : "not run");
      if (!variant.reached()) {
        for (const BlockResult &block : variant.blocks)
          if (!block.reached())
            fmt::print("    {} line {}: {}\n", block.name, block.line, block.shortfall());
        for (const std::string &remark : variant.remarks)
          fmt::print("    remark: {}\n", remark);
      }
    }
    std::fflush(stdout);
  }

  static std::vector<VariantResult> results;
};

std::vector<VariantResult> CorpusRewrite::results;

TEST_F(CorpusRewrite, EveryVariantIsRightAndNoWorse) {
  for (const VariantResult &variant : results) {
    for (const std::string &problem : variant.problems)
      ADD_FAILURE() << variant.title() << ": " << problem;
    EXPECT_EQ(variant.bits, VariantResult::Bits::Same) << variant.title();
    EXPECT_GE(variant.wavesAfter, variant.wavesBefore) << variant.title();
  }
}

TEST_F(CorpusRewrite, CorpusIsLargeEnough) {
  std::map<std::string, std::set<std::string>> variants;
  for (const VariantResult &variant : results)
    variants[variant.kernel.name].insert(variant.kernel.compiler + variant.kernel.optimization);
  EXPECT_GE(variants.size(), 24U);
  for (const auto &[name, built] : variants)
    EXPECT_EQ(built.size(), 6U) << name;
}

TEST_F(CorpusRewrite, ConflictsAndAvoidableSinglesGo) {
  Totals before, after;
  unsigned avoidable = 0, lost = 0, hazardsBesideCalls = 0;
  for (const VariantResult &variant : results)
    for (const BlockResult &block : variant.blocks) {
      // Loops with calls are left alone, with a remark: whatever the compiler made is still there.
      const bool calls = std::any_of(
          variant.remarks.begin(), variant.remarks.end(), [](const std::string &remark) {
            return remark.find("calls a function") != std::string::npos ||
                   remark.find("computes a code address") != std::string::npos;
          });
      if (!calls)
        hazardsBesideCalls += block.after.parityHazards;
      before += block.before;
      after += block.after;
      avoidable += block.before.singleFmac - block.bound.fewestSingles.singleFmac;
      lost += block.before.singleFmac - block.after.singleFmac;
    }
  fmt::print("corpus: VALU {} -> {}, dual {} -> {}, single {} -> {} ({} of {} avoidable ones "
             "gone), conflicts {} -> {}, hazards {} -> {}\n",
             before.valu, after.valu, before.dual, after.dual, before.single, after.single, lost,
             avoidable, before.conflicts, after.conflicts, before.hazards, after.hazards);
  ASSERT_GT(before.conflicts, 0U);
  ASSERT_GT(avoidable, 0U);
  EXPECT_LE(10 * after.conflicts, before.conflicts);
  EXPECT_GE(10 * lost, 8 * avoidable);
  EXPECT_EQ(hazardsBesideCalls, 0U);
}

TEST_F(CorpusRewrite, KernelsReachTheirOptimum) {
  std::map<std::string, unsigned> reached; // of the kernels that the pass was developed on
  for (const VariantResult &variant : results)
    if (variant.kernel.set == "corpus")
      reached[variant.kernel.name] += variant.reached() ? 1 : 0;
  unsigned all = 0;
  for (const auto &[name, variants] : reached) {
    all += variants == 6 ? 1 : 0;
    if (variants != 6)
      fmt::print("{}: {} of 6 variants reach the bound\n", name, variants);
  }
  fmt::print("{} of {} kernels reach the bound in all six variants\n", all, reached.size());
  EXPECT_GE(all, 20U);
}

TEST_F(CorpusRewrite, FewRegionsAreLeftAlone) {
  unsigned regions = 0, left = 0;
  for (const VariantResult &variant : results)
    for (const BlockResult &block : variant.blocks) {
      if (block.bound.fmas < 8)
        continue;
      ++regions;
      // A block that is at its bound already leaves nothing to do.
      if (block.fate != BlockResult::Fate::Left || block.reached())
        continue;
      ++left;
      fmt::print("left alone: {} {} line {}, {} FMAs: {}\n", variant.title(), block.name,
                 block.line, block.bound.fmas, block.shortfall());
      EXPECT_FALSE(variant.remarks.empty()) << variant.title();
    }
  fmt::print("{} of {} regions with 8 or more FMAs are left alone\n", left, regions);
  ASSERT_GT(regions, 0U);
  EXPECT_LE(10 * left, regions);
}

} // namespace

} // namespace rdna::rewrite::corpusRewriteTest
