//===- LadderKernel.h - the published times, and a kernel to compare with one ---===//
#pragma once

#include "Support/File.h"
#include "Timing/Predict.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace rdna::timing {

/// Milliseconds on a Radeon RX 7900 XTX, 4096 x 4096 (seb-v, RDNA3 SGEMM); kernel 0 is rocBLAS.
inline constexpr double published[] = {4.4992, 136.006, 34.2059, 6.0341, 5.3772,
                                       4.0994, 3.6368,  3.3314,  2.8032};

template <typename T> T unwrap(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  fmt::print(stderr, "{}\n", llvm::toString(value.takeError()));
  std::exit(1);
}

inline ObservedLaunch observeKernel(const std::string &file, const std::string &launchFile,
                                    const Machine &machine, const PredictOptions &options) {
  const object::CodeObject object = unwrap(object::loadCodeObject(file));
  const run::LaunchDescription description =
      unwrap(run::parseLaunchDescription(unwrap(readInput(launchFile)), launchFile));
  run::Parameters sizes{{"N", 4096}};
  for (const char *size : {"M", "K"}) // Generated kernels have three.
    if (description.parameters.contains(size))
      sizes[size] = 4096;
  const run::ResolvedLaunch launch = unwrap(run::resolve(description, sizes));
  const object::Kernel &kernel = *unwrap(object.kernel(launch.kernel));
  return unwrap(observe(object, kernel, launch, machine, options));
}

} // namespace rdna::timing
