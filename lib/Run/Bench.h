//===- Bench.h - how fast a kernel is -------------------------------------===//
#pragma once

#include "Run/Backend.h"
#include "Run/LaunchDescription.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna::run {

struct Times {
  double min = 0, median = 0, max = 0;
  unsigned repeats = 0;
};

/// Of at least one measurement.
Times summarize(std::vector<double> milliseconds);

struct BenchOptions {
  std::vector<Parameters> parameters{{}};
  uint64_t seed = 1;
  std::string flops; ///< Expression over the parameters; empty: known for SGEMM only.
  RunOptions run;
};

struct BenchCase {
  Parameters parameters;
  std::optional<GemmShape> gemm;
  Times times;
  std::optional<double> gflops; ///< By the median.
  std::optional<double> percentOfPeak;
  std::optional<Times> baseline; ///< rocBLAS.
  uint64_t instructions = 0;
};

llvm::Expected<std::vector<BenchCase>> bench(Backend &backend, const LaunchDescription &description,
                                             const object::CodeObject &object,
                                             const object::Kernel &kernel,
                                             const BenchOptions &options);

} // namespace rdna::run
