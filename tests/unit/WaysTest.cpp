// Which way through the passes is taken: the end that costs least and is in nothing worse.

#include "Pipeline/Ways.h"

#include "AsmSnippet.h"

#include "Code/Build.h"

namespace rdna::waysTest {
namespace {

/// A pass that makes one edit of a kernel's first instruction, or none.
PassInvocation made(std::function<std::optional<TextEdit>(const Module &)> edit) {
  static constexpr PassInfo kMadeUp{.name = "made-up", .help = "", .needs = PassNeeds::Understood};
  return {&kMadeUp, {}, [=](const PassSite &site, PassState &) -> llvm::Expected<PassResult> {
            PassResult result{{}, PassResult::Next::Done};
            if (auto found = edit(site.module)) {
              result.proposal.emplace();
              result.proposal->price = Price::Anything;
              result.proposal->edits = {std::move(*found)};
            }
            return result;
          }};
}

PassInvocation idle() {
  return made([](const Module &) { return std::nullopt; });
}

/// Puts a move that nobody needs in front.
PassInvocation adding() {
  return made([](const Module &module) -> std::optional<TextEdit> {
    const Instruction &first = module.instructions()[0];
    return replacement(
        first, Code::text("v_mov_b32_e32 v9, 0\n\t" + std::string(module.instructionText(first))));
  });
}

/// Takes a move to v9 away, as long as there is one.
PassInvocation removing() {
  return made([](const Module &module) -> std::optional<TextEdit> {
    for (const Instruction &inst : module.instructions())
      if (module.instructionText(inst).find("v9") != std::string_view::npos)
        return replacement(inst, Code::text("s_nop 0"));
    return std::nullopt;
  });
}

/// Two FMAs that could share an instruction, and two moves that nobody needs.
const char *const kBody = "\tv_mov_b32_e32 v9, 0\n\tv_mov_b32_e32 v9, 1\n"
                          "\tv_fmac_f32_e32 v2, v4, v5\n\tv_fmac_f32_e32 v3, v5, v6\n"
                          "\tds_store_2addr_b32 v0, v2, v3 offset1:1";

uint64_t valuOf(const std::string &body, std::vector<OtherWay> ways) {
  Pipeline pipeline;
  pipeline.passes = {idle()};
  pipeline.rounds = Rounds::One;
  pipeline.ways = std::move(ways);
  auto result = runPipeline(test::parseKernel(body), pipeline);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return 0;
  }
  return result->kernels[0].allAfter.code.valu;
}

TEST(Ways, OnesThatGainAreGoneUntilNoneDoes) {
  EXPECT_EQ(valuOf(kBody, {}), 4U);
  EXPECT_EQ(valuOf(kBody, {{{removing()}, {idle()}}}), 2U);
}

TEST(Ways, OneThatEndsWorseIsNotTaken) {
  EXPECT_EQ(valuOf(kBody, {{{adding()}, {idle()}}}), 4U);
  EXPECT_EQ(valuOf(kBody, {{{adding()}, {removing()}}}), 4U);
}

TEST(Ways, WhereNothingIsLeftThereIsNone) {
  EXPECT_EQ(valuOf("\tv_mov_b32_e32 v9, 0", {{{removing()}, {idle()}}}), 1U);
}

TEST(Ways, AnotherOrderIsOfNoUseWhereThePassesFindNothing) {
  EXPECT_EQ(valuOf(kBody, {{{}, {removing()}}}), 4U);
}

} // namespace
} // namespace rdna::waysTest
