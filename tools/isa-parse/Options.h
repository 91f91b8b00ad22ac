//===- Options.h - the command line of isa-parse -----------------------------===//
#pragma once

#include "Document.h"

#include "common/Tool.h"

namespace rdna::isaparse {

enum class View { Report, Json, Markdown, Banks, WhySingle, Timing, RoundTrip, Print };

struct Options {
  std::string input, against, html, sarif, suppressionFile;
  std::vector<std::string> more, suppressed, limits;
  enum class Lint { No, Yes } lint = Lint::No;
  enum class Experiments : uint8_t { No, Yes } experiments = Experiments::No; ///< --what-if
  enum class Shown { Folded, All } shown = Shown::Folded;
  View view = View::Report;
  Detail detail = Detail::Counts;
  SelectOptions select;
  LaunchRequest launch;
};

/// Declares them on `tool`; `options` must outlive the parsing.
void addOptions(tool::Tool &tool, Options &options);
/// An error for options that would be ignored.
llvm::Error checkUsage(const Options &options);

// Lint.cpp
/// --lint, of all files.
llvm::Expected<int> runLint(const tool::Tool &tool, const Options &options);
// main.cpp's and Lint.cpp's
llvm::Expected<std::unique_ptr<Module>> readModule(const std::string &path);

} // namespace rdna::isaparse
