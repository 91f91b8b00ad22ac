#include "Options.h"

#include "Pipeline/Registry.h"
#include "Support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/StringSaver.h"

#include <fmt/format.h>

namespace rdna::hipclang {

namespace {

bool isOurs(std::string_view word) { return word.starts_with("--rdna-"); }

llvm::Error bad(std::string_view message) { return makeError(Failure::BadInput, "", message); }

/// "unroll=4" of --rdna-passes.
llvm::Error addPass(std::string_view word, PassChoice &choice) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const PassInfo *pass = findPass(name);
  if (pass == nullptr) {
    std::string names;
    for (const PassInfo &known : allPasses())
      names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
    return bad(fmt::format("no pass is called '{}'; there are {}", name, names));
  }
  choice.names.insert(std::string(name));
  if (equals == std::string_view::npos)
    return llvm::Error::success();
  if (valueForm(*pass).empty())
    return bad(fmt::format("the pass {} takes no value", name));
  if (const std::string wrong = readPassValue(*pass, word.substr(equals + 1), choice);
      !wrong.empty())
    return bad(fmt::format("{}: {}", name, wrong));
  return llvm::Error::success();
}

llvm::Error addAssumption(std::string_view word, PassRequest &request) {
  std::vector<std::string_view> names;
  for (const Assumption assumption : kAssumptions) {
    if (word == toString(assumption)) {
      request.assumptions.insert(assumption);
      return llvm::Error::success();
    }
    names.push_back(toString(assumption));
  }
  return bad(
      fmt::format("'{}' cannot be assumed; of these each can: {}", word, fmt::join(names, ", ")));
}

} // namespace

llvm::Expected<CommandLine> splitCommandLine(int argc, char **argv) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 32> words(argv + std::min(argc, 1), argv + argc);
  const auto count = [&] { return llvm::count_if(words, [](const char *w) { return isOurs(w); }); };
  const auto outside = count();
  const Words original(words.begin(), words.end());
  llvm::cl::ExpansionContext expansion(allocator, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(words))
    return bad(llvm::toString(std::move(error)));
  CommandLine line;
  // A response file is there because the line is long, so it stays one if nothing in it is ours.
  const Words expanded(words.begin(), words.end());
  for (const std::string &word : count() == outside ? original : expanded)
    (isOurs(word) ? line.ours : line.clangs).push_back(word);
  return line;
}

void declareOptions(tool::Tool &tool, Options &options) {
  CLI::App &app = tool.app();
  app.set_help_flag("--rdna-help", "Print this help (--help is clang's)");
  app.set_version_flag("--rdna-version", app.version());
  app.get_option("--color")->group("");
  app.add_option("--rdna-clang", options.clang,
                 "The compiler: a version of Debian's clang, or a path (22)");
  app.add_option("--rdna-passes", options.passes,
                 "Only these passes of dualfmac-sched rewrite, separated by commas: "
                 "waits,unroll=4 (all)")
      ->delimiter(',');
  app.add_option("--rdna-without", options.without, "All passes but these")->delimiter(',');
  app.add_option("--rdna-assume", options.assumptions,
                 "What proofs may take for granted: no-index-wrap, no-sync-without-barrier (see "
                 "dualfmac-sched rewrite --help)")
      ->delimiter(',');
  app.add_option("--rdna-kernels", options.kernels,
                 "Only kernels whose name, mangled or not, this expression finds");
  app.add_option("--rdna-report", options.request.folder,
                 "Write assembly before and after, and a JSON report, into this folder");
  app.add_flag_callback(
      "--rdna-allow-occupancy-loss",
      [&] { options.request.request.occupancy = OccupancyLoss::Allow; },
      "Use more VGPRs even if fewer waves fit a SIMD then");
  app.add_flag_callback(
      "--rdna-score", [&] { options.request.say = RewriteRequest::Say::Score; },
      "Print one line for every step besides the remarks");
  app.add_flag_callback(
      "--rdna-all-remarks", [&] { options.request.say = RewriteRequest::Say::AllRemarks; },
      "Print every remark, not one of each kind with the lines of the others");
  app.add_flag_callback(
      "--rdna-quiet", [&] { options.request.say = RewriteRequest::Say::Nothing; },
      "Print no remarks");
  app.add_flag_callback(
      "--rdna-verify", [&] { options.request.originals = RewriteRequest::Originals::Keep; },
      "Keep the compiler's kernels in the binary, too: rdna-run then runs both for each launch and "
      "reports the first difference");
  app.add_flag_callback(
      "--rdna-no-rewrite", [&] { options.rewrite = Options::Rewrite::No; },
      "Leave device code as clang makes it");
}

llvm::Error finishOptions(Options &options) {
  RewriteRequest &request = options.request;
  for (const std::string &word : options.passes)
    if (llvm::Error error = addPass(word, request.choice))
      return error;
  PassChoice without;
  for (const std::string &word : options.without) {
    if (llvm::Error error = addPass(word, without))
      return error;
    request.choice.without.insert(word);
  }
  for (const std::string &word : options.assumptions)
    if (llvm::Error error = addAssumption(word, request.request))
      return error;
  if (!options.kernels.empty()) {
    std::string reason;
    if (!llvm::Regex(options.kernels).isValid(reason))
      return bad(fmt::format("--rdna-kernels={}: {}", options.kernels, reason));
    request.kernels = options.kernels;
  }
  return llvm::Error::success();
}

} // namespace rdna::hipclang
