//===- IsaParse.h - the views of isa-parse --------------------------------===//
#pragma once

#include "Analysis/Banks.h"
#include "Analysis/Lint.h"
#include "Analysis/Metrics.h"
#include "Analysis/Regions.h"
#include "Analysis/SourcePlaces.h"
#include "Analysis/WhySingle.h"
#include "common/Findings.h"
#include "common/Table.h"
#include "isa-parse/Launch.h"

#include <map>
#include <string>
#include <vector>

namespace rdna::isaparse {

using tool::Align;
using tool::Column;
using tool::layOut;

/// A region that the user asked for, with its figures.
struct MeasuredRegion {
  Region region;
  LoopMetrics metrics;
};

/// What a reader calls parts of a kernel, besides labels.
struct KernelNames {
  std::map<std::pair<uint32_t, uint32_t>, SourcePlace> loops; ///< By first and last line.
  std::vector<std::string> callees; ///< Symbols, each once; empty for a pointer.
  SourcePlace of(const LoopMetrics &loop) const;
};

/// The kernels that a command line selects and, if it names one, the regions.
struct Selection {
  std::vector<uint32_t> functions; ///< Indices into Module::functions().
  std::vector<KernelMetrics> kernels;
  std::vector<KernelNames> names;      ///< Of each kernel.
  SourcePlaces sources;                ///< Of the whole file.
  std::vector<MeasuredRegion> regions; ///< Loops named by --region and marked lines.
};

// Select.cpp
struct SelectOptions {
  std::string kernel, region;
  std::optional<unsigned> block;
};
/// The kernels with code; `kernel` picks one.
llvm::Expected<std::vector<uint32_t>> selectKernels(const Module &module,
                                                    const std::string &kernel);
llvm::Expected<Selection> measureSelection(const Module &module, std::vector<uint32_t> functions,
                                           const SelectOptions &options);
/// The loops and marked lines called `name`; the innermost loops if it is empty.
llvm::Expected<std::vector<Region>> selectRegions(const Module &module,
                                                  const std::vector<uint32_t> &functions,
                                                  const std::string &name);

// Names.cpp
KernelNames namesIn(const Module &module, const SourcePlaces &sources, uint32_t function);
/// "kernel.hip:57", empty without debug lines.
std::string sourceOf(const SourcePlaces &sources, uint32_t instruction);
/// The place of a region: of a loop that of its `for`, else of the first instruction that has one.
SourcePlace placeOfRegion(const Module &module, const SourcePlaces &sources, const Region &region);
/// Puts a column with the source line of each row's instruction behind the first one, if the file
/// has debug lines. The first row is the head.
void addSources(const SourcePlaces &sources, const std::vector<uint32_t> &instructions,
                tool::Rows &rows, std::vector<Column> &columns);
/// " (kernel.hip:57)", or nothing.
std::string inSource(const Module &module, const SourcePlaces &sources, const Region &region);
SourcePlaces allSources(const Module &module);
/// "twist(float, int), float other<3>(float)"
std::string calleeText(const std::vector<std::string> &callees);
/// "scale(float*, int)"; empty for a name that is no C++.
std::string nameInSource(const std::string &symbol);

// Lint.cpp
/// Findings about kernels and device functions alike, unless `kernel` names one.
tool::ListedFindings lintAll(const Module &module, const std::string &kernel,
                             const std::vector<uint32_t> &kernels);
/// The lint report as JSON, "schema": "isa-parse-lint/1".
std::string lintJson(const std::vector<std::string> &files, const tool::ListedFindings &findings);

// Report.cpp
/// `predicted` may be null. `width` of the screen here and below: 0 for a file.
std::string textReport(const Module &module, const Selection &selection,
                       const PredictedKernel *predicted, size_t width);
// Tables.cpp
std::string bankReport(const Module &module, const std::vector<Region> &regions, size_t width);
std::string whySingleReport(const Module &module, const std::vector<uint32_t> &functions,
                            const std::vector<Region> &regions, size_t width);
// Timing.cpp
std::string timingReport(const Module &module, const std::vector<Region> &regions,
                         const PredictedKernel &predicted, size_t width);
/// What the launch takes without each of what may limit it.
std::string experimentsReport(const PredictedKernel &predicted);
// RoundTrip.cpp
/// Text about the comparison, or an error (Failure::Refused) that names the first difference.
llvm::Expected<std::string> roundIteration(const Module &module);

} // namespace rdna::isaparse
