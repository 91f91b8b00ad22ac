#include "common/RewriteCommand.h"

#include "Code/Expand.h"
#include "Support/File.h"
#include "common/RewriteReport.h"
#include "common/Sizes.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

#include <cstdio>

namespace rdna::tool {

void RewriteCommand::addOptions(Tool &tool, CLI::App &app, PassRequest &request) {
  tool.addInput(input_, app);
  tool.addOutput(app);
  app.add_option("--kernel", request.kernel, "Only the kernel of this name");
  app.add_option("--report", reportPath_, "Write a JSON report to this file");
  app.add_option_function<std::string>(
         "--block",
         [&](const std::string &text) {
           const auto sizes = llvm::cantFail(parseSizes(text, "--block")); // It was checked.
           request.workgroupSize = sizes[0] * sizes[1] * sizes[2];
           if (llvm::StringRef(text).contains('x'))
             shape_ = sizes;
         },
         "Workgroup size where the file gives none, 256 or 16x16 (for the occupancy, and for the "
         "addresses in LDS)")
      ->check(CLI::Validator(whyNoBlock, "SIZE"));
  app.add_flag_callback(
      "--allow-occupancy-loss", [&] { request.occupancy = OccupancyLoss::Allow; },
      "Use more VGPRs even if fewer waves fit a SIMD then");
  app.add_flag_callback(
      "--expand-macros", [&] { macros_ = Macros::Expand; },
      "Write the instructions of macros and .rept blocks out, so that blocks with them can be "
      "rewritten");
  app.add_flag_callback(
      "--require", [&] { require_ = Require::Improvement; },
      "Fail (exit code 2) if a block had to be left as it is");
  app.add_flag_callback(
      "--dry-run", [&] { output_ = Output::None; }, "Do everything but print the result");
  app.add_flag_callback(
      "--diff", [&] { output_ = Output::Diff; }, "Print the changed lines instead");
  app.add_flag_callback(
      "--score", [&] { verbosity_ = Verbosity::Score; },
      "Print one line for every step on standard error");
  app.add_flag_callback(
      "--quiet", [&] { verbosity_ = Verbosity::Quiet; },
      "Leave out the counts before and after that end a rewrite");
  app.add_flag_callback(
      "--all-remarks", [&] { remarks_ = Remarks::All; },
      "Print every remark, not one of each kind with the lines of the others");
}

llvm::Expected<std::unique_ptr<Module>> RewriteCommand::read() {
  auto text = readInput(input_);
  if (!text)
    return text.takeError();
  original_ = *text;
  file_ = displayName(input_);
  auto module = Module::parse(std::move(*text), file_);
  if (!module || macros_ == Macros::Keep)
    return module;
  auto expanded = expandMacros(**module);
  if (!expanded)
    return expanded.takeError();
  return Module::parse(std::move(*expanded), file_);
}

static std::string paintedDiff(const Tool &tool, std::string_view diff) {
  std::string text;
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n'));
    text += tool.painted(line, line.starts_with('-') ? Tool::Paint::Bad : Tool::Paint::Good) + '\n';
    diff.remove_prefix(std::min(diff.size(), line.size() + 1));
  }
  return text;
}

llvm::Expected<int> RewriteCommand::finish(const Tool &tool, const PipelineResult &result,
                                           const std::string &report, const Files &files) const {
  Progress::erase();
  bool left = false;
  for (const Diagnostic &remark : result.remarks)
    left |= remark.message.find("nothing to improve") == std::string::npos;
  for (const Diagnostic &remark :
       remarks_ == Remarks::All ? result.remarks : folded(result.remarks))
    tool.report(remark);
  if (verbosity_ == Verbosity::Score)
    std::fputs(scoreLines(result.steps).c_str(), stderr);
  if (verbosity_ != Verbosity::Quiet && !result.steps.empty())
    std::fputs(summaryText(result).c_str(), stderr);
  if (verbosity_ != Verbosity::Quiet && result.text == original_)
    std::fputs("nothing changed: the output is the input, byte for byte\n", stderr);
  if (left && require_ == Require::Improvement)
    return makeError(Failure::Refused, file_, "--require: a block was left as it is");
  if (!reportPath_.empty())
    if (llvm::Error error = writeOutput(reportPath_, report))
      return error;
  for (const auto &[path, text] : files)
    if (llvm::Error error = writeOutput(path, text))
      return error;
  if (output_ == Output::None)
    return 0;
  if (llvm::Error error =
          tool.print(output_ == Output::Diff ? paintedDiff(tool, diffText(original_, result.text))
                                             : result.text))
    return error;
  return 0;
}

} // namespace rdna::tool
