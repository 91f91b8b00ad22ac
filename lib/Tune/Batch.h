//===- Batch.h - many kernels rewritten, proven and run ---------------------===//
//
// One file is one piece of work. Its result is a file as well, written when all is over and never
// changed, with a hash of what it came of: who finds it does not do the work again.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Diagnostic.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rdna::tune {

struct BatchCounts {
  unsigned valu = 0, dualFmac = 0, singleFmac = 0, conflicts = 0, vgprs = 0;
};

struct BatchResult {
  std::string file; ///< "gemm.s"
  enum class Verdict : uint8_t {
    Improved,
    Unchanged, ///< Nothing to improve, or nothing that could be proven.
    Refused,   ///< It could not be read.
    Wrong,     ///< Proven, but not the same on the emulator: a mistake of ours.
  } verdict = Verdict::Unchanged;
  std::string reason; ///< Why not.
  std::string run;    ///< What the emulator was asked: "same bits, 3 sizes", or why not.
  size_t kernels = 0, steps = 0;
  BatchCounts before, after; ///< Of all kernels together.
  double seconds = 0;
};
std::string_view toString(BatchResult::Verdict verdict);

struct Batch {
  std::string folder; ///< Every *.s in it is a file of the batch; NAME.json is its launch.
  std::string out;    ///< For the rewritten files and the results.
  std::string version;
  uint64_t seed = 1; ///< Of the launch's inputs.
};

/// Their names, sorted.
llvm::Expected<std::vector<std::string>> batchFiles(const std::string &folder);

/// The result that is there, if it is of this file as it is now.
std::optional<BatchResult> knownResult(const Batch &batch, const std::string &file);

/// Rewritten with all passes, each step proven; run on the emulator against the original if there
/// is a launch description. Errors concern the folders, not the file.
llvm::Expected<BatchResult> runFile(const Batch &batch, const std::string &file);

/// Every N-th of `files`, by the threads of this process.
llvm::Error runFiles(const Batch &batch, const std::vector<std::string> &files, unsigned threads,
                     const std::function<void(uint64_t done, uint64_t total)> &progress);

} // namespace rdna::tune
