//===- Launch.h - one kernel launch, from arguments to findings -----------===//
#pragma once

#include "HipRuntime/Runtime.h"

namespace rdna::hip {

struct LaunchRequest {
  ModuleKernel *kernel = nullptr;
  Dim3 grid, block; ///< Workgroups, and work-items in each.
  uint64_t dynamicLds = 0;
  void **parameters = nullptr; ///< A pointer to each explicit argument, or
  void **extra = nullptr;      ///< the packed segment: {1, buffer, 2, &size, 3}.
  enum class Cooperation { None, Grid } cooperation = Cooperation::None;
};

/// What is wrong with a request, in HIP's order of tests.
Error validate(const LaunchRequest &request);

/// Device addresses of what the runtime adds to a launch; 0 where it adds nothing.
struct RuntimeBuffers {
  uint64_t hostcall = 0;
  uint64_t gridSync = 0;
};

/// The kernel argument segment with the hidden arguments that the metadata asks for.
struct Segment {
  std::vector<std::byte> bytes;
  Error error = Error::Success;
};
Segment packArguments(const LaunchRequest &request, const RuntimeBuffers &buffers);

/// How many blocks of this size a workgroup processor (multiprocessor) holds.
unsigned blocksPerProcessor(const object::Kernel &kernel, unsigned threads, uint64_t dynamicLds);

/// Runs it to its end. What goes wrong in the kernel is reported and becomes the runtime's fault;
/// the result is what the launching function returns.
Error launch(Runtime &runtime, const LaunchRequest &request);

} // namespace rdna::hip
