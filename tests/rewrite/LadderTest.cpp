// Unrolling, alone and behind the remapping, of every kernel that the build compiles: proven, the
// same bits on the emulator, nothing left to do on a second run, untouched where nothing was found.

#include "KernelRun.h"

#include "Analysis/Regions.h"
#include "Asm/LdsOffsets.h"
#include "Code/Edit.h"
#include "Pipeline/Registry.h"
#include "Run/Verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace rdna::rewrite::ladderTest {
namespace {

std::string errorText(llvm::Error error) {
  std::string text;
  renderError(std::move(error), "test", text);
  return text;
}

struct Outcome {
  std::string problem; ///< Empty if all is well.
  unsigned unrolled = 0, rebased = 0;
  bool changed = false;
  uint64_t before = 0, after = 0; ///< Instructions of all iterations of the unrolled loops.
};

/// Both files compute the same bits.
std::string compareBits(const test::CompiledKernel &kernel, std::string_view was,
                        std::string_view is) {
  run::LaunchDescription description =
      test::unwrap(run::parseLaunchDescription(
                       test::unwrap(readInput(kernel.launch), kernel.launch), kernel.launch),
                   kernel.launch);
  const object::CodeObject original =
      test::unwrap(object::loadCodeObjectBytes(was, kernel.assembly), kernel.assembly);
  const object::CodeObject rewritten =
      test::unwrap(object::loadCodeObjectBytes(is, kernel.assembly), kernel.assembly);
  const std::unique_ptr<run::Backend> backend = run::createEmulatorBackend();
  run::VerifyOptions options;
  if (kernel.set.empty())
    options.parameters = {{{"N", 128}}};
  options.exactness = run::Exactness::BitExact;
  options.run.threads = 1;
  options.run.instructionBudget = test::waveBudget;
  auto cases =
      run::verify(*backend, description,
                  {&rewritten, test::unwrap(rewritten.kernel(description.kernel), kernel.assembly)},
                  run::KernelUnderTest{&original, test::unwrap(original.kernel(description.kernel),
                                                               kernel.assembly)},
                  options);
  if (!cases)
    return errorText(cases.takeError());
  for (const run::VerifyCase &entry : *cases)
    if (!entry.bitExact)
      return fmt::format("input {}: other bits", entry.input);
  return {};
}

/// Passes by name (empty: all) and values of their options, under assumptions.
Pipeline pipelineOf(const PassChoice &choice, std::set<Assumption> assumptions = {}) {
  Pipeline pipeline;
  pipeline.passes = choosePasses(choice);
  pipeline.request.assumptions = std::move(assumptions);
  return pipeline;
}

Outcome check(const test::CompiledKernel &kernel, const Pipeline &pipeline) {
  const std::string text = test::unwrap(readInput(kernel.assembly), kernel.assembly);
  auto module = Module::parse(text, kernel.assembly);
  Outcome outcome;
  if (!module)
    return outcome.problem = errorText(module.takeError()), outcome;
  auto result = runPipeline(std::move(*module), pipeline);
  if (!result)
    return outcome.problem = errorText(result.takeError()), outcome;
  for (const auto &step : result->steps)
    if (step.pass == "unroll") {
      ++outcome.unrolled;
      outcome.before += step.number("trips") * step.metrics("before").instructions;
      outcome.after += step.metrics("after").instructions;
    } else if (step.pass == "sgpr-base") {
      ++outcome.rebased;
      outcome.before += step.metrics("before").instructions;
      outcome.after += step.metrics("after").instructions;
    }
  if (result->steps.empty() && result->text != text)
    return outcome.problem = "changed, although no pass found anything", outcome;
  outcome.changed = result->text != text;
  const bool isRemapped =
      std::all_of(result->steps.begin(), result->steps.end(),
                  [](const StepReport &step) { return step.pass == "vgpr-remap"; });
  if (isRemapped) // That alone has tests of its own.
    return outcome;
  // The module is what the parser makes of its text: the pipeline has compared them.
  auto again = runPipeline(std::move(result->module), pipeline);
  if (!again)
    outcome.problem = errorText(again.takeError());
  else if (again->text != result->text)
    outcome.problem = "a second run changes something";
  else
    outcome.problem = compareBits(kernel, text, result->text);
  return outcome;
}

/// Over all kernels, on two threads.
struct Fewest {
  unsigned unrolled = 0, rebased = 0, changed = 0;
};
void checkAll(const std::vector<test::CompiledKernel> &kernels, const Pipeline &pipeline,
              Fewest fewest) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  unsigned unrolled = 0, rebased = 0, changed = 0;
  uint64_t before = 0, after = 0;
  const auto work = [&] {
    for (size_t i = next++; i < kernels.size(); i = next++) {
      const Outcome outcome = check(kernels[i], pipeline);
      const std::lock_guard lock(mutex);
      unrolled += outcome.unrolled;
      rebased += outcome.rebased;
      changed += outcome.changed;
      before += outcome.before;
      after += outcome.after;
      EXPECT_EQ(outcome.problem, "")
          << kernels[i].name << " " << kernels[i].compiler << " " << kernels[i].optimization;
    }
  };
  std::thread other(work);
  work();
  other.join();
  fmt::print("{} kernels, {} changed: {} loops unrolled, {} functions with scalar bases, {} "
             "instructions in their loops -> {}\n",
             kernels.size(), changed, unrolled, rebased, before, after);
  EXPECT_GE(changed, fewest.changed);
  EXPECT_GE(unrolled, fewest.unrolled);
  EXPECT_GE(rebased, fewest.rebased);
  EXPECT_LE(after, before);
}

TEST(Ladder, UnrollingAlone) {
  checkAll(test::compiledKernels(), pipelineOf({{"unroll"}, {}}), {.unrolled = 30});
}

/// Three at a time, of any loop whose iterations can be counted at its head.
TEST(Ladder, UnrollingByFactor) {
  checkAll(test::compiledKernels(), pipelineOf({{"unroll"}, {{"unroll", 3}}}), {.unrolled = 80});
}

/// The emulator watches the index of what was rewritten under the assumption.
TEST(Ladder, ScalarBasesAlone) {
  checkAll(test::compiledKernels(), pipelineOf({{"sgpr-base"}, {}}, {Assumption::NoIndexWrap}),
           {.rebased = 120});
}

std::vector<test::CompiledKernel> kernelsOfO3() {
  std::vector<test::CompiledKernel> kernels = test::compiledKernels();
  std::erase_if(kernels, [](const test::CompiledKernel &k) { return k.optimization != "O3"; });
  return kernels;
}

/// Global accesses in the loop of each kernel of addressing/ that get a scalar base, by whatever
/// compiler it was made.
TEST(Ladder, Addressing) {
  const std::map<std::string, unsigned> expected = {
      {"backwards", 1},    {"batched", 1},          {"batched_offsets", 1},
      {"column_major", 2}, {"divergent", 0},        {"gather", 2},
      {"row_major", 1},    {"wide_lane_stride", 0}, {"wide_stride", 1}};
  const Pipeline pipeline = pipelineOf({{"sgpr-base"}, {}}, {Assumption::NoIndexWrap});
  unsigned checked = 0;
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    if (kernel.set != "addressing")
      continue;
    SCOPED_TRACE(kernel.name + " " + kernel.compiler);
    ++checked;
    const std::string text = test::unwrap(readInput(kernel.assembly), kernel.assembly);
    auto result = runPipeline(test::unwrap(Module::parse(text, "k.s"), "k.s"), pipeline);
    ASSERT_TRUE(bool(result)) << errorText(result.takeError());
    unsigned accesses = 0;
    for (const auto &step : result->steps)
      if (step.text("place") == "loops")
        accesses += step.number("accesses");
    EXPECT_EQ(accesses, expected.at(kernel.name));
    EXPECT_EQ(compareBits(kernel, text, result->text), "");
  }
  EXPECT_EQ(checked, 3 * expected.size());
}

/// Those that change nothing but when code runs, and those that find nothing in compilers' output.
TEST(Ladder, OtherPassesAlone) {
  for (const auto &[pass, changed] :
       std::initializer_list<std::pair<const char *, unsigned>>{{"spread-loads", 0},
                                                                {"merge-stores", 0},
                                                                {"reschedule", 20},
                                                                {"waits", 50},
                                                                {"clause", 80},
                                                                {"setprio", 40},
                                                                {"delay-alu", 2}}) {
    SCOPED_TRACE(pass);
    checkAll(kernelsOfO3(), pipelineOf({{pass}, {}}), {.changed = changed});
  }
}

TEST(Ladder, AllPasses) {
  const std::vector<test::CompiledKernel> kernels = kernelsOfO3();
  checkAll(kernels, pipelineOf({}, {Assumption::NoIndexWrap}), {.unrolled = 30, .rebased = 60});
}

/// Passes one at a time, in the documented order, backwards and shuffled: every order is proven
/// step by step and computes the same bits.
TEST(Ladder, EveryOrder) {
  constexpr unsigned seed = 20261120;
  constexpr unsigned shuffled = 4;
  std::mt19937 random(seed);
  fmt::print("seed {}\n", seed);
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    static const std::set<std::string> names = {
        "kernel3",        "kernel4", "kernel5",   "conv2d",     "several_loops", "nested_loops",
        "horner_literal", "cgemm",   "gemv_sgpr", "fft_radix4", "batched_3x3",   "scalar_alpha"};
    if (!names.contains(kernel.name) || kernel.optimization != "O3" ||
        kernel.compiler != "clang-22")
      continue;
    const std::string text = test::unwrap(readInput(kernel.assembly), kernel.assembly);
    std::vector<std::string> order;
    for (const PassInfo &pass : allPasses())
      order.emplace_back(pass.name);
    for (unsigned n = 0; n < 2 + shuffled; ++n) {
      if (n == 1)
        std::reverse(order.begin(), order.end());
      else if (n > 1)
        std::shuffle(order.begin(), order.end(), random);
      auto module = test::unwrap(Module::parse(text, kernel.assembly), kernel.assembly);
      for (const std::string &pass : order) {
        // Unrolled first, blocks are too long for the search.
        PassChoice choice{{pass}, {{"max-block-fmas", 160}}};
        if (n % 2)
          choice.values["unroll"] = 2;
        auto result = runPipeline(std::move(module), pipelineOf(choice, {Assumption::NoIndexWrap}));
        ASSERT_TRUE(bool(result)) << kernel.name << " " << kernel.compiler << " order " << n << ": "
                                  << pass << ": " << errorText(result.takeError());
        module = std::move(result->module);
      }
      EXPECT_EQ(compareBits(kernel, text, module->text()), "")
          << kernel.name << " " << kernel.compiler << " order " << n;
    }
  }
}

/// The s_waitcnt of a region.
unsigned waitsIn(const Module &module, const Region &region) {
  return static_cast<unsigned>(
      std::count_if(region.instructions.begin(), region.instructions.end(),
                    [&](uint32_t i) { return module.instructions()[i].op == Op::s_waitcnt; }));
}

/// Runs of global loads: LDS loads and FMACs are what separates them.
std::vector<unsigned> loadRuns(const Module &module, const Region &region) {
  std::vector<unsigned> runs;
  bool open = false;
  for (const uint32_t i : region.instructions) {
    const Instruction &inst = module.instructions()[i];
    if (inst.unit == Unit::Global && inst.memory == MemoryEffect::Load) {
      if (!open)
        runs.push_back(0);
      ++runs.back();
      open = true;
    } else if (inst.isVopd() || inst.unit == Unit::Lds) {
      open = false;
    }
  }
  return runs;
}

/// The text with single stores where it had ds_store_2addr. Without clauses and delays, which count
/// instructions; a wait only waits for more when there are more.
std::string withSingleStores(std::string text, unsigned &split) {
  const auto module = test::unwrap(Module::parse(std::move(text), "k.s"), "k.s");
  std::vector<TextEdit> edits;
  for (const Instruction &inst : module->instructions()) {
    if (inst.op == Op::s_clause || inst.op == Op::s_delay_alu)
      edits.push_back(removal(*module, inst));
    const LdsOffsets fields = ldsOffsets(inst);
    if (inst.memory != MemoryEffect::Store || fields.fields != 2)
      continue;
    const auto &operands = inst.operands; // address, data, data, offset, offset
    std::string stores;
    for (unsigned n = 0; n < 2; ++n)
      stores += fmt::format("{}ds_store_b{} {}, {} offset:{}", n ? "\n\t" : "",
                            32 * operands[1].reg.dwords, toString(operands[0].reg),
                            toString(operands[1 + n].reg), operands[3 + n].imm * fields.unit);
    edits.push_back({inst.begin, inst.end, Code::text(stores)});
    ++split;
  }
  return applyEdits(*module, edits);
}

/// The compilers merge stores themselves, so what they merged is taken apart first.
TEST(Ladder, MergedStores) {
  const Pipeline pipeline = pipelineOf({{"merge-stores"}, {}});
  unsigned split = 0, merged = 0;
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    SCOPED_TRACE(kernel.name + " " + kernel.compiler + " " + kernel.optimization);
    const std::string text = test::unwrap(readInput(kernel.assembly), kernel.assembly);
    unsigned here = 0;
    const std::string single = withSingleStores(text, here);
    split += here;
    const std::string &input = here ? single : text;
    auto result = runPipeline(test::unwrap(Module::parse(input, "k.s"), "k.s"), pipeline);
    ASSERT_TRUE(bool(result)) << errorText(result.takeError());
    unsigned mergedHere = 0;
    for (const auto &step : result->steps)
      mergedHere += step.number("lds_stores_before") - step.number("lds_stores_after");
    merged += mergedHere;
    EXPECT_GE(mergedHere, here);
    if (mergedHere == 0) {
      EXPECT_EQ(result->text, input);
      continue;
    }
    auto again = runPipeline(test::unwrap(Module::parse(result->text, "k.s"), "k.s"), pipeline);
    ASSERT_TRUE(bool(again)) << errorText(again.takeError());
    EXPECT_EQ(again->text, result->text);
    EXPECT_EQ(compareBits(kernel, text, result->text), "");
  }
  fmt::print("{} stores to two addresses, taken apart: {} merged\n", split, merged);
  EXPECT_GE(split, 100U);
}

/// One pipe from kernel 5 to the arithmetic of the by-hand kernel 8.
TEST(Ladder, Kernel5) {
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    if (kernel.name != "kernel5" || kernel.optimization != "O3")
      continue;
    SCOPED_TRACE(kernel.compiler);
    auto module = Module::parse(test::unwrap(readInput(kernel.assembly), kernel.assembly), "k.s");
    ASSERT_TRUE(bool(module));
    auto result = runPipeline(std::move(*module), pipelineOf({}, {Assumption::NoIndexWrap}));
    ASSERT_TRUE(bool(result)) << errorText(result.takeError());
    ASSERT_FALSE(result->steps.empty());
    const KernelMetrics &kernelAfter = result->kernels.front().after;
    // One step of 8 of the main loop. The by-hand kernel 8: 715 instructions, 530 VALU. The last
    // step, which loads nothing, is another piece of the loop's code.
    const auto after = test::unwrap(Module::parse(result->text, "k.s"), "k.s");
    const std::vector<Region> steps = test::unwrap(findRegions(*after, {0}, ".LBB0_3.main"), "k.s");
    ASSERT_EQ(steps.size(), 1U);
    const LoopMetrics step = measure(*after, steps.front().instructions);
    EXPECT_EQ(step.dualFmac, 512U);
    EXPECT_EQ(step.singleFmac, 0U);
    EXPECT_LE(step.valu, 516U);
    EXPECT_LE(step.instructions - step.hints, 660U);
    EXPECT_LE(step.instructions, 690U);
    EXPECT_EQ(step.globalLoads, 16U);
    EXPECT_EQ(step.sourceBankConflicts, 0U);
    EXPECT_EQ(step.parityHazards, 0U);
    EXPECT_LE(kernelAfter.sgprs, 106U);
    const StepReport *loop = nullptr;
    for (const StepReport &done : result->steps)
      if (done.pass == "unroll")
        loop = &done;
    ASSERT_NE(loop, nullptr);
    EXPECT_EQ(loop->number("trips"), 8U);
    const LoopMetrics unrolled = loop->metrics("after");
    EXPECT_EQ(unrolled.dualFmac, 512U);
    EXPECT_EQ(unrolled.singleFmac, 0U);
    EXPECT_EQ(unrolled.valu, 512U); // None for LDS addresses.
    EXPECT_EQ(unrolled.sourceBankConflicts, 0U);
    EXPECT_EQ(unrolled.parityHazards, 0U);
    EXPECT_LE(unrolled.dsLoads, 96U);
    EXPECT_LE(waitsIn(*after, steps.front()), 10U); // The by-hand kernel 8's.
    EXPECT_EQ(loadRuns(*after, steps.front()), std::vector<unsigned>(8, 2)); // Two per iteration.
    EXPECT_GE(result->kernels.front().after.occupancy.wavesPerSimd,
              result->kernels.front().before.occupancy.wavesPerSimd);
  }
}

} // namespace
} // namespace rdna::rewrite::ladderTest
