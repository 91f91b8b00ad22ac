// The pipeline by passes that are made up: what it keeps, takes back and says, and how often it
// starts anew.

#include "AsmSnippet.h"

#include "Pipeline/Registry.h"
#include "Support/File.h"

#include <gtest/gtest.h>

namespace rdna::pipelineTest {
namespace {

/// `count` device functions with this body, and a kernel so that there is something to work on.
std::string manyFunctions(unsigned count, std::string_view body) {
  std::string text = "\t.text\n";
  for (unsigned n = 0; n < count; ++n)
    text += fmt::format("\t.p2align 2\n\t.type f{0},@function\nf{0}:\n{1}\ts_setpc_b64 s[30:31]\n"
                        ".Lend{0}:\n\t.size f{0}, .Lend{0}-f{0}\n",
                        n, body);
  return text + test::kernelText("\tv_mov_b32_e32 v0, 0");
}

/// A pass that makes each instruction `from` of the function with that text another one.
PassFunction replacing(std::string from, std::function<std::string(const PassSite &)> by) {
  return [=](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
    Proposal proposal;
    for (uint32_t i = site.function().first; i < site.function().last; ++i)
      if (const Instruction &inst = site.module.instructions()[i];
          site.module.instructionText(inst).starts_with(from))
        proposal.edits.push_back(replacement(inst, Code::text(by(site))));
    if (proposal.edits.empty())
      return PassResult{};
    proposal.report->summary = "changed";
    return PassResult{std::move(proposal), PassResult::Next::Done};
  };
}

/// As a row.
constexpr PassInfo kMadeUp{.name = "made-up", .help = "", .needs = PassNeeds::Understood};

Pipeline pipelineOf(PassFunction run, Rounds rounds = Rounds::One) {
  Pipeline pipeline;
  pipeline.passes.push_back({&kMadeUp, {}, std::move(run)});
  pipeline.rounds = rounds;
  return pipeline;
}

PipelineResult run(const std::string &text, const Pipeline &pipeline) {
  auto result = runPipeline(test::parseText(text), pipeline);
  if (result)
    return std::move(*result);
  std::string message;
  renderError(result.takeError(), "test", message);
  ADD_FAILURE() << message;
  return {};
}

/// Times that the text was changed, for as many functions.
unsigned changesFor(unsigned functions) {
  unsigned steps = 0;
  Pipeline pipeline{.passes = choosePasses({})};
  pipeline.onStep = [&](const ProvenStep &step) {
    ++steps;
    EXPECT_EQ(step.claims.size(), functions);
  };
  const std::string body = "\ts_waitcnt vmcnt(0) lgkmcnt(0)\n\tds_load_b32 v1, v0\n"
                           "\tds_load_b32 v2, v0 offset:4\n\ts_waitcnt vmcnt(0) lgkmcnt(0)\n"
                           "\tv_add_f32_e32 v0, v1, v2\n\ts_waitcnt lgkmcnt(0)\n"
                           "\tv_add_f32_e32 v0, v0, v0\n";
  const PipelineResult result = run(manyFunctions(functions, body), pipeline);
  EXPECT_EQ(result.steps.size(), steps * functions);
  return steps;
}

TEST(Pipeline, ManyFunctionsAreChangedAtOnce) {
  const unsigned steps = changesFor(1);
  EXPECT_GE(steps, 2U);
  EXPECT_EQ(changesFor(30), steps);
}

TEST(Pipeline, WhatIsRefusedIsDroppedAlone) {
  // Another encoding in three functions, another operation in two.
  const std::string text = manyFunctions(5, "\tv_add_f32_e32 v0, v0, v0\n");
  const auto pass = replacing("v_add_f32", [](const PassSite &site) -> std::string {
    const bool isWrong = site.function().name == "f1" || site.function().name == "f4";
    return isWrong ? "v_mul_f32_e32 v0, v0, v0" : "v_add_f32_e64 v0, v0, v0";
  });
  Pipeline pipeline = pipelineOf(pass);
  std::vector<std::string> proven;
  pipeline.onStep = [&](const ProvenStep &step) {
    for (const Correspondence &claim : step.claims)
      proven.push_back(claim.function);
  };
  const PipelineResult result = run(text, pipeline);
  EXPECT_EQ(proven, (std::vector<std::string>{"f0", "f2", "f3"}));
  ASSERT_EQ(result.steps.size(), 3U);
  EXPECT_EQ(result.steps[1].function, "f2");
  EXPECT_EQ(result.steps[1].pass, "made-up");
  ASSERT_EQ(result.remarks.size(), 3U);
  EXPECT_EQ(result.remarks[2].message, "'k' is as it was: nothing to improve for --made-up");
  EXPECT_TRUE(result.remarks[0].message.starts_with(
      "--made-up in 'f1' was taken back, it could not be proven: "))
      << result.remarks[0].message;
  EXPECT_TRUE(result.remarks[1].message.starts_with("--made-up in 'f4'"));
  EXPECT_EQ(result.remarks[1].line, test::parseText(text)->functions()[4].line);
  EXPECT_EQ(result.text.find("v_mul_f32"), std::string::npos);
}

/// What adds hints sees what the others leave at their end, wherever it stands among them.
TEST(Pipeline, HintsBeginOnceTheOthersFindNothing) {
  static constexpr PassInfo kHint{
      .name = "hint", .help = "", .needs = PassNeeds::Understood, .begins = Begins::Behind};
  std::vector<std::string> seen;
  const auto looks = [&](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
    const Instruction &first = site.module.instructions()[site.function().first];
    seen.emplace_back(site.module.instructionText(first));
    return PassResult{};
  };
  unsigned turns = 0;
  Pipeline pipeline = pipelineOf(replacing("s_nop 0", [](const PassSite &) { return "s_nop 1"; }),
                                 Rounds::ToFixedPoint);
  pipeline.passes.insert(pipeline.passes.begin(), {&kHint, {}, looks});
  pipeline.passes.push_back(
      {pipeline.passes.back().pass, {}, replacing("s_nop 1", [&](const PassSite &) {
         return fmt::format("s_nop {}", ++turns < 3 ? 0 : 2);
       })});
  const PipelineResult result = run(test::kernelText("\ts_nop 0"), pipeline);
  EXPECT_EQ(seen, std::vector<std::string>{"s_nop 2"});
  EXPECT_EQ(result.steps.size(), 6U);
}

TEST(Pipeline, WithoutAnEndARemarkSaysSo) {
  unsigned turns = 0;
  const auto pass =
      replacing("s_nop", [&](const PassSite &) { return fmt::format("s_nop {}", ++turns % 2); });
  const std::string text = test::kernelText("\ts_nop 0");
  Pipeline pipeline = pipelineOf(pass, Rounds::ToFixedPoint);
  const PipelineResult result = run(text, pipeline);
  EXPECT_EQ(turns, pipeline.mostRounds);
  EXPECT_EQ(result.steps.size(), pipeline.mostRounds);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0].message, "the passes still found something to do in round 8, the "
                                       "last; a second run would change more");
  // One that ends says nothing.
  const auto once = replacing("s_nop 0", [](const PassSite &) { return "s_nop 1"; });
  EXPECT_TRUE(run(text, pipelineOf(once, Rounds::ToFixedPoint)).remarks.empty());
}

TEST(Pipeline, NoStepCostsAWave) {
  const auto pass = [](const PassSite &, PassState &) -> llvm::Expected<PassResult> {
    Proposal proposal;
    proposal.vgprs = 200;
    return PassResult{std::move(proposal), PassResult::Next::Done};
  };
  const std::string text = test::kernelText("\tv_mov_b32_e32 v0, 0");
  Pipeline pipeline = pipelineOf(pass);
  const PipelineResult result = run(text, pipeline);
  EXPECT_EQ(result.text, text);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0].message, "--made-up in 'k' is not made: "
                                       "kernel 'k' would fall from 16 to 7 waves per SIMD");
  pipeline.request.occupancy = OccupancyLoss::Allow;
  EXPECT_NE(run(text, pipeline).text.find(".amdhsa_next_free_vgpr 200"), std::string::npos);
}

/// A judge sees the text that came of all proposals, and its word counts for its own function.
TEST(Pipeline, JudgesSpeakForTheirFunction) {
  const std::string text = manyFunctions(3, "\tv_add_f32_e32 v0, v0, v0\n");
  const auto edit =
      replacing("v_add_f32_e32", [](const PassSite &) { return "v_add_f32_e64 v0, v0, v0"; });
  const auto pass = [&](const PassSite &site, PassState &state) -> llvm::Expected<PassResult> {
    auto result = edit(site, state);
    if (result && result->proposal && site.function().name == "f1")
      result->proposal->judge = [](const Derived &derived, StepReport &) -> Verdict {
        return {.kind = Verdict::Kind::Leave,
                .remark = derived.before.atLine(1, "not worth it", Severity::Remark)};
      };
    return result;
  };
  const PipelineResult result = run(text, pipelineOf(pass));
  EXPECT_EQ(result.steps.size(), 2U);
  ASSERT_EQ(result.remarks.size(), 2U); // And one for the kernel.
  EXPECT_EQ(result.remarks[0].message, "not worth it");
}

/// Places follow what other functions' edits do to the text in front of them.
TEST(Pipeline, PlacesFollowTheEdits) {
  const std::string text = manyFunctions(4, "\tv_add_f32_e32 v0, v0, v0\n\tv_mov_b32 v1, v0\n");
  unsigned looked = 0;
  const auto pass = [&](const PassSite &site, PassState &state) -> llvm::Expected<PassResult> {
    const Function &function = site.function();
    const Instruction &second = site.module.instructions()[function.first + 1];
    if (state.last != PassState::Last::None) {
      EXPECT_EQ(state.places.front(), second.begin) << function.name;
      ++looked;
      return PassResult{};
    }
    state.places.push_back(second.begin);
    const Instruction &first = site.module.instructions()[function.first];
    Proposal proposal;
    proposal.edits = {
        replacement(first, Code::text("v_add_f32_e64 v0, v0, v0 ; longer than it was"))};
    return PassResult{std::move(proposal)};
  };
  Pipeline pipeline = pipelineOf(pass);
  pipeline.passes.front().run = [&](const PassSite &site, PassState &state) {
    return site.function().isKernel() ? PassResult{} : pass(site, state);
  };
  run(text, pipeline);
  EXPECT_EQ(looked, 4U);
}

TEST(Registry, EveryPassIsDocumented) {
  const std::string path = std::string(RDNA_SOURCE_DIR) + "/docs/howto-ladder.md";
  auto guide = readInput(path);
  ASSERT_TRUE(bool(guide));
  size_t last = 0;
  for (const PassInfo &pass : allPasses()) {
    const size_t row = guide->find(fmt::format("\n| `--{}", pass.name));
    EXPECT_NE(row, std::string::npos) << pass.name;
    EXPECT_GT(row, last) << pass.name << " is not where it runs";
    last = row;
    EXPECT_EQ(findPass(pass.name), &pass);
    EXPECT_FALSE(pass.help.empty());
  }
}

TEST(Registry, OptionsHaveTheRowsValuesUnlessTheyAreGiven) {
  const auto plain = choosePasses({{"unroll"}, {}});
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_EQ(plain[0].values.number("unroll"), 0U);
  EXPECT_EQ(plain[0].values.number("max-code-bytes"), 32U * 1024);
  const auto given = choosePasses({{}, {{"max-code-bytes", 100}}});
  EXPECT_EQ(given.size(), llvm::count_if(allPasses(), [](const PassInfo &pass) {
              return pass.chosen == Chosen::ByDefault;
            }));
  unsigned limited = 0;
  for (const PassInvocation &invocation : given)
    for (const PassOption &option : invocation.pass->options)
      if (option.name == "max-code-bytes") {
        ++limited;
        EXPECT_EQ(invocation.values.number("max-code-bytes"), 100U);
      }
  EXPECT_EQ(limited, 2U);
  const auto without = choosePasses({{}, {}, {"setprio", "fragments"}});
  EXPECT_EQ(without.size() + 1, given.size()); // Fragments are by name only.
  EXPECT_TRUE(llvm::none_of(without, [](const PassInvocation &invocation) {
    return invocation.pass->name == "setprio";
  }));
}

} // namespace
} // namespace rdna::pipelineTest
