//===- TimingBench.cpp - what the timing model costs ----------------------===//
//
// Kernel 5 of the ladder and what all passes make of it (kernel 8), at N = 4096: emulation of the
// workgroups of a compute unit, prediction with its interval, the analytical estimate; and a
// rewrite that is judged by time against one that is judged by counts. Ratios are counters:
// `estimates` is how many analytical estimates a prediction takes, `emulation` the share of it that
// is emulation, `by_counts` how many rewrites by counts one by time takes.
//
//===----------------------------------------------------------------------===//
#include "Subject.h"

#include "Pipeline/Registry.h"
#include "Timing/Alcop.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>

#include <sys/resource.h>

using namespace rdna;
using namespace rdna::timing;

namespace {

constexpr const char *kernel5 = RDNA_KERNEL_DIR "/kernel5.clang-19.O3.s";
constexpr const char *launch5 = RDNA_SOURCE_DIR "/templates/kernel5.json";

std::string textOf5() { return bench::unwrap(readInput(kernel5)); }

std::string textOf8() {
  Pipeline pipeline{.passes = choosePasses({})};
  pipeline.request.assumptions = {Assumption::NoIndexWrap};
  return bench::unwrap(runPipeline(bench::unwrap(Module::parse(textOf5(), "k5.s")), pipeline)).text;
}

/// A text with its launch, to be observed again and again.
class Launched {
public:
  explicit Launched(const std::string &text)
      : object_(bench::unwrap(object::loadCodeObjectBytes(text, "bench.s"))),
        launch_(bench::unwrap(run::resolve(
            bench::unwrap(run::parseLaunchDescription(bench::unwrap(readInput(launch5)), launch5)),
            {{"N", 4096}}))),
        buffers_(bench::unwrap(run::BufferSet::allocate(launch_))) {
    buffers_->fill(1);
  }
  ObservedLaunch observed() {
    return bench::unwrap(observe(object_, *bench::unwrap(object_.kernel(launch_.kernel)), launch_,
                                 machine, {}, {buffers_.get()}));
  }
  const Machine machine = bench::unwrap(machineByName("7900xtx"));

private:
  object::CodeObject object_;
  run::ResolvedLaunch launch_;
  std::unique_ptr<run::BufferSet> buffers_;
};

/// Processor time of this program and of the programs that it has run to their ends.
double processorTime() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval &time : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return sum;
}

double seconds(auto &&work) {
  const double start = processorTime();
  work();
  return processorTime() - start;
}

void predictLaunch(benchmark::State &state, std::string (*text)()) {
  Launched launched(text());
  double emulation = 0, whole = 0, estimate = 0, before = 0;
  for (auto _ : state) {
    ObservedLaunch observed;
    emulation += seconds([&] { observed = launched.observed(); });
    whole +=
        seconds([&] { benchmark::DoNotOptimize(predict(observed, launched.machine, {}).high); });
    constexpr unsigned many = 100; // One is over before the clock has moved.
    estimate +=
        seconds([&] {
          for (unsigned n = 0; n < many; ++n)
            benchmark::DoNotOptimize(analyticalEstimate(
                observed, countNest(observed.recording, launched.machine), launched.machine));
        }) /
        many;
    state.SetIterationTime(emulation + whole - before);
    before = emulation + whole;
  }
  whole += emulation;
  state.counters["emulation"] = emulation / whole;
  state.counters["estimates"] = whole / estimate;
}
BENCHMARK_CAPTURE(predictLaunch, kernel5, textOf5)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK_CAPTURE(predictLaunch, kernel8, textOf8)->Unit(benchmark::kMillisecond)->UseManualTime();

void rewriteByTime(benchmark::State &state, const char *assume) {
  const std::string rewrite =
      fmt::format("{}/dualfmac-sched rewrite {} {} -o /dev/null --quiet 2>/dev/null", RDNA_BIN_DIR,
                  kernel5, assume);
  const std::string timed =
      fmt::format("{} --for=7900xtx --launch {} --param N=4096", rewrite, launch5);
  double byTime = 0, byCounts = 0;
  for (auto _ : state) {
    int failed = 0;
    const double time = seconds([&] { failed |= std::system(timed.c_str()); });
    state.SetIterationTime(time);
    byTime += time;
    byCounts += seconds([&] { failed |= std::system(rewrite.c_str()); });
    if (failed != 0)
      return state.SkipWithError("dualfmac-sched is not built or has failed");
  }
  state.counters["by_counts"] = byTime / byCounts;
}
BENCHMARK_CAPTURE(rewriteByTime, kernel5, "")->Unit(benchmark::kSecond)->UseManualTime();
BENCHMARK_CAPTURE(rewriteByTime, kernel5_no_index_wrap, "--assume=no-index-wrap")
    ->Unit(benchmark::kSecond)
    ->UseManualTime();

} // namespace
