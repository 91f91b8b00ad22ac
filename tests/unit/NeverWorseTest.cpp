// What no step may make more of: the counts, and what the pipeline does with a step that does.

#include "AsmSnippet.h"

#include "Pipeline/NeverWorse.h"
#include "Pipeline/Registry.h"

namespace rdna::neverWorseTest {
namespace {

NestCounts countOf(const Module &module) {
  const Cfg cfg = buildCfg(module, 0);
  return countNest(module, cfg, knownTripCounts(module, cfg));
}

TEST(NestCounts, OneInstruction) {
  const auto module =
      test::parseKernel("\tv_fmac_f32_e32 v1, v2, v6\n" // one bank
                        "\tv_fmac_f32_e32 v1, v2, v2\n" // one register
                        "\tv_fma_f32 v1, v2, v3, v1\n"
                        "\tv_fma_f32 v1, v2, v3, v4\n" // has no dual form
                        "\tv_dual_fmac_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v7\n"
                        "\tv_dual_fmac_f32 v0, v1, v6 :: v_dual_fmac_f32 v3, v2, v5\n"
                        "\tds_load_b32 v9, v0\n\tds_store_b32 v0, v9\n\tv_mov_b32 v1, 0");
  const CodeCounts counts = countOf(*module).function;
  EXPECT_EQ(counts.valu, 7U);
  EXPECT_EQ(counts.singleFmas, 4U);
  EXPECT_EQ(counts.conflicts, 1U + 2U); // v1 and v5, v6 and v2
  EXPECT_EQ(counts.hazards, 0U);
  EXPECT_EQ(counts.ldsAccesses, 2U);
  EXPECT_EQ(counts.repeatedConflicts, 0U);
}

TEST(NestCounts, LoopsByTheirIterationsIfThoseAreKnown) {
  const auto module = test::parseKernel("\tv_mov_b32 v0, 0\n"
                                        ".Louter:\n\tv_mov_b32 v1, 0\n\ts_mov_b32 s0, 0\n"
                                        ".Linner:\n\tv_fmac_f32_e32 v0, v2, v6\n"
                                        "\ts_add_i32 s0, s0, 1\n\ts_cmp_lg_u32 s0, 5\n"
                                        "\ts_cbranch_scc1 .Linner\n"
                                        ".Lbehind:\n\ts_add_i32 s1, s1, 1\n\ts_cmp_lg_u32 s1, s2\n"
                                        "\ts_cbranch_scc1 .Louter");
  const NestCounts counts = countOf(*module);
  EXPECT_EQ(counts.iteration.at(".Linner").valu, 1U);
  EXPECT_EQ(counts.iteration.at(".Linner").repeatedConflicts, 0U);
  EXPECT_EQ(counts.iteration.at(".Louter").valu, 6U);
  EXPECT_EQ(counts.iteration.at(".Louter").repeatedConflicts, 5U);
  EXPECT_EQ(counts.function.valu, 7U); // However often the outer one runs, it does so once.
  EXPECT_EQ(counts.own.at(".Louter").valu, 1U);
  EXPECT_EQ(counts.own.at("").valu, 1U);
}

TEST(NeverWorse, EveryCountByItself) {
  const CodeCounts was{.valu = 10,
                       .singleFmas = 4,
                       .conflicts = 4,
                       .repeatedConflicts = 0,
                       .hazards = 1,
                       .ldsAccesses = 2};
  EXPECT_EQ(whatIsWorse(was, was), std::nullopt);
  const auto worse = [&](auto change) {
    CodeCounts is = was;
    change(is);
    return whatIsWorse(was, is).value_or("");
  };
  EXPECT_EQ(worse([](CodeCounts &c) { ++c.valu; }), "more VALU instructions: 10 -> 11");
  EXPECT_EQ(worse([](CodeCounts &c) {
              ++c.valu;
              c.conflicts = 0; // They may have been in code that runs once.
            }),
            "more VALU instructions: 10 -> 11");
  EXPECT_EQ(worse([](CodeCounts &c) {
              c.valu = 0;
              ++c.singleFmas;
            }),
            "more single FMAs: 4 -> 5");
  EXPECT_EQ(worse([](CodeCounts &c) {
              c.valu = 0;
              ++c.conflicts;
            }),
            "more bank conflicts: 4 -> 5");
  EXPECT_EQ(worse([](CodeCounts &c) { ++c.hazards; }), "more parity hazards: 1 -> 2");
  EXPECT_EQ(worse([](CodeCounts &c) { ++c.ldsAccesses; }),
            "more LDS accesses than it gains: 2 -> 3");
  EXPECT_EQ(worse([](CodeCounts &c) {
              c.ldsAccesses += 3;
              c.valu -= 2;
              c.conflicts -= 1;
            }),
            "");
}

TEST(NeverWorse, ConflictsOfLoopsThatGoRoundPayForMoves) {
  CodeCounts was{.valu = 10, .conflicts = 8, .repeatedConflicts = 8};
  CodeCounts is{.valu = 18, .conflicts = 0, .repeatedConflicts = 0};
  EXPECT_EQ(whatIsWorse(was, is), std::nullopt);
  is.valu = 19;
  EXPECT_NE(whatIsWorse(was, is), std::nullopt);
}

/// A pass that puts `line` in front of the first instruction of the function.
PipelineResult runAdding(const std::string &text, const std::string &line, Price price) {
  static constexpr PassInfo kMadeUp{.name = "made-up", .help = "", .needs = PassNeeds::Understood};
  Pipeline pipeline;
  pipeline.rounds = Rounds::One;
  pipeline.passes.push_back(
      {&kMadeUp, {}, [=](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
         Proposal proposal;
         proposal.price = price;
         const Instruction &first = site.module.instructions()[site.function().first];
         proposal.edits = {replacement(
             first, Code::text(line + "\n\t" + std::string(site.module.instructionText(first))))};
         return PassResult{std::move(proposal), PassResult::Next::Done};
       }});
  auto result = runPipeline(test::parseText(text), pipeline);
  return result ? std::move(*result) : PipelineResult();
}

TEST(NeverWorse, AStepThatIsEqualButWorseIsNotMade) {
  const std::string text = test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0");
  for (const Price price : {Price::Nothing, Price::LdsAccesses, Price::AnythingForHazards}) {
    const PipelineResult result = runAdding(text, "v_mov_b32_e32 v5, 0", price);
    EXPECT_EQ(result.text, text);
    ASSERT_EQ(result.remarks.size(), 1U);
    EXPECT_EQ(result.remarks[0].message, "--made-up in 'k' is not made: the function would have "
                                         "more VALU instructions: 1 -> 2");
  }
  EXPECT_NE(runAdding(text, "s_nop 0", Price::Nothing).text, text);
  // Part of a way that is judged at its end.
  EXPECT_NE(runAdding(text, "v_mov_b32_e32 v5, 0", Price::Anything).text, text);
}

} // namespace
} // namespace rdna::neverWorseTest
