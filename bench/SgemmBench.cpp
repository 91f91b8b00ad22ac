//===- SgemmBench.cpp - whole kernels on the emulator ---------------------===//
//
// The ladder's kernels at N = 1024 on one host thread: the JIT against the interpreter and against
// the host's FMA peak, measured alternately in one run; and what compiling costs.
//
//===----------------------------------------------------------------------===//
#include "HostPeak.h"
#include "Subject.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

using namespace rdna;

namespace {

void sgemm(benchmark::State &state, const char *kernel, const char *launch) {
  constexpr double n = 1024, flops = 2 * n * n * n;
  for (auto _ : state) {
    bench::Subject subject(std::string(RDNA_KERNEL_DIR "/") + kernel,
                           std::string(RDNA_SOURCE_DIR "/templates/") + launch,
                           {{"N", int64_t(n)}});
    double interpreted = 1e30, compiled = 1e30;
    auto start = std::chrono::steady_clock::now();
    const double first = subject.seconds(emu::Engine::Jit);
    const double whole =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (unsigned k = 0; k < 4; ++k) {
      interpreted = std::min(interpreted, subject.seconds(emu::Engine::Interpreter));
      compiled = std::min(compiled, subject.seconds(emu::Engine::Jit));
    }
    state.counters["interpreter_GFLOP/s"] = flops / interpreted * 1e-9;
    state.counters["jit_GFLOP/s"] = flops / compiled * 1e-9;
    state.counters["faster"] = interpreted / compiled;
    state.counters["jit_of_peak"] = flops / compiled * 1e-9 / bench::hostPeakGflops();
    state.counters["compile_s"] = whole - first;
  }
}

#define KERNEL(name, launch)                                                                       \
  BENCHMARK_CAPTURE(sgemm, name, #name ".clang-22.O3.s", launch)                                   \
      ->Iterations(1)                                                                              \
      ->Unit(benchmark::kSecond)
KERNEL(kernel2, "kernel2.json");
KERNEL(kernel4, "kernel4.json");
KERNEL(kernel5, "kernel5.json");

} // namespace
