// Every program with calls, through every pass: the same bits, no finding of the checkers that the
// original does not give as well, and the same results when memory operations take their time.

#include "KernelRun.h"
#include "Pipeline/Registry.h"
#include "Run/Verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace rdna::rewrite::callsRewriteTest {
namespace {

using test::CompiledKernel;
using test::unwrap;

constexpr unsigned delayRuns = 3;

/// Findings by rule.
using Findings = std::map<std::string, unsigned>;

struct Judged {
  std::string problems;
  Findings findings;
};

class Program {
public:
  explicit Program(const CompiledKernel &kernel)
      : kernel_(kernel), text_(unwrap(readInput(kernel.assembly), kernel.assembly)),
        description_(unwrap(run::parseLaunchDescription(
                                unwrap(readInput(kernel.launch), kernel.launch), kernel.launch),
                            kernel.launch)),
        original_(unwrap(object::loadCodeObjectBytes(text_, kernel.assembly), kernel.assembly)) {}

  const std::string &text() const { return text_; }

  std::string rewritten(const PassChoice &passes) const {
    Pipeline pipeline;
    pipeline.passes = choosePasses(passes);
    auto module = unwrap(Module::parse(text_, kernel_.assembly), kernel_.assembly);
    PipelineResult result = unwrap(runPipeline(std::move(module), pipeline), kernel_.assembly);
    for (const Diagnostic &remark : result.remarks)
      takenBack_ += remark.message.find("was taken back") != std::string::npos;
    return std::move(result.text);
  }

  Judged judge(const std::string &text) const {
    const object::CodeObject object =
        unwrap(object::loadCodeObjectBytes(text, kernel_.assembly), kernel_.assembly);
    const auto under = [&](const object::CodeObject &of) {
      return run::KernelUnderTest{&of, unwrap(of.kernel(description_.kernel), kernel_.assembly)};
    };
    run::VerifyOptions options;
    options.exactness = run::Exactness::BitExact;
    options.run.threads = 1;
    options.run.instructionBudget = 1'000'000;
    options.run.checks = emu::CheckSet::all();
    options.delays = {1, delayRuns};
    Judged result;
    for (const run::VerifyCase &entry :
         unwrap(run::verify(*run::createEmulatorBackend(), description_, under(object),
                            under(original_), options),
                kernel_.assembly)) {
      if (!entry.bitExact)
        result.problems += "other bits; ";
      if (entry.delays && entry.delays->different > 0)
        result.problems += fmt::format("delayed, seed {}: {}; ", *entry.delays->firstDifferent,
                                       entry.delays->difference);
      for (const run::CheckFinding &finding : entry.findings)
        ++result.findings[finding.finding.rule];
    }
    return result;
  }

  unsigned takenBack() const { return takenBack_; }

private:
  const CompiledKernel &kernel_;
  std::string text_;
  run::LaunchDescription description_;
  object::CodeObject original_;
  mutable unsigned takenBack_ = 0;
};

std::vector<std::pair<std::string, PassChoice>> runsOfPasses() {
  std::vector<std::pair<std::string, PassChoice>> runs;
  for (const PassInfo &pass : allPasses())
    runs.emplace_back(pass.name, PassChoice{{std::string(pass.name)}, {}});
  runs.emplace_back("all passes", PassChoice());
  return runs;
}

TEST(CallsRewrite, EveryPassKeepsWhatCallersAndCalleesCountOn) {
  unsigned changed = 0, runs = 0, takenBack = 0;
  for (const CompiledKernel &kernel : test::compiledKernels("calls")) {
    const Program program(kernel);
    const std::string title =
        fmt::format("{} {} {}", kernel.name, kernel.compiler, kernel.optimization);
    const Judged was = program.judge(program.text());
    EXPECT_EQ(was.problems, "") << title;
    for (const auto &[name, passes] : runsOfPasses()) {
      ++runs;
      const std::string text = program.rewritten(passes);
      if (text == program.text())
        continue;
      ++changed;
      const Judged is = program.judge(text);
      EXPECT_EQ(is.problems, "") << title << ", " << name;
      for (const auto &[rule, count] : is.findings) {
        const auto known = was.findings.find(rule);
        EXPECT_LE(count, known == was.findings.end() ? 0 : known->second)
            << title << ", " << name << ": " << rule;
      }
    }
    takenBack += program.takenBack();
  }
  fmt::print("calls: {} of {} runs of passes changed the text, {} steps were taken back\n", changed,
             runs, takenBack);
  EXPECT_GT(changed, 200U);
  EXPECT_LT(50 * takenBack, runs);
}

} // namespace
} // namespace rdna::rewrite::callsRewriteTest
