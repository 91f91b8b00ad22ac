//===- IsaParse.h - the views of isa-parse --------------------------------===//
#pragma once

#include "Analysis/Banks.h"
#include "Analysis/Lint.h"
#include "Analysis/Metrics.h"
#include "Analysis/Regions.h"
#include "Analysis/WhySingle.h"

#include <string>
#include <vector>

namespace rdna::isaparse {

/// A region that the user asked for, with its figures.
struct MeasuredRegion {
  Region region;
  LoopMetrics metrics;
};

/// The kernels that a command line selects and, if it names one, the regions.
struct Selection {
  std::vector<uint32_t> functions; ///< Indices into Module::functions().
  std::vector<KernelMetrics> kernels;
  std::vector<MeasuredRegion> regions; ///< Loops named by --region and marked lines.
};

// Report.cpp
std::string textReport(const Module &module, const Selection &selection);
// Json.cpp
std::string jsonReport(const Module &module, const Selection &selection);
// Tables.cpp
std::string bankReport(const Module &module, const std::vector<Region> &regions);
std::string whySingleReport(const Module &module, const std::vector<uint32_t> &functions,
                            const std::vector<Region> &regions);
// RoundTrip.cpp
/// Text about the comparison, or an error (Failure::Refused) that names the first difference.
llvm::Expected<std::string> roundTrip(const Module &module);

/// Rows of cells in columns: text to the left, numbers to the right.
enum class Align : uint8_t { Left, Right };
std::string layOut(const std::vector<std::vector<std::string>> &rows,
                   const std::vector<Align> &columns, std::string_view indent);

} // namespace rdna::isaparse
