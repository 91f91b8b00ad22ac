#include "Run/Bench.h"

#include <algorithm>

namespace rdna::run {

Times summarize(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  const size_t count = milliseconds.size();
  const double median = count % 2 == 1
                            ? milliseconds[count / 2]
                            : (milliseconds[count / 2 - 1] + milliseconds[count / 2]) / 2;
  return {milliseconds.front(), median, milliseconds.back(), static_cast<unsigned>(count)};
}

llvm::Expected<std::vector<BenchCase>> bench(Backend &backend, const LaunchDescription &description,
                                             const object::CodeObject &object,
                                             const object::Kernel &kernel,
                                             const BenchOptions &options) {
  llvm::Expected<std::unique_ptr<LoadedKernel>> loaded = backend.load(object, kernel);
  if (!loaded)
    return loaded.takeError();
  std::vector<BenchCase> cases;
  for (const Parameters &parameters : options.parameters) {
    llvm::Expected<ResolvedLaunch> launch = resolve(description, parameters);
    if (!launch)
      return launch.takeError();
    BenchCase out;
    out.parameters = launch->parameters;
    out.gemm = launch->gemm;
    std::optional<double> operations;
    if (!options.flops.empty()) {
      llvm::Expected<int64_t> flops = evaluate(options.flops, launch->parameters);
      if (!flops)
        return flops.takeError();
      operations = static_cast<double>(*flops);
    } else if (out.gemm) {
      operations = out.gemm->operations();
    }
    llvm::Expected<std::unique_ptr<BufferSet>> buffers = BufferSet::allocate(*launch);
    if (!buffers)
      return buffers.takeError();
    (*buffers)->fill(options.seed);
    llvm::Expected<RunOutcome> outcome = (*loaded)->run(*launch, **buffers, options.run);
    if (!outcome)
      return outcome.takeError();
    out.times = summarize(outcome->milliseconds);
    out.instructions = outcome->instructions;
    if (operations && out.times.median > 0) {
      out.gflops = *operations / out.times.median * 1e-6;
      if (backend.peakGflops() > 0)
        out.percentOfPeak = *out.gflops / backend.peakGflops() * 100;
    }
    if (out.gemm)
      if (std::vector<double> baseline = backend.sgemmBaseline(*out.gemm, options.run);
          !baseline.empty())
        out.baseline = summarize(std::move(baseline));
    cases.push_back(out);
  }
  return cases;
}

} // namespace rdna::run
