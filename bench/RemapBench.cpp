// The whole rewriting of ladder kernel 5 (read, search, emit, read anew, prove, recount), and the
// share of it that is the proof, in one run.

#include "Pipeline/Registry.h"
#include "Support/File.h"
#include "Verify/Verify.h"

#include <benchmark/benchmark.h>

#include <chrono>

using namespace rdna;

namespace {

std::unique_ptr<Module> readKernel(benchmark::State &state, const char *name) {
  const std::string path = std::string(RDNA_KERNEL_DIR) + "/" + name;
  auto text = readInput(path);
  if (!text) {
    state.SkipWithError("kernel not built");
    llvm::consumeError(text.takeError());
    return nullptr;
  }
  auto module = Module::parse(std::move(*text), path);
  if (!module) {
    state.SkipWithError("kernel does not parse");
    llvm::consumeError(module.takeError());
    return nullptr;
  }
  return std::move(*module);
}

void BM_RemapKernel5(benchmark::State &state, const char *name) {
  double proof = 0, total = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto module = readKernel(state, name);
    if (!module)
      return;
    state.ResumeTiming();
    const auto start = std::chrono::steady_clock::now();
    Pipeline pipeline = remapPipeline();
    pipeline.onStep = [&](const ProvenStep &step) {
      const auto before = std::chrono::steady_clock::now();
      auto again = proveEquivalent(step.before, step.after, step.claims);
      benchmark::DoNotOptimize(again);
      llvm::consumeError(again.takeError());
      proof += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    };
    auto result = runPipeline(std::move(module), pipeline);
    if (!result) {
      state.SkipWithError("refused");
      llvm::consumeError(result.takeError());
      return;
    }
    total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  state.counters["proof_share"] = proof / total;
}

BENCHMARK_CAPTURE(BM_RemapKernel5, clang16, "kernel5.clang-16.O3.s")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_RemapKernel5, clang19, "kernel5.clang-19.O3.s")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_RemapKernel5, clang22, "kernel5.clang-22.O3.s")->Unit(benchmark::kMillisecond);

} // namespace
