//===- Delays.h - the same results under every order that hardware allows? ---===//
#pragma once

#include "Run/Backend.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rdna::run {

/// Contents of all buffers of a launch.
using Contents = std::vector<std::vector<std::byte>>;

/// Seeds in a row.
struct DelaySeeds {
  uint64_t first = 1;
  unsigned count = 0;
};

struct DelayReport {
  DelaySeeds seeds;
  unsigned different = 0; ///< Seeds under which something differed,
  std::optional<uint64_t> firstDifferent;
  std::string difference; ///< and what under the first of them.
  /// Under that seed the original does not give its own plain result either.
  bool originalDiffers = false;
};

/// The launch that is run again and again, and what must come out.
struct DelayedLaunch {
  const ResolvedLaunch &launch;
  BufferSet &buffers;
  RunOptions options;     ///< Checks, repeats and so on do not matter.
  uint64_t inputSeed;     ///< For BufferSet::fill.
  const Contents &before; ///< What that gives.
  const Contents &wanted; ///< Of a plain run.
};

/// Runs the kernel under each of the seeds. A run that stops with an error or writes out of range
/// differs too.
DelayReport runDelayed(LoadedKernel &kernel, const DelayedLaunch &launch, const DelaySeeds &seeds);

} // namespace rdna::run
