// Waits are exact behind the passes: each one weakened by one, field by field, is refused, by the
// rules of one text (a register is touched too early), by the proof (something that was waited for
// at a barrier, a branch or a call is not) or by the emulator's wait check.

#include "KernelRun.h"

#include "Analysis/Waits.h"
#include "Code/Build.h"
#include "Code/Edit.h"
#include "Pipeline/Registry.h"
#include "Run/Verify.h"
#include "Verify/Verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace rdna::rewrite::waitsTest {
namespace {

struct Subject {
  const char *kernel, *compiler;
};

/// Of many shapes: unrolled, with barriers, with spills, with scalar loads in loops.
constexpr Subject subjects[] = {
    {"kernel5", "clang-16"},   {"kernel5", "clang-19"},      {"kernel5", "clang-22"},
    {"kernel2", "clang-22"},   {"kernel3", "clang-19"},      {"kernel4", "clang-22"},
    {"cgemm", "clang-19"},     {"sgemm_3x5", "clang-16"},    {"sgemm_5x7", "clang-22"},
    {"sgemm_8x8", "clang-16"}, {"sgemm_16x8", "clang-22"},   {"fft_radix4", "clang-16"},
    {"spill", "clang-16"},     {"prefix_sum", "clang-16"},   {"softmax", "clang-22"},
    {"histogram", "clang-16"}, {"gemv_sgpr", "clang-19"},    {"nbody", "clang-16"},
    {"sgemm_7x6", "clang-22"}, {"kernel5_spill", "clang-19"}};

test::CompiledKernel find(const Subject &subject) {
  for (const test::CompiledKernel &kernel : test::compiledKernels())
    if (kernel.name == subject.kernel && kernel.compiler == subject.compiler &&
        kernel.optimization == "O3")
      return kernel;
  throw std::runtime_error(fmt::format("no {} of {}", subject.kernel, subject.compiler));
}

std::unique_ptr<Module> parse(std::string text) {
  return test::unwrap(Module::parse(std::move(text), "k.s"), "k.s");
}

struct Mutant {
  std::string what, text;
};

/// Every field of every s_waitcnt, one higher.
std::vector<Mutant> weakened(const Module &module) {
  std::vector<Mutant> mutants;
  for (const Instruction &inst : module.instructions()) {
    const auto counts = waitCounts(inst);
    const auto add = [&](std::optional<unsigned> WaitCounts::*field) {
      if (!counts || !((*counts).*field))
        return;
      WaitCounts weaker = *counts;
      ++*(weaker.*field);
      mutants.push_back({fmt::format("line {}: {} -> {}", inst.line, module.instructionText(inst),
                                     buildWait(weaker).text()),
                         applyEdits(module, {replacement(inst, buildWait(weaker))})});
    };
    add(&WaitCounts::vm);
    add(&WaitCounts::lgkm);
  }
  return mutants;
}

/// Both texts on the emulator with the wait check: problems of `is`, and findings of the check.
struct Launched {
  std::string problems;
  size_t findings = 0;
};

Launched runBoth(const test::CompiledKernel &kernel, std::string_view was, std::string_view is) {
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
  options.run.threads = 1;
  options.run.instructionBudget = test::waveBudget;
  options.run.checks.add(emu::Check::Waits);
  Launched result;
  for (const run::VerifyCase &entry :
       test::unwrap(run::verify(*run::createEmulatorBackend(), description, under(rewritten),
                                under(original), options),
                    kernel.assembly)) {
    result.findings += entry.findings.size();
    for (const std::string &problem : entry.problems)
      result.problems += problem + "\n";
  }
  return result;
}

struct Tally {
  unsigned waits = 0, mutants = 0, byRules = 0, byProof = 0, byEmulator = 0;
};

void weakenAll(const test::CompiledKernel &kernel, Tally &tally) {
  const auto result =
      test::unwrap(runPipeline(parse(test::unwrap(readInput(kernel.assembly), kernel.assembly)),
                               {.passes = choosePasses({})}),
                   kernel.assembly);
  EXPECT_FALSE(result.steps.empty()) << "not rewritten at all";
  const auto module = parse(result.text);
  std::optional<size_t> usual;
  for (const Instruction &inst : module->instructions())
    tally.waits += waitCounts(inst).has_value();
  for (const Mutant &mutant : weakened(*module)) {
    ++tally.mutants;
    const auto after = parse(mutant.text);
    auto proof = proveEquivalent(*module, *after, {});
    if (!proof) {
      llvm::consumeError(proof.takeError());
      ++tally.byProof;
      continue;
    }
    if (!proof->brokenRules.empty()) {
      ++tally.byRules;
      continue;
    }
    if (!usual)
      usual = runBoth(kernel, result.text, result.text).findings;
    if (runBoth(kernel, result.text, mutant.text).findings > *usual)
      ++tally.byEmulator;
    else
      ADD_FAILURE() << "nobody objects, so the wait is redundant: " << mutant.what;
  }
}

TEST(Waits, EachWeakenedByOneIsRefused) {
  Tally sum;
  unsigned kernels = 0;
  for (const Subject &subject : subjects) {
    SCOPED_TRACE(fmt::format("{} of {}", subject.kernel, subject.compiler));
    weakenAll(find(subject), sum);
    ++kernels;
  }
  fmt::print("{} kernels, {} s_waitcnt: {} weakened fields refused by rules {}, proof {}, emulator "
             "{}\n",
             kernels, sum.waits, sum.mutants, sum.byRules, sum.byProof, sum.byEmulator);
  EXPECT_GE(sum.mutants, 400U);
}

/// The pass by itself, on what compilers print.
TEST(Waits, AloneOnEveryKernel) {
  const Pipeline pipeline{.passes = choosePasses({{"waits"}, {}})};
  unsigned kernels = 0, changed = 0;
  uint64_t before = 0, after = 0;
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    if (kernel.optimization != "O3")
      continue;
    SCOPED_TRACE(fmt::format("{} of {}", kernel.name, kernel.compiler));
    const std::string text = test::unwrap(readInput(kernel.assembly), kernel.assembly);
    const auto result = test::unwrap(runPipeline(parse(text), pipeline), kernel.assembly);
    ++kernels;
    if (result.text == text)
      continue;
    ++changed;
    for (const auto &step : result.steps) {
      before += step.number("waits_before");
      after += step.number("waits_after");
    }
    EXPECT_EQ(test::unwrap(runPipeline(parse(result.text), pipeline), kernel.assembly).text,
              result.text)
        << "a second run changes something";
    const Launched run = runBoth(kernel, text, result.text);
    EXPECT_EQ(run.problems, "");
    EXPECT_EQ(run.findings, 0U);
  }
  fmt::print("{} of {} kernels changed: {} s_waitcnt -> {}\n", changed, kernels, before, after);
  EXPECT_GE(changed, 40U);
}

} // namespace
} // namespace rdna::rewrite::waitsTest
