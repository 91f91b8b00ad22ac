//===- Document.h - the report as JSON, from which everything else is printed ----===//
//
// `--json` prints it, `--compare` prints its summary as a table, and the page of `--html` has it
// embedded. So a figure is the same wherever it is shown.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IsaParse.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace rdna::isaparse {

using Json = nlohmann::ordered_json;

/// A file with what a command line selects of it.
struct Input {
  std::unique_ptr<Module> module;
  Selection selection;
  std::optional<PredictedKernel> predicted;
};

/// With `Full`, what only the page shows: each instruction with its banks, pressure and waits.
enum class Detail : uint8_t { Counts, Full };

// Document.cpp
/// `before`: the file to compare with, or null. The inputs then have a kernel in common.
Json documentOf(const Input &input, const Input *before, const SelectOptions &options,
                Detail detail);

// Details.cpp
/// The loop in whose own code, loops inside of it left out, the waves spend most of their time by
/// the prediction; without one, that with most FMACs, then VALU instructions, each level of nesting
/// counted eight times. The whole kernel if it has no loop.
/// `name`: a loop or marked lines to take instead, if this kernel has it.
Region hotRegion(const Module &module, uint32_t function, const std::string &name,
                 const PredictedKernel *predicted);
Json detailsOf(const Module &module, uint32_t function, const Region &hot,
               const PredictedKernel *predicted, std::optional<unsigned> block);

// Timeline.cpp
/// What the waves of one SIMD issue during some thousand clocks in the middle of the simulation.
/// `codeOfLine`: the first instruction of each line, as a number in the page's code.
Json timelineOf(const PredictedKernel &predicted, const std::map<uint32_t, uint32_t> &codeOfLine);

// Compare.cpp
/// Rows of figures of a kernel, and of the same kernel before if `before` is not null.
Json summaryOf(const Json &kernel, const Json *before);
std::string comparisonText(const Json &document);
std::string comparisonMarkdown(const Json &document);

// Html.cpp
/// One page that needs nothing else.
std::string htmlPage(const Json &document);

// Limits.cpp
/// What --fail-if says of the kernels of a report: a sentence for each limit that is broken.
llvm::Expected<std::vector<std::string>> brokenLimits(const Json &document,
                                                      const std::vector<std::string> &limits);

} // namespace rdna::isaparse
