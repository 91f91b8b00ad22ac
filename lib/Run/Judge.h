//===- Judge.h - are a launch's outputs what its description says? ---------===//
#pragma once

#include "Run/Buffers.h"
#include "Run/Delays.h"
#include "Run/LaunchDescription.h"
#include "Run/Reference.h"

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rdna::run {

/// Whether results within the error bound of OpenBLAS, or within a file's tolerance, pass.
enum class Exactness { WithinBound, BitExact };

struct LaunchResults {
  const ResolvedLaunch &launch;
  const BufferSet &buffers;                               ///< As the kernel left them,
  const Contents &before;                                 ///< and as it found them.
  const std::vector<std::array<uint32_t, 3>> &workgroups; ///< That ran; empty means all.
  Exactness exactness = Exactness::WithinBound;
  unsigned threads = 0;
};

struct Judgement {
  std::string method; ///< What the outputs were compared with, in words.
  bool bitExact = true;
  Difference difference;
  std::vector<std::string> problems;
};

/// Compares the outputs with the launch's matrix product and with the files of what is expected.
Judgement judgeByReference(const LaunchResults &results);

enum class Coverage { Whole, Sample };

/// An error if something of the launch cannot be judged so.
llvm::Error checkReference(const ResolvedLaunch &launch, Coverage coverage);

} // namespace rdna::run
