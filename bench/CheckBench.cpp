//===- CheckBench.cpp - what --check costs --------------------------------===//
//
// Each check on kernel 5 (N = 256) and on a histogram, one host thread: `times` is the ratio to
// the plain interpreter, measured alternately in one run.
//
//===----------------------------------------------------------------------===//
#include "Subject.h"

#include "Emu/Check.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

using namespace rdna;
using namespace rdna::bench;

namespace {

void check(benchmark::State &state, const std::string &kernel, const std::string &launch,
           const std::string &checks) {
  try {
    Subject subject(kernel, launch);
    auto checker = emu::createChecker(unwrap(emu::parseChecks(checks)));
    double plain = 0, checked = 0;
    for (auto _ : state) {
      plain += subject.seconds(nullptr);
      checked += subject.seconds(checker.get());
    }
    state.counters["times"] = checked / plain;
  } catch (const std::exception &error) {
    state.SkipWithError(error.what());
  }
}

[[maybe_unused]] const bool registered = [] {
  const std::string kernels = RDNA_KERNEL_DIR;
  const struct {
    std::string name, assembly, launch;
  } subjects[] = {
      {"kernel5", kernels + "/kernel5.clang-22.O3.s", RDNA_SOURCE_DIR "/templates/kernel5.json"},
      {"histogram", kernels + "/corpus/histogram.clang-22.O3.s",
       RDNA_SOURCE_DIR "/tests/corpus/histogram.json"}};
  std::vector<std::string> names;
  for (const emu::CheckRow &row : emu::checkRows())
    names.emplace_back(row.name);
  names.emplace_back("all");
  for (const auto &subject : subjects)
    for (const std::string &checks : names)
      benchmark::RegisterBenchmark(("check/" + subject.name + "/" + checks).c_str(), check,
                                   subject.assembly, subject.launch, checks)
          ->Unit(benchmark::kMillisecond);
  return true;
}();

} // namespace
