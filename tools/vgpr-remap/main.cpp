// vgpr-remap: gives the values of FMA loops new registers and a new order, so that every FMA is
// dual issued without bank conflicts, and proves that the kernel computes the same.

#include "VgprRemap.h"

#include "Asm/Expand.h"
#include "Support/File.h"
#include "common/RewriteReport.h"
#include "common/Tool.h"

#include <cstdio>

using namespace rdna;

namespace {
enum class Output { Text, Diff, None };

struct Options {
  std::string input, reportPath, mapPath, emitMapPath;
  RewriteOptions rewrite;
  Output output = Output::Text;
  enum class Macros { Keep, Expand } macros = Macros::Keep;
  enum class Require { Nothing, Improvement } require = Require::Nothing;
  enum class Verbosity { Quiet, Score } verbosity = Verbosity::Quiet;
};
} // namespace

static void addOptions(tool::Tool &tool, Options &options) {
  CLI::App &app = tool.app();
  tool.addInput(options.input);
  tool.addOutput();
  app.add_option("--kernel", options.rewrite.kernel, "Only the kernel of this name");
  app.add_option("--region", options.rewrite.region,
                 "Only the loop with this label at its header, or the blocks between "
                 "'; RDNA-BEGIN name' and '; RDNA-END name' (default: innermost loops with F32 "
                 "FMAs)");
  static const std::map<std::string, SplitLoads> kSplitLoads{
      {"auto", SplitLoads::Auto}, {"always", SplitLoads::Always}, {"never", SplitLoads::Never}};
  app.add_option_function<std::string>(
         "--split-loads",
         [&](const std::string &word) { options.rewrite.remap.splitLoads = kSplitLoads.at(word); },
         "Load LDS tuples by narrower loads so that their registers are free: auto (the default: "
         "where it pays), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--map", options.mapPath, "Mapping entries to honour (JSON, see --emit-map)");
  app.add_option("--emit-map", options.emitMapPath, "Write the mapping found to this file");
  app.add_option("--report", options.reportPath, "Write a JSON report to this file");
  app.add_option("--block", options.rewrite.remap.workgroupSize,
                 "Workgroup size where the file gives none (for the occupancy)")
      ->check(CLI::Range(1u, 1024u));
  app.add_flag_callback(
      "--allow-occupancy-loss", [&] { options.rewrite.remap.occupancy = OccupancyLoss::Allow; },
      "Use more VGPRs even if fewer waves fit a SIMD then");
  app.add_flag_callback(
      "--repair-hazards", [&] { options.rewrite.remap.hazards = Hazards::Repair; },
      "Also rewrite blocks only to remove VOPD parity hazards, anywhere in a kernel");
  app.add_flag_callback(
      "--expand-macros", [&] { options.macros = Options::Macros::Expand; },
      "Write the instructions of macros and .rept blocks out, so that blocks with them can be "
      "rewritten");
  app.add_flag_callback(
      "--require", [&] { options.require = Options::Require::Improvement; },
      "Fail (exit code 2) if a block had to be left as it is");
  app.add_flag_callback(
      "--dry-run", [&] { options.output = Output::None; }, "Do everything but print the result");
  app.add_flag_callback(
      "--diff", [&] { options.output = Output::Diff; }, "Print the changed lines instead");
  app.add_flag_callback(
      "--score", [&] { options.verbosity = Options::Verbosity::Score; },
      "Print one line for every rewritten block on standard error");
  app.footer(std::string(tool::exitCodeHelp));
}

static llvm::Expected<int> runTool(const tool::Tool &tool, Options &options) {
  if (!options.mapPath.empty()) {
    auto map = vgprremap::readMap(options.mapPath);
    if (!map)
      return map.takeError();
    options.rewrite.remap.fixedMappings = std::move(*map);
  }
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
  auto result = rewriteModule(std::move(*module), options.rewrite);
  if (!result)
    return result.takeError();

  bool left = false;
  for (const Diagnostic &remark : result->remarks) {
    tool.report(remark);
    left |= remark.message.find("nothing to improve") == std::string::npos;
  }
  if (options.verbosity == Options::Verbosity::Score)
    std::fputs(vgprremap::scoreLines(*result).c_str(), stderr);
  if (left && options.require == Options::Require::Improvement)
    return makeError(Failure::Refused, file, "--require: a block was left as it is");
  if (!options.reportPath.empty())
    if (llvm::Error error = writeOutput(options.reportPath, vgprremap::jsonReport(file, *result)))
      return error;
  if (!options.emitMapPath.empty())
    if (llvm::Error error = writeOutput(options.emitMapPath, vgprremap::mapText(*result)))
      return error;
  if (options.output == Output::None)
    return 0;
  if (llvm::Error error = tool.print(
          options.output == Output::Diff ? tool::diffText(original, result->text) : result->text))
    return error;
  return 0;
}

int main(int argc, char **argv) {
  tool::Tool tool("vgpr-remap",
                  "Rewrites the FMA loops of gfx1100 kernels: new registers and a new order, so "
                  "that every F32 FMA is dual issued without register bank conflicts. The result "
                  "is proven equivalent before it is printed.");
  Options options;
  addOptions(tool, options);
  return tool.run(argc, argv, [&] { return runTool(tool, options); });
}
