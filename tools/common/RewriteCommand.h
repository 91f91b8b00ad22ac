//===- RewriteCommand.h - what the rewriting tools share of their mains ----===//
#pragma once

#include "Pipeline/Pipeline.h"
#include "common/Tool.h"

#include <optional>
#include <string>

namespace rdna::tool {

/// Texts that are written if everything has succeeded: path and contents.
using Files = std::vector<std::pair<std::string, std::string>>;

/// The options, the reading and the printing of a tool that rewrites one file.
class RewriteCommand {
public:
  /// Input, output and every option that does not belong to one pass; what the passes are to know
  /// goes into `request`.
  void addOptions(Tool &tool, CLI::App &app, PassRequest &request);
  llvm::Expected<std::unique_ptr<Module>> read();
  /// Prints remarks, score lines and the text; writes `report` where --report says, and `files`.
  llvm::Expected<int> finish(const Tool &tool, const PipelineResult &result,
                             const std::string &report, const Files &files = {}) const;
  /// For messages and reports; after read().
  const std::string &file() const { return file_; }
  /// What --block says, if it says the size of each dimension.
  const std::optional<WorkgroupShape> &shape() const { return shape_; }

private:
  enum class Output { Text, Diff, None };
  enum class Macros { Keep, Expand };
  enum class Require { Nothing, Improvement };
  enum class Verbosity { Summary, Score, Quiet };
  enum class Remarks { Folded, All };
  std::string input_, reportPath_, file_, original_;
  std::optional<WorkgroupShape> shape_;
  Output output_ = Output::Text;
  Macros macros_ = Macros::Keep;
  Require require_ = Require::Nothing;
  Verbosity verbosity_ = Verbosity::Summary;
  Remarks remarks_ = Remarks::Folded;
};

} // namespace rdna::tool
