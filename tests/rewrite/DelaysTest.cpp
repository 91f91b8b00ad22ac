// The s_delay_alu of what clang 22 compiled, taken out and computed anew: the same ones in the same
// places. LLVM 22 is the oracle for the rules, so a difference is a fault here.

#include "KernelRun.h"

#include "Code/Edit.h"
#include "Pipeline/Registry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace rdna::rewrite::delaysTest {
namespace {

std::unique_ptr<Module> parse(std::string text) {
  return test::unwrap(Module::parse(std::move(text), "k.s"), "k.s");
}

std::string withoutDelays(const Module &module) {
  std::vector<TextEdit> edits;
  for (const Instruction &inst : module.instructions())
    if (inst.op == Op::s_delay_alu)
      edits.push_back(removal(module, inst));
  return applyEdits(module, edits);
}

std::string withDelays(std::string text) {
  const Pipeline pipeline{.passes = choosePasses({{"delay-alu"}, {}})};
  return test::unwrap(runPipeline(parse(std::move(text)), pipeline), "k.s").text;
}

/// The instructions of each block.
std::vector<std::string> blocks(const Module &module) {
  std::vector<std::string> texts;
  for (uint32_t f = 0; f < module.functions().size(); ++f)
    for (const Block &block : buildCfg(module, f).blocks) {
      std::string &text = texts.emplace_back();
      for (uint32_t i = block.first; i < block.last; ++i)
        text += fmt::format("{}\n", module.instructionText(module.instructions()[i]));
    }
  return texts;
}

TEST(Delays, AreThoseOfTheCompiler) {
  unsigned kernels = 0, identical = 0;
  size_t delays = 0, all = 0;
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    if (kernel.compiler != "clang-22" || kernel.optimization != "O3")
      continue;
    SCOPED_TRACE(kernel.name);
    const std::string original = test::unwrap(readInput(kernel.assembly), kernel.assembly);
    const auto module = parse(original);
    const std::string bare = withoutDelays(*module);
    ASSERT_EQ(bare.find("\ts_delay_alu"), std::string::npos);
    const std::string set = withDelays(bare);
    const std::vector<std::string> were = blocks(*module), are = blocks(*parse(set));
    ASSERT_EQ(were.size(), are.size());
    for (size_t b = 0; b < were.size(); ++b)
      EXPECT_EQ(were[b], are[b]);
    ++kernels;
    identical += set == original;
    all += were.size();
    for (const Instruction &inst : module->instructions())
      delays += inst.op == Op::s_delay_alu;
    EXPECT_EQ(withDelays(original), original);
  }
  fmt::print("{} s_delay_alu in {} blocks of {} kernels, {} files byte for byte\n", delays, all,
             kernels, identical);
  EXPECT_GE(kernels, 49U);
  EXPECT_GE(delays, 1000U);
  // Debug labels and locations say more than an instruction without a location can follow.
  EXPECT_GE(identical + 1, kernels);
}

/// Other compilers' rules were other ones in a few places: up to LLVM 19 a scalar instruction
/// waited by a hint for the mask that a VALU instruction wrote. What is set once stays.
TEST(Delays, SetOnceTheyStay) {
  const std::set<std::string> combineMasks = {"scalar_alpha", "sgemm_double_buffered",
                                              "sgemm_guarded", "softmax"};
  unsigned kernels = 0, masked = 0, others = 0;
  for (const test::CompiledKernel &kernel : test::compiledKernels()) {
    if (kernel.compiler == "clang-22" || kernel.optimization != "O3")
      continue;
    SCOPED_TRACE(kernel.name + " " + kernel.compiler);
    const std::string original = test::unwrap(readInput(kernel.assembly), kernel.assembly);
    const std::string set = withDelays(original);
    EXPECT_EQ(withDelays(set), set);
    ++kernels;
    (combineMasks.count(kernel.name) ? masked : others) += set != original;
  }
  fmt::print("of {} kernels {} that combine masks changed, and {} others\n", kernels, masked,
             others);
  EXPECT_GE(kernels, 98U);
  EXPECT_LE(others, 2U);
}

} // namespace
} // namespace rdna::rewrite::delaysTest
