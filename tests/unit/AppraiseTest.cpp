// Steps that are judged by time, by an appraiser that is made up.

#include "AsmSnippet.h"

#include "Pipeline/Fastest.h"
#include "Pipeline/Registry.h"
#include "Transform/Lines.h"

#include <gtest/gtest.h>

namespace rdna::appraiseTest {
namespace {

TEST(Trend, FallsOnlyIfItDoesWhateverIsInDoubt) {
  const Appraisal before{10, {9, 12}};
  EXPECT_EQ(trendOf(before, {11, {}}), Trend::Rises);
  EXPECT_EQ(trendOf(before, {10.04, {9, 12}}), Trend::Open); // As much as the model's own noise.
  EXPECT_EQ(trendOf(before, {9, {8, 11}}), Trend::Falls);
  EXPECT_EQ(trendOf(before, {9, {8, 12}}), Trend::Open);
  EXPECT_EQ(trendOf(before, {9, {9.1, 11}}), Trend::Open);
  EXPECT_EQ(trendOf(before, {9.98, {8, 11}}), Trend::Open);
  EXPECT_EQ(trendOf(before, {9, {}}), Trend::Open); // Doubts were not asked for.
}

/// A clock for each instruction but for those whose text begins with `cheap`, which bring `gain`.
class MadeUpTimes : public Appraiser {
public:
  MadeUpTimes(std::string cheap, double gain, double doubt)
      : cheap_(std::move(cheap)), gain_(gain), doubt_(doubt) {}
  std::string_view kernel() const override { return "k"; }
  llvm::Expected<Appraisal> appraise(const Module &module, Doubts doubts) override {
    ++asked_;
    double time = 100, doubted = 100;
    for (const Instruction &inst : module.instructions()) {
      const bool isCheap = module.instructionText(inst).starts_with(cheap_);
      time += isCheap ? -gain_ : 1;
      doubted += isCheap ? -doubt_ : 1;
    }
    return Appraisal{time, doubts == Doubts::Asked ? std::vector<double>{doubted}
                                                   : std::vector<double>{}};
  }
  unsigned asked() const { return asked_; }

private:
  std::string cheap_;
  double gain_, doubt_;
  unsigned asked_ = 0;
};

/// A pass that puts `line` in front of the first instruction.
PipelineResult runAdding(const std::string &text, const std::string &line, Appraiser &appraiser) {
  static constexpr PassInfo kMadeUp{.name = "made-up", .help = "", .needs = PassNeeds::Understood};
  Pipeline pipeline;
  pipeline.rounds = Rounds::One;
  pipeline.appraiser = &appraiser;
  pipeline.passes.push_back(
      {&kMadeUp, {}, [=](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
         Proposal proposal;
         const Instruction &first = site.module.instructions()[site.function().first];
         proposal.edits = {replacement(
             first, Code::text(line + "\n\t" + std::string(site.module.instructionText(first))))};
         proposal.report->summary = "one more";
         return PassResult{std::move(proposal), PassResult::Next::Done};
       }});
  auto result = runPipeline(test::parseText(text), pipeline);
  return result ? std::move(*result) : PipelineResult();
}

TEST(TimeJudge, AStepWhoseTimeRisesIsTakenBack) {
  const std::string text = test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0");
  MadeUpTimes times("nothing", 0, 0);
  const PipelineResult result = runAdding(text, "s_nop 1", times);
  EXPECT_EQ(result.text, text);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_EQ(result.remarks[0].message, "--made-up in 'k' is not made: its time would rise: "
                                       "predicted 103.0000 -> 104.0000 ms");
}

TEST(TimeJudge, AStepThatIsFasterSaysSo) {
  const std::string text = test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0");
  MadeUpTimes times("s_nop 1", 10, 10);
  const PipelineResult result = runAdding(text, "s_nop 1", times);
  EXPECT_NE(result.text, text);
  ASSERT_EQ(result.steps.size(), 1U);
  EXPECT_EQ(result.steps[0].summary, "one more, predicted 103.0000 -> 93.0000 ms");
  EXPECT_EQ(result.steps[0].number("predicted_ns_after"), 93000000U);
  EXPECT_EQ(times.asked(), 2U);
}

TEST(TimeJudge, TimePaysForACountIfItFallsWhateverIsInDoubt) {
  const std::string text = test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0");
  MadeUpTimes sure("v_mov_b32_e32 v5", 10, 5), unsure("v_mov_b32_e32 v5", 10, -5);
  const PipelineResult kept = runAdding(text, "v_mov_b32_e32 v5, 0", sure);
  ASSERT_EQ(kept.steps.size(), 1U);
  EXPECT_EQ(kept.steps[0].summary,
            "one more, predicted 103.0000 -> 93.0000 ms (kept for its time: the function would "
            "have more VALU instructions: 1 -> 2)");
  const PipelineResult left = runAdding(text, "v_mov_b32_e32 v5, 0", unsure);
  EXPECT_EQ(left.text, text);
  ASSERT_EQ(left.remarks.size(), 1U);
  EXPECT_NE(left.remarks[0].message.find("and not less time for all that is in doubt"),
            std::string::npos);
}

/// V2 and v4 in the same slot of a pair can lose an interlock: an error, whatever it gains.
TEST(TimeJudge, NoTimePaysForAHazard) {
  const std::string text = test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0");
  const std::string pair = "v_dual_mul_f32 v6, v2, v1 :: v_dual_mul_f32 v7, v4, v3";
  MadeUpTimes times("v_dual_mul_f32", 50, 50);
  const PipelineResult result = runAdding(text, pair, times);
  EXPECT_EQ(result.text, text);
  ASSERT_EQ(result.remarks.size(), 1U);
  EXPECT_NE(result.remarks[0].message.find("parity hazards"), std::string::npos);
}

/// A pass that takes the s_delay_alu away, as passes do that write a block anew.
enum class Behind : uint8_t { Nothing, DelayPass };
PipelineResult runDroppingDelay(const std::string &text, Appraiser &appraiser, Behind behind) {
  static constexpr PassInfo kMadeUp{.name = "made-up", .help = "", .needs = PassNeeds::Understood};
  Pipeline pipeline;
  pipeline.rounds = Rounds::One;
  pipeline.appraiser = &appraiser;
  pipeline.passes.push_back(
      {&kMadeUp, {}, [](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
         Proposal proposal;
         for (const Instruction &inst : site.module.instructions())
           if (inst.op == Op::s_delay_alu)
             proposal.edits = {removal(site.module, inst)};
         return PassResult{std::move(proposal), PassResult::Next::Done};
       }});
  if (behind == Behind::DelayPass) {
    const PassInfo *delays = findPass("delay-alu");
    pipeline.passes.push_back({delays, {}, delays->run});
  }
  auto result = runPipeline(test::parseText(text), pipeline);
  return result ? std::move(*result) : PipelineResult();
}

/// What a step loses for as long as the last pass has not run is no loss.
TEST(TimeJudge, DelaysThatWillComeAnewAreCounted) {
  const std::string text = test::kernelText("\tv_add_f32_e32 v0, v1, v2\n"
                                            "\ts_delay_alu instid0(VALU_DEP_1)\n"
                                            "\tv_add_f32_e32 v3, v0, v2");
  MadeUpTimes times("s_delay_alu", 10, 10);
  const PipelineResult kept = runDroppingDelay(text, times, Behind::DelayPass);
  EXPECT_EQ(kept.text, text); // Gone, and set anew.
  EXPECT_EQ(kept.steps.size(), 2U);
  EXPECT_TRUE(kept.remarks.empty());
  const PipelineResult refused = runDroppingDelay(text, times, Behind::Nothing);
  EXPECT_EQ(refused.text, text);
  EXPECT_TRUE(refused.steps.empty());
  ASSERT_EQ(refused.remarks.size(), 1U);
  EXPECT_NE(refused.remarks[0].message.find("its time would rise"), std::string::npos);
}

/// Whether the delays themselves are worth it is asked of the text as it is.
TEST(TimeJudge, DelaysThatCostTimeAreNotSet) {
  const std::string text = test::kernelText("\tv_add_f32_e32 v0, v1, v2\n"
                                            "\ts_delay_alu instid0(VALU_DEP_2)\n"
                                            "\tv_add_f32_e32 v3, v0, v2\n"
                                            "\tv_add_f32_e32 v4, v3, v2");
  MadeUpTimes times("s_delay_alu instid0(VALU_DEP_2)", 10, 10);
  Pipeline pipeline;
  pipeline.rounds = Rounds::One;
  pipeline.appraiser = &times;
  const PassInfo *delays = findPass("delay-alu");
  pipeline.passes.push_back({delays, {}, delays->run});
  auto result = runPipeline(test::parseText(text), pipeline);
  ASSERT_TRUE(!!result);
  EXPECT_EQ(result->text, text);
  ASSERT_EQ(result->remarks.size(), 1U);
  EXPECT_NE(result->remarks[0].message.find("its time would rise"), std::string::npos);
}

/// Puts `line` in front of the first instruction, once, if that is `wanted`.
PassFunction adding(const std::string &line, const std::string &wanted) {
  return [=](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
    const Instruction &first = site.module.instructions()[site.function().first];
    const std::string text(site.module.instructionText(first));
    if (text != wanted)
      return PassResult{};
    Proposal proposal;
    proposal.edits = {replacement(first, Code::text(line + "\n\t" + text))};
    proposal.report->summary = "one more";
    return PassResult{std::move(proposal), PassResult::Next::Done};
  };
}

/// The first pass only costs, the second one needs what it has made.
FastestResult runEnabling(Appraiser &appraiser) {
  static constexpr PassInfo kEnabler{
      .name = "enabler", .help = "", .needs = PassNeeds::Understood, .gain = Gain::Later};
  static constexpr PassInfo kUser{.name = "user", .help = "", .needs = PassNeeds::Understood};
  Pipeline pipeline;
  pipeline.appraiser = &appraiser;
  pipeline.passes.push_back({&kEnabler, {}, adding("s_nop 1", "s_nop 0")});
  pipeline.passes.push_back({&kUser, {}, adding("s_nop 2", "s_nop 1")});
  auto result =
      runFastest(test::parseText(test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0")), pipeline);
  return result ? std::move(*result) : FastestResult();
}

TEST(Fastest, AStepThatCostsTimeMayEnableOneThatGainsMore) {
  MadeUpTimes times("s_nop 2", 10, 10);
  const FastestResult result = runEnabling(times);
  ASSERT_EQ(result.ways.size(), 4U);
  EXPECT_EQ(result.ways[0].milliseconds, 103);
  EXPECT_EQ(result.ways[1].milliseconds, 94);
  EXPECT_EQ(result.ways[1].outcome, WayTaken::Outcome::Chosen);
  EXPECT_EQ(result.ways[2].milliseconds, 103);
  EXPECT_EQ(result.ways[2].outcome, WayTaken::Outcome::GivenUp);
  EXPECT_NE(result.best.text.find("s_nop 2\n\ts_nop 1\n\ts_nop 0"), std::string::npos);
}

TEST(Fastest, StepsThatEnableNothingAreTakenBack) {
  MadeUpTimes times("nothing", 0, 0);
  const FastestResult result = runEnabling(times);
  ASSERT_EQ(result.ways.size(), 4U);
  EXPECT_EQ(result.ways[1].milliseconds, 104);
  EXPECT_EQ(result.ways[2].outcome, WayTaken::Outcome::Chosen);
  EXPECT_EQ(result.best.text.find("s_nop 1"), std::string::npos);
}

/// Both gain at once or not at all, so that no way that asks for time comes to the second one.
TEST(Fastest, CountsAloneMayEndFaster) {
  static constexpr PassInfo kFirst{.name = "first", .help = "", .needs = PassNeeds::Understood};
  static constexpr PassInfo kSecond{.name = "second", .help = "", .needs = PassNeeds::Understood};
  MadeUpTimes times("s_nop 2", 10, 10);
  Pipeline pipeline;
  pipeline.appraiser = &times;
  pipeline.passes.push_back({&kFirst, {}, adding("s_nop 1", "s_nop 0")});
  pipeline.passes.push_back({&kSecond, {}, adding("s_nop 2", "s_nop 1")});
  auto result =
      runFastest(test::parseText(test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0")), pipeline);
  ASSERT_TRUE(!!result);
  ASSERT_EQ(result->ways.size(), 3U);
  EXPECT_EQ(result->ways[1].milliseconds, 103);
  EXPECT_EQ(result->ways[2].name, "counts alone");
  EXPECT_EQ(result->ways[2].milliseconds, 94);
  EXPECT_EQ(result->ways[2].outcome, WayTaken::Outcome::Chosen);
  EXPECT_NE(result->best.text.find("s_nop 2\n\ts_nop 1"), std::string::npos);
}

/// A pass, and one that may run in its stead.
FastestResult runVariant(Appraiser &appraiser, std::string_view instead) {
  static constexpr PassInfo kUsual{.name = "usual", .help = "", .needs = PassNeeds::Understood};
  static constexpr PassInfo kOther{.name = "other", .help = "", .needs = PassNeeds::Understood};
  Pipeline pipeline;
  pipeline.appraiser = &appraiser;
  pipeline.passes.push_back({&kUsual, {}, adding("s_nop 1", "s_nop 0")});
  pipeline.variants.push_back(
      {"the other one", instead, {{&kOther, {}, adding("s_nop 2", "s_nop 0")}}});
  auto result =
      runFastest(test::parseText(test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0")), pipeline);
  return result ? std::move(*result) : FastestResult();
}

TEST(Fastest, AVariantThatIsFasterIsKept) {
  MadeUpTimes times("s_nop 2", 10, 10);
  const FastestResult result = runVariant(times, {});
  ASSERT_EQ(result.ways.size(), 4U);
  EXPECT_EQ(result.ways[1].milliseconds, 103); // The usual step would cost time.
  EXPECT_EQ(result.ways[2].name, "the other one");
  EXPECT_EQ(result.ways[2].milliseconds, 93);
  EXPECT_EQ(result.ways[2].outcome, WayTaken::Outcome::Chosen);
  EXPECT_NE(result.best.text.find("s_nop 2\n\ts_nop 0"), std::string::npos);
}

/// A longer look says that whatever has `slow` in it takes twice as long.
class LongerLook final : public MadeUpTimes {
public:
  LongerLook(std::string slow, double gain)
      : MadeUpTimes("s_nop 2", gain, gain), slow_(std::move(slow)) {}
  llvm::Expected<double> settle(const Module &module) override {
    return module.text().find(slow_) == std::string_view::npos ? 100 : 200;
  }

private:
  std::string slow_;
};

TEST(Fastest, EndsThatAreNearAreSettledByALongerLook) {
  LongerLook times("s_nop 2", 1);
  const FastestResult result = runVariant(times, {});
  ASSERT_EQ(result.ways.size(), 4U);
  EXPECT_EQ(result.ways[0].milliseconds, 100);
  EXPECT_EQ(result.ways[1].milliseconds, 100);
  EXPECT_EQ(result.ways[1].outcome, WayTaken::Outcome::Chosen);
  EXPECT_EQ(result.ways[2].milliseconds, 200); // 102 by the shorter one, and the others 103.
  EXPECT_EQ(result.best.text.find("s_nop 2"), std::string::npos);
}

TEST(Fastest, WhatIsSlowerThanTheInputIsNotKept) {
  LongerLook times("s_nop 1", 10); // So that the way step by step is given up.
  const FastestResult result = runEnabling(times);
  ASSERT_EQ(result.ways.size(), 4U);
  EXPECT_EQ(result.ways[0].name, "as it is");
  EXPECT_EQ(result.ways[0].outcome, WayTaken::Outcome::Chosen);
  EXPECT_EQ(result.ways[1].milliseconds, 200);
  EXPECT_EQ(result.ways[1].outcome, WayTaken::Outcome::Slower);
  EXPECT_EQ(result.best.text.find("s_nop 1"), std::string::npos);
  EXPECT_TRUE(result.best.steps.empty());
}

/// A variant whose first pass adds `lines` that cost, in front of one that counts how often it is
/// asked.
FastestResult runSlowVariant(unsigned lines, unsigned &asked) {
  static constexpr PassInfo kUsual{.name = "usual", .help = "", .needs = PassNeeds::Understood};
  static constexpr PassInfo kSlow{
      .name = "slow", .help = "", .needs = PassNeeds::Understood, .gain = Gain::Later};
  std::string text = "s_nop 2";
  for (unsigned n = 1; n < lines; ++n)
    text += "\n\ts_nop 2";
  static MadeUpTimes times("nothing", 0, 0);
  Pipeline pipeline;
  pipeline.appraiser = &times;
  pipeline.timed = Timed::GainsAtOnce;
  pipeline.passes.push_back({&kSlow, {}, adding("s_nop 1", "nothing")});
  pipeline.passes.push_back({&kUsual, {}, adding("s_nop 1", "nothing")});
  const auto counting = [&asked](const PassSite &, PassState &) -> llvm::Expected<PassResult> {
    ++asked;
    return PassResult{};
  };
  pipeline.variants.push_back(
      {"slow", {}, {{&kSlow, {}, adding(text, "s_nop 0")}, {&kUsual, {}, counting}}});
  auto result =
      runFastest(test::parseText(test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0")), pipeline);
  return result ? std::move(*result) : FastestResult();
}

TEST(Fastest, AVariantThatIsFarBehindIsGivenUp) {
  unsigned asked = 0;
  const FastestResult near = runSlowVariant(4, asked);
  ASSERT_EQ(near.ways.size(), 5U);
  EXPECT_EQ(near.ways[3].milliseconds, 107);
  EXPECT_EQ(near.ways[3].outcome, WayTaken::Outcome::Slower);
  EXPECT_NE(asked, 0U);
  asked = 0;
  const FastestResult far = runSlowVariant(20, asked);
  ASSERT_EQ(far.ways.size(), 5U);
  EXPECT_EQ(far.ways[3].milliseconds, 123);
  EXPECT_EQ(far.ways[3].outcome, WayTaken::Outcome::GivenUp);
  EXPECT_EQ(asked, 0U);
}

/// Another pass changes the text in four rounds; what time has refused waits until it is done.
TEST(TimeJudge, WhatTimeRefusesIsAskedAgainAtTheEnd) {
  static constexpr PassInfo kRefused{.name = "refused", .help = "", .needs = PassNeeds::Understood};
  static constexpr PassInfo kBusy{.name = "busy", .help = "", .needs = PassNeeds::Understood};
  MadeUpTimes times("s_nop 2", 10, 10);
  unsigned asked = 0, rounds = 0;
  Pipeline pipeline;
  pipeline.appraiser = &times;
  const auto first = [](const PassSite &site) {
    return std::string(
        site.module.instructionText(site.module.instructions()[site.function().first]));
  };
  pipeline.passes.push_back(
      {&kRefused, {}, [&](const PassSite &site, PassState &state) -> llvm::Expected<PassResult> {
         ++asked;
         return adding("s_nop 1", first(site))(site, state);
       }});
  pipeline.passes.push_back(
      {&kBusy, {}, [&](const PassSite &site, PassState &state) -> llvm::Expected<PassResult> {
         return ++rounds > 4 ? PassResult{} : adding("s_nop 2", first(site))(site, state);
       }});
  auto result =
      runPipeline(test::parseText(test::kernelText("\ts_nop 0\n\tv_mov_b32_e32 v0, 0")), pipeline);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->steps.size(), 4U);
  EXPECT_EQ(asked, 2U); // In the first round, and once nothing else is to be done.
  ASSERT_EQ(result->remarks.size(), 1U);
  EXPECT_NE(result->remarks[0].message.find("its time would rise: predicted 63.0000"),
            std::string::npos);
}

TEST(Fastest, AVariantOfAPassThatFoundNothingIsNotTried) {
  MadeUpTimes times("s_nop 2", 10, 10);
  EXPECT_EQ(runVariant(times, "usual").ways.size(), 3U); // Its step was taken back.
  MadeUpTimes both("s_nop", 10, 10);
  EXPECT_EQ(runVariant(both, "usual").ways.size(), 4U);
}

} // namespace
} // namespace rdna::appraiseTest
