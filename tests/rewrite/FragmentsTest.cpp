// LDS loads that are issued a step earlier, in kernels that are full of steps: proven, the same
// bits on the emulator with its checks on, nothing left to do on a second run, and nothing worse.

#include "KernelRun.h"

#include "Pipeline/Registry.h"
#include "Run/Verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rdna::rewrite::fragmentsTest {
namespace {

std::unique_ptr<Module> parse(std::string text, const std::string &name) {
  return test::unwrap(Module::parse(std::move(text), name), name);
}

using Passes = std::set<std::string, std::less<>>;

PipelineResult climbed(std::string text, const std::string &name, Passes passes,
                       OccupancyLoss occupancy) {
  Pipeline pipeline;
  pipeline.passes = choosePasses({std::move(passes), {}});
  pipeline.request.occupancy = occupancy;
  return test::unwrap(runPipeline(parse(std::move(text), name), pipeline), name);
}

/// What the emulator finds in `is`, compared with `was`.
std::string compare(const test::CompiledKernel &kernel, std::string_view was, std::string_view is) {
  const run::LaunchDescription description =
      test::unwrap(run::parseLaunchDescription(
                       test::unwrap(readInput(kernel.launch), kernel.launch), kernel.launch),
                   kernel.launch);
  const auto load = [&](std::string_view text) {
    return test::unwrap(object::loadCodeObjectBytes(text, kernel.assembly), kernel.assembly);
  };
  const auto under = [&](const object::CodeObject &object) {
    return run::KernelUnderTest{&object,
                                test::unwrap(object.kernel(description.kernel), kernel.assembly)};
  };
  const object::CodeObject original = load(was), rewritten = load(is);
  run::VerifyOptions options;
  if (kernel.set.empty())
    options.parameters = {{{"N", 128}}};
  options.exactness = run::Exactness::BitExact;
  options.run.instructionBudget = test::waveBudget;
  options.run.checks.add(emu::Check::Waits);
  std::string problems;
  for (const run::VerifyCase &entry :
       test::unwrap(run::verify(*run::createEmulatorBackend(), description, under(rewritten),
                                under(original), options),
                    kernel.assembly)) {
    if (!entry.bitExact)
      problems += fmt::format("input {}: other bits\n", entry.input);
    if (!entry.findings.empty())
      problems += fmt::format("input {}: {} findings\n", entry.input, entry.findings.size());
  }
  return problems;
}

/// Of all loops of a kernel.
struct Counts {
  unsigned valu = 0, single = 0, conflicts = 0, hazards = 0, waves = 0;
};
Counts count(const KernelMetrics &kernel) {
  Counts counts;
  counts.waves = kernel.occupancy.wavesPerSimd;
  for (const LoopMetrics &loop : kernel.loops) {
    counts.valu += loop.valu;
    counts.single += loop.singleFmac;
    counts.conflicts += loop.sourceBankConflicts;
    counts.hazards += loop.parityHazards;
  }
  return counts;
}

struct Tally {
  unsigned kernels = 0, changed = 0, refusals = 0;
  uint64_t loads = 0, renamed = 0;
};

void check(const test::CompiledKernel &kernel, OccupancyLoss occupancy, Tally &tally) {
  SCOPED_TRACE(kernel.name + " " + kernel.compiler);
  const std::string text = test::unwrap(readInput(kernel.assembly), kernel.assembly);
  const PipelineResult steps =
      climbed(text, kernel.assembly, {"vgpr-remap", "unroll", "waits"}, occupancy);
  const PipelineResult result = climbed(steps.text, kernel.assembly, {"fragments"}, occupancy);
  ++tally.kernels;
  for (const Diagnostic &remark : result.remarks) {
    ++tally.refusals;
    EXPECT_EQ(remark.message.find("could not be proven"), std::string::npos) << remark.message;
  }
  for (const StepReport &step : result.steps) {
    tally.loads += step.number("lds_loads_moved");
    tally.renamed += step.number("lds_loads_renamed");
    const auto field = [&](const char *when, std::string_view key) {
      for (const ReportField &f : std::get<ReportValue::Object>(step.find(when)->data()))
        if (f.key == key)
          return std::get<uint64_t>(f.value.data());
      return uint64_t(0);
    };
    EXPECT_GE(field("after", "fmacs_least"), field("before", "fmacs_least"));
    EXPECT_GE(field("after", "fmacs_median"), field("before", "fmacs_median"));
  }
  if (result.steps.empty()) {
    EXPECT_EQ(result.text, steps.text);
    return;
  }
  ++tally.changed;
  EXPECT_EQ(climbed(result.text, kernel.assembly, {"fragments"}, occupancy).text, result.text);
  for (const KernelChange &change : result.kernels) {
    const Counts before = count(change.before), after = count(change.after);
    EXPECT_LE(after.valu, before.valu);
    EXPECT_LE(after.single, before.single);
    EXPECT_LE(after.conflicts, before.conflicts);
    EXPECT_LE(after.hazards, before.hazards);
    if (occupancy == OccupancyLoss::Refuse) {
      EXPECT_GE(after.waves, before.waves);
    }
  }
  EXPECT_EQ(compare(kernel, text, result.text), "");
}

void report(const Tally &tally) {
  fmt::print("{} kernels, {} changed: {} LDS loads moved, {} renamed; {} remarks\n", tally.kernels,
             tally.changed, tally.loads, tally.renamed, tally.refusals);
}

TEST(Fragments, KernelsOfSteps) {
  Tally tally;
  for (const test::CompiledKernel &kernel : test::compiledKernels("fragments"))
    check(kernel, OccupancyLoss::Refuse, tally);
  report(tally);
  EXPECT_GE(tally.changed, 20U);
}

TEST(Fragments, Ladder) {
  Tally tally;
  for (const test::CompiledKernel &kernel : test::compiledKernels())
    if (kernel.set.empty() && kernel.optimization == "O3" &&
        (kernel.name == "kernel3" || kernel.name == "kernel4" || kernel.name == "kernel5"))
      for (const OccupancyLoss occupancy : {OccupancyLoss::Refuse, OccupancyLoss::Allow})
        check(kernel, occupancy, tally);
  report(tally);
  EXPECT_GE(tally.changed, 9U);
}

} // namespace
} // namespace rdna::rewrite::fragmentsTest
