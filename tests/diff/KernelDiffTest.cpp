// Interpreter and JIT agree on what compilers write: bytes of all buffers, instruction counts and
// accesses out of bounds, on one host thread and on two, with whole workgroups and with ones whose
// last wave is partial. RDNA_KERNELS=all takes every kernel of every compiler instead of a sample.

#include "KernelRun.h"

#include "Run/Buffers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <unistd.h>

namespace rdna::test::kernelDiffTest {
namespace {

/// Everything that a run leaves behind. An error is a result too.
struct Result {
  std::string error;
  std::vector<std::vector<std::byte>> buffers;
  uint64_t instructions = 0, compiled = 0;
  std::vector<std::string> bounds;
};

Result runOn(const EmulatedFile &file, const run::ResolvedLaunch &launch, run::BufferSet &buffers,
             emu::Engine engine, unsigned threads) {
  buffers.fill(0);
  run::RunOptions options;
  options.instructionBudget = waveBudget;
  options.engine = engine;
  options.threads = threads;
  Result r;
  llvm::Expected<run::RunOutcome> outcome = file.loaded->run(launch, buffers, options);
  if (!outcome) {
    r.error = llvm::toString(outcome.takeError());
    return r;
  }
  r.buffers = buffers.snapshot();
  r.instructions = outcome->instructions;
  r.compiled = outcome->compiledInstructions;
  for (const run::BoundsFinding &b : outcome->bounds)
    r.bounds.push_back(fmt::format("{}: {} of kind {}: {} lanes, {:#x} to {:#x}", b.address,
                                   b.instruction, int(b.kind), b.lanes, b.firstAddress,
                                   b.lastAddress));
  return r;
}

/// Returns the share of the instructions that compiled code executed.
double compareEngines(const EmulatedFile &file, const run::ResolvedLaunch &launch) {
  const auto buffers = unwrap(run::BufferSet::allocate(launch), "buffers");
  const Result wanted = runOn(file, launch, *buffers, emu::Engine::Interpreter, 1);
  double share = 0;
  for (unsigned threads : {1U, 2U}) {
    SCOPED_TRACE(fmt::format("{} threads, {} work-items", threads, launch.block[0]));
    const Result got = runOn(file, launch, *buffers, emu::Engine::Jit, threads);
    EXPECT_EQ(got.error, wanted.error);
    EXPECT_EQ(got.instructions, wanted.instructions);
    EXPECT_EQ(got.bounds, wanted.bounds);
    EXPECT_TRUE(got.buffers == wanted.buffers) << "the buffers differ";
    share = wanted.instructions ? double(got.compiled) / double(wanted.instructions) : 0;
  }
  return share;
}

/// The same launch with fewer work-items, so that the last wave of each group is partial.
run::ResolvedLaunch withPartialWave(run::ResolvedLaunch launch, uint32_t random) {
  const uint32_t most = std::min(31U, launch.block[0] - 1);
  launch.block[0] -= most ? 1 + random % most : 0;
  return launch;
}

/// Of the manifest, one kernel in `step`, each with another compiler and level than the one before.
std::vector<CompiledKernel> sample(size_t step) {
  std::vector<CompiledKernel> all = compiledKernels(), some;
  for (size_t n = 0; n < all.size(); n += step)
    some.push_back(all[n]);
  return some;
}

bool wantsAll() {
  const char *text = std::getenv("RDNA_KERNELS");
  return text && std::string_view(text) == "all";
}

TEST(KernelDiff, CompiledKernels) {
  std::mt19937 random(1); // NOLINT: the same launches every time.
  double least = 1, sum = 0;
  const std::vector<CompiledKernel> kernels = sample(wantsAll() ? 1 : 13);
  for (const CompiledKernel &kernel : kernels) {
    SCOPED_TRACE(kernel.assembly);
    const run::ResolvedLaunch launch = launchOf(kernel);
    const EmulatedFile file(kernel.assembly, launch.kernel);
    const double share = compareEngines(file, launch);
    compareEngines(file, withPartialWave(launch, uint32_t(random())));
    least = std::min(least, share);
    sum += share;
  }
  std::printf("%zu kernels; compiled code executed %.0f %% of the instructions, at least %.0f %%\n",
              kernels.size(), 100 * sum / double(kernels.size()), 100 * least);
  EXPECT_GT(sum, 0.5 * double(kernels.size())) << "little of it was compiled";
}

TEST(KernelDiff, RewrittenKernels) {
  std::vector<CompiledKernel> kernels = compiledKernels();
  std::erase_if(kernels, [&](const CompiledKernel &k) {
    bool one = (k.name == "sgemm_3x5" && k.compiler == "clang-16" && k.optimization == "O2") ||
               (k.name == "nbody" && k.compiler == "clang-22" && k.optimization == "O3");
    return !one && !(wantsAll() && k.optimization == "O3");
  });
  ASSERT_GE(kernels.size(), 2U);
  const std::string rewritten = testing::TempDir() + fmt::format("engine-diff-{}.s", getpid());
  for (const CompiledKernel &kernel : kernels) {
    SCOPED_TRACE(kernel.assembly);
    const std::string command = fmt::format("'{}/vgpr-remap' '{}' -o '{}' 2>/dev/null",
                                            RDNA_BIN_DIR, kernel.assembly, rewritten);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const run::ResolvedLaunch launch = launchOf(kernel);
    compareEngines(EmulatedFile(rewritten, launch.kernel), launch);
  }
  std::remove(rewritten.c_str());
}

} // namespace
} // namespace rdna::test::kernelDiffTest
