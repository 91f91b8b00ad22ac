// Every kernel, as every compiler writes it, computes on the emulator what its reference computes.

#include "KernelRun.h"
#include "corpus/Reference.h"

#include "Run/Buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace rdna::corpus {

using test::CompiledKernel;
using test::unwrap;

static std::vector<double> values(const run::Buffer &buffer) {
  const unsigned size = run::bytesOf(buffer.facts.type);
  std::vector<double> result(buffer.bytes.size() / size);
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = run::loadElement(buffer.bytes.data() + i * size, buffer.facts.type);
  return result;
}

static Arguments argumentsOf(const run::ResolvedLaunch &launch, const run::BufferSet &buffers) {
  Arguments result;
  for (const run::Buffer &buffer : buffers.buffers())
    result.buffers.push_back(values(buffer));
  for (const run::ResolvedArgument &argument : launch.arguments)
    if (const auto *scalar = std::get_if<run::ResolvedScalar>(&argument))
      if (scalar->type == run::ElementType::F32)
        result.floats.push_back(scalar->asDouble());
  for (const auto &[name, value] : launch.parameters)
    result.parameters[name] = static_cast<long>(value);
  return result;
}

/// The expected contents of every buffer: inputs as they were, outputs as the reference has them.
static void expectContents(const run::BufferSet &got, const Arguments &wanted, double tolerance) {
  for (size_t b = 0; b < got.buffers().size(); ++b) {
    const std::vector<double> have = values(got.buffers()[b]), &want = wanted.buffers[b];
    const bool output = got.buffers()[b].facts.role == run::BufferArgument::Role::Output;
    double largest = 0;
    for (const double value : want)
      largest = std::max(largest, std::abs(value));
    const double allowed = output ? tolerance * largest : 0;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < want.size(); ++i)
      if (!(std::abs(have[i] - want[i]) <= allowed) && wrong++ == 0) // Also counts a NaN.
        first = i;
    EXPECT_EQ(wrong, 0U) << "of " << want.size() << " elements of buffer " << b << "; element "
                         << first << " is " << have[first] << ", should be " << want[first];
  }
}

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
