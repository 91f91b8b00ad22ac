//===- ObserveBench.cpp - what a listener costs ---------------------------===//
//
// Kernels of the ladder at N = 1024, one host thread, compiled where nobody listens. The listener
// takes what a model of time needs: offsets, jumps, EXEC and all addresses. `one`: on the first of
// the workgroups; `all`: on all of them; `idle`: on a workgroup that there is none of. `times` is
// the ratio to the same launch without a listener, the fastest of alternating runs of each.
//
//===----------------------------------------------------------------------===//
#include "Subject.h"

#include "Emu/Observe/Listener.h"

#include <benchmark/benchmark.h>

#include <algorithm>

using namespace rdna;

namespace {

class Summing final : public emu::Observer {
public:
  explicit Summing(emu::Selection selection) : selection_(std::move(selection)) {}
  emu::Selection selection() const override { return selection_; }
  std::unique_ptr<emu::Listener> create(const emu::LaunchState &) override {
    return std::make_unique<Sum>(*this);
  }
  uint64_t records = 0, sum = 0;

private:
  class Sum final : public emu::Listener {
  public:
    explicit Sum(Summing &result) : result_(result) {}
    Hears hears() const override { return Hears::After; }
    void after(emu::Record &record) override {
      ++result_.records;
      result_.sum += record.offset() + record.exec() + (record.jumped() ? 1 : 0);
      for (const emu::LaneAccess &access : record.accesses().all())
        for (unsigned l = 0; l < emu::laneCount; ++l)
          result_.sum += access.at[l] + access.bytes;
    }

  private:
    Summing &result_;
  };
  const emu::Selection selection_;
};

double seconds(bench::Subject &subject, emu::Observer *observer) {
  subject.launch.engine = emu::Engine::Jit;
  subject.launch.observers.clear();
  if (observer)
    subject.launch.observers.push_back(observer);
  return bench::unwrap(subject.program->run(subject.launch)).seconds;
}

void observe(benchmark::State &state, const char *kernel, const char *launch,
             const emu::Selection &selection) {
  bench::Subject subject(std::string(RDNA_KERNEL_DIR "/") + kernel,
                         std::string(RDNA_SOURCE_DIR "/templates/") + launch, {{"N", 1024}});
  const bool everything = selection.everything();
  for (auto _ : state) {
    double alone = 1e30, observed = 1e30;
    Summing observer(selection);
    seconds(subject, nullptr); // Compiles.
    const unsigned runs = everything ? 2 : 12;
    for (unsigned k = 0; k < runs; ++k) {
      alone = std::min(alone, seconds(subject, nullptr));
      observed = std::min(observed, seconds(subject, &observer));
    }
    benchmark::DoNotOptimize(observer.sum);
    const auto &grid = subject.launch.grid;
    state.counters["workgroups"] = double(grid[0]) * grid[1] * grid[2];
    state.counters["records"] = double(observer.records) / runs;
    state.counters["alone_s"] = alone;
    state.counters["times"] = observed / alone;
  }
}

#define KERNEL(kernel, launch)                                                                     \
  BENCHMARK_CAPTURE(observe, kernel##_idle, #kernel ".clang-22.O3.s", launch,                      \
                    emu::Selection{{{1u << 30, 0, 0}}, {}})                                        \
      ->Iterations(1)                                                                              \
      ->Unit(benchmark::kSecond);                                                                  \
  BENCHMARK_CAPTURE(observe, kernel##_one, #kernel ".clang-22.O3.s", launch,                       \
                    emu::Selection{{{0, 0, 0}}, {}})                                               \
      ->Iterations(1)                                                                              \
      ->Unit(benchmark::kSecond);                                                                  \
  BENCHMARK_CAPTURE(observe, kernel##_all, #kernel ".clang-22.O3.s", launch, emu::Selection{})     \
      ->Iterations(1)                                                                              \
      ->Unit(benchmark::kSecond)
KERNEL(kernel2, "kernel2.json"); // 1024 workgroups.
KERNEL(kernel5, "kernel5.json"); // 64 workgroups.

} // namespace
