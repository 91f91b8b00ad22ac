//===- RewriteCommand.h - what the rewriting tools share of their mains ----===//
#pragma once

#include "Pipeline/Rewrite.h"
#include "common/Tool.h"

#include <string>

namespace rdna::tool {

/// What a rewrite has to say, ready to be printed.
struct RewriteOutcome {
  const std::vector<Diagnostic> &remarks;
  std::string score;                                           ///< For --score.
  std::string report;                                          ///< For --report.
  std::string text;                                            ///< The rewritten file.
  std::vector<std::pair<std::string, std::string>> files = {}; ///< Path and text; before `text`.
};

/// The options, the reading and the printing of a tool that rewrites one file.
class RewriteCommand {
public:
  /// Input, output and every option that does not belong to one pass.
  void addOptions(Tool &tool, CLI::App &app, RewriteOptions &rewrite);
  llvm::Expected<std::unique_ptr<Module>> read();
  llvm::Expected<int> finish(const Tool &tool, const RewriteOutcome &outcome) const;
  /// For messages and reports; after read().
  const std::string &file() const { return file_; }

private:
  enum class Output { Text, Diff, None };
  enum class Macros { Keep, Expand };
  enum class Require { Nothing, Improvement };
  enum class Verbosity { Quiet, Score };
  std::string input_, reportPath_, file_, original_;
  Output output_ = Output::Text;
  Macros macros_ = Macros::Keep;
  Require require_ = Require::Nothing;
  Verbosity verbosity_ = Verbosity::Quiet;
};

} // namespace rdna::tool
