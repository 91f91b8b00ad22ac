// `dualfmac-sched generate library`: kernels for a list of sizes, and a header that picks.
#pragma once

#include "Choose.h"

#include <string>
#include <string_view>
#include <vector>

namespace rdna::dualfmac {

/// A line of `--sizes`: "4096x4096x4096 nn tn"; without layouts all four.
struct SizeLine {
  Problem problem;
  std::vector<std::string> layouts;
};
llvm::Expected<std::vector<SizeLine>> readSizes(std::string_view text, const std::string &file);

struct LibraryRequest {
  std::string sizes, folder, name = "gemm", device = "7900xtx";
  /// Simulated for each kind of each size and layout, of twice as many that are estimated, and as
  /// many neighbours of the best.
  unsigned candidates = 4;
};

/// Writes NAME.s, NAME.hsaco, NAME.json and NAME.h; the table goes to standard error.
llvm::Error writeLibrary(const LibraryRequest &request);

} // namespace rdna::dualfmac
