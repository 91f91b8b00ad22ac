// dualfmac-sched: takes a compiled kernel up the ladder that is otherwise climbed by hand, one
// proven pass after the other.

#include "Report.h"

#include "Asm/Expand.h"
#include "Support/File.h"
#include "common/RewriteReport.h"
#include "common/Tool.h"

#include <cstdio>

using namespace rdna;

namespace {
enum class Output { Text, Diff, None };

struct Options {
  std::string input, reportPath, unroll;
  std::set<Pass> passes; ///< Empty: all.
  LadderOptions ladder;
  Output output = Output::Text;
  enum class Macros { Keep, Expand } macros = Macros::Keep;
  enum class Require { Nothing, Improvement } require = Require::Nothing;
  enum class Verbosity { Quiet, Score } verbosity = Verbosity::Quiet;
};
} // namespace

static void addOptions(tool::Tool &tool, CLI::App &app, Options &options) {
  tool.addInput(options.input, app);
  tool.addOutput(app);
  app.add_flag_callback(
      "--vgpr-remap", [&] { options.passes.insert(Pass::VgprRemap); },
      "Conflict-free dual issue in FMA loops, as vgpr-remap does it");
  // As a flag with a value, because behind a blank the file would be taken for it.
  app.add_flag(
         "--unroll{full}", options.unroll,
         "Write out all trips of loops whose number of trips follows from constants; additions "
         "of constants to LDS addresses become offsets: --unroll[=full]")
      ->check(CLI::IsMember({"full"}));
  app.add_flag_callback(
      "--clause", [&] { options.passes.insert(Pass::Clause); },
      "s_clause before runs of memory instructions of one kind");
  app.add_flag_callback(
      "--setprio", [&] { options.passes.insert(Pass::SetPrio); },
      "Raise the wave's priority over runs of FMACs in loops, lower it before memory instructions");
  app.add_option("--kernel", options.ladder.rewrite.kernel, "Only the kernel of this name");
  app.add_option("--region", options.ladder.rewrite.region,
                 "Only the loop with this label at its header, and those inside it");
  app.add_option("--max-code-bytes", options.ladder.unroll.mostBytes,
                 "Most bytes of code that a loop may become (default 32768, the instruction cache)")
      ->check(CLI::Range(1u, 1u << 30));
  app.add_option(
      "--max-block-fmas", options.ladder.rewrite.mostFmas,
      "Most F32 FMAs in a block that --vgpr-remap works on (default 400: longer ones take "
      "minutes)");
  app.add_option("--report", options.reportPath, "Write a JSON report to this file");
  app.add_option("--block", options.ladder.rewrite.remap.workgroupSize,
                 "Workgroup size where the file gives none (for the occupancy)")
      ->check(CLI::Range(1u, 1024u));
  app.add_flag_callback(
      "--allow-occupancy-loss",
      [&] { options.ladder.rewrite.remap.occupancy = OccupancyLoss::Allow; },
      "Use more VGPRs even if fewer waves fit a SIMD then");
  app.add_flag_callback(
      "--expand-macros", [&] { options.macros = Options::Macros::Expand; },
      "Write the instructions of macros and .rept blocks out, so that loops with them can be "
      "rewritten");
  app.add_flag_callback(
      "--require", [&] { options.require = Options::Require::Improvement; },
      "Fail (exit code 2) if a loop had to be left as it is");
  app.add_flag_callback(
      "--dry-run", [&] { options.output = Output::None; }, "Do everything but print the result");
  app.add_flag_callback(
      "--diff", [&] { options.output = Output::Diff; }, "Print the changed lines instead");
  app.add_flag_callback(
      "--score", [&] { options.verbosity = Options::Verbosity::Score; },
      "Print one line for every step on standard error");
}

static llvm::Expected<int> rewrite(const tool::Tool &tool, Options &options) {
  if (!options.unroll.empty())
    options.passes.insert(Pass::Unroll);
  if (!options.passes.empty())
    options.ladder.passes = options.passes;
  auto text = readInput(options.input);
  if (!text)
    return text.takeError();
  const std::string original = *text;
  const std::string file = displayName(options.input);
  auto module = Module::parse(std::move(*text), file);
  if (!module)
    return module.takeError();
  if (options.macros == Options::Macros::Expand) {
    auto expanded = expandMacros(**module);
    if (!expanded)
      return expanded.takeError();
    module = Module::parse(std::move(*expanded), file);
    if (!module)
      return module.takeError();
  }
  auto result = climb(std::move(*module), options.ladder);
  if (!result)
    return result.takeError();
  bool left = false;
  for (const Diagnostic &remark : result->remarks) {
    tool.report(remark);
    left |= remark.message.find("nothing to improve") == std::string::npos;
  }
  if (options.verbosity == Options::Verbosity::Score)
    std::fputs(dualfmac::scoreLines(*result).c_str(), stderr);
  if (left && options.require == Options::Require::Improvement)
    return makeError(Failure::Refused, file, "--require: a loop was left as it is");
  if (!options.reportPath.empty())
    if (llvm::Error error = writeOutput(options.reportPath, dualfmac::jsonReport(file, *result)))
      return error;
  if (options.output == Output::None)
    return 0;
  if (llvm::Error error = tool.print(
          options.output == Output::Diff ? tool::diffText(original, result->text) : result->text))
    return error;
  return 0;
}

int main(int argc, char **argv) {
  tool::Tool tool("dualfmac-sched",
                  "Rewrites gfx1100 kernels for dual issue, one proven pass after the other.");
  Options options;
  CLI::App &command = *tool.app().add_subcommand(
      "rewrite", "Rewrite a kernel: the passes that are named, or all, in this order: "
                 "--vgpr-remap, --unroll, --clause, --setprio");
  addOptions(tool, command, options);
  tool.app().require_subcommand(1);
  tool.app().footer(std::string(tool::exitCodeHelp));
  return tool.run(argc, argv, [&] { return rewrite(tool, options); });
}
