// Every kernel, as every compiler writes it, computes on the emulator what its reference computes.

#include "KernelRun.h"
#include "corpus/Expect.h"

#include <gtest/gtest.h>

#include <set>

namespace rdna::corpus {

using test::CompiledKernel;
using test::unwrap;

static std::vector<CompiledKernel> compiledAs(const std::string &name) {
  std::vector<CompiledKernel> result = test::compiledKernels();
  std::erase_if(result, [&](const CompiledKernel &kernel) { return kernel.name != name; });
  return result;
}

class CorpusTest : public testing::TestWithParam<std::string> {};

TEST_P(CorpusTest, MatchesReference) {
  const auto found = references().find(GetParam());
  ASSERT_NE(found, references().end()) << "no reference for this kernel";
  const Reference &reference = found->second;
  const std::vector<CompiledKernel> compiled = compiledAs(GetParam());
  const run::ResolvedLaunch launch = test::launchOf(compiled.front());
  const std::unique_ptr<run::BufferSet> buffers =
      unwrap(run::BufferSet::allocate(launch), "buffers");
  buffers->fill(0);
  Arguments wanted = argumentsOf(launch, *buffers);
  reference.compute(wanted);

  for (const CompiledKernel &kernel : compiled) {
    SCOPED_TRACE(kernel.assembly);
    const test::EmulatedFile file(kernel.assembly, launch.kernel);
    buffers->fill(0);
    run::RunOptions options;
    options.instructionBudget = test::waveBudget;
    llvm::Expected<run::RunOutcome> outcome = file.loaded->run(launch, *buffers, options);
    if (!outcome) {
      ADD_FAILURE() << llvm::toString(outcome.takeError());
      continue;
    }
    for (const run::BoundsFinding &access : outcome->bounds)
      ADD_FAILURE() << "out of bounds: line " << access.line << ": " << access.instruction << ", "
                    << access.lanes << " lane(s), " << access.nearest;
    expectContents(*buffers, wanted, reference.tolerance);
  }
}

static std::set<std::string> kernelNames() {
  std::set<std::string> result;
  for (const CompiledKernel &kernel : test::compiledKernels())
    if (kernel.set != "addressing") // Those are compared with themselves, rewritten.
      result.insert(kernel.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CorpusTest, testing::ValuesIn(kernelNames()),
                         [](const auto &test) { return test.param; });

} // namespace rdna::corpus
