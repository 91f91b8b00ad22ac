//===- main.cpp - runs HIP programs without a GPU -------------------------===//
#include "Child.h"
#include "HipRuntime/Settings.h"
#include "Junit.h"
#include "Support/File.h"
#include "common/Tool.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace rdna;

struct Options {
  std::string checks, kernel, suppressions, json, junit, skip, count, threads, memory, budget, time;
  int errorExitCode = 0;
  bool quiet = false;
};

void addOptions(CLI::App &app, Options &o) {
  app.add_option(
      "--check", o.checks,
      "watch kernels: all (that is waits, races, barriers, bounds, uninit and leaks), or "
      "some of these and registers, hazards, misuse, wmma, separated by commas");
  app.add_option("--kernel", o.kernel, "watch only kernels whose name this expression finds");
  app.add_option("--launch-skip", o.skip, "launches that are not watched at first");
  app.add_option("--launch-count", o.count, "watch no more launches than this");
  app.add_option("--suppress", o.suppressions, "file of findings that are known");
  app.add_option("--error-exitcode", o.errorExitCode,
                 "exit code if there are findings (default: the program's own)")
      ->check(CLI::Range(0, 255));
  app.add_option("--json", o.json, "write a report");
  app.add_option("--junit", o.junit, "write a report in JUnit's form");
  app.add_flag("--quiet", o.quiet, "no summary line");
  app.add_option("--time", o.time,
                 "what events measure: emulator, its own time (default), or predicted, the timing "
                 "model's for a Radeon RX 7900 XTX")
      ->check(CLI::IsMember({"emulator", "predicted"}));
  app.add_option("--threads", o.threads, "host threads for a launch (default: all cores)");
  app.add_option("--memory", o.memory, "bytes of device memory (default: 24 GiB)");
  app.add_option("--budget", o.budget, "instructions that a wave may execute (default: no limit)");
}

/// The runtime reads its settings from the environment, by the program's side of the fence.
llvm::Error setEnvironment(const Options &o, const std::string &report) {
  const std::pair<const char *, const std::string &> variables[] = {
      {"RDNA_RUN_CHECK", o.checks},
      {"RDNA_RUN_KERNEL", o.kernel},
      {"RDNA_RUN_SKIP", o.skip},
      {"RDNA_RUN_COUNT", o.count},
      {"RDNA_RUN_SUPPRESS", o.suppressions},
      {"RDNA_RUN_THREADS", o.threads},
      {"RDNA_RUN_MEMORY", o.memory},
      {"RDNA_RUN_BUDGET", o.budget},
      {"RDNA_RUN_TIME", o.time},
      {"RDNA_RUN_REPORT", report}};
  for (const auto &[name, value] : variables)
    if (!value.empty())
      setenv(name, value.c_str(), 1);
  if (o.quiet)
    setenv("RDNA_RUN_QUIET", "1", 1);
  // What is wrong with them is said before the program starts.
  return hip::readSettings([](const char *name) { return std::getenv(name); }).takeError();
}

llvm::Error usePrivateRuntime() {
  auto folder = tool::runtimeFolder();
  if (!folder)
    return folder.takeError();
  const char *old = std::getenv("LD_LIBRARY_PATH");
  const std::string path = old && *old ? *folder + ":" + old : *folder;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  return llvm::Error::success();
}

/// What the runtime has written; nothing if the program never called it, or was killed.
llvm::Expected<nlohmann::ordered_json> readReport(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  auto report = nlohmann::ordered_json::parse(*text, nullptr, false);
  if (report.is_discarded() || !report.contains("findings"))
    report = {{"schema", "rdna-run/1"}, {"findings", nlohmann::ordered_json::array()}};
  return report;
}

llvm::Expected<int> runWatched(const Options &o, const std::vector<std::string> &command) {
  std::string path = (std::filesystem::temp_directory_path() / "rdna-run-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0)
    return makeError(Failure::BadInput, path, "cannot be made");
  close(file);
  if (llvm::Error error = setEnvironment(o, path))
    return error;
  auto code = tool::runProgram(command);
  auto report = readReport(path);
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  if (!code)
    return llvm::joinErrors(code.takeError(), report.takeError());
  if (!report)
    return report.takeError();
  if (!o.json.empty())
    if (llvm::Error error = writeOutput(o.json, tool::jsonText(*report)))
      return error;
  if (!o.junit.empty())
    if (llvm::Error error = writeOutput(o.junit, tool::junitText(*report, command[0])))
      return error;
  return !report->at("findings").empty() && o.errorExitCode ? o.errorExitCode : *code;
}

} // namespace

int main(int argc, char **argv) {
  tool::Tool tool(
      "rdna-run",
      "Runs a HIP program on an emulated RDNA3 GPU, with its kernels watched if wanted: "
      "rdna-run [options] program [arguments]");
  Options options;
  addOptions(tool.app(), options);
  tool.addExample("rdna-run ./program arguments", "Run it, without a GPU");
  tool.addExample(
      "rdna-run --check=all --error-exitcode 9 ./tests",
      "Watch every kernel for what goes well only by luck; exit code 9 if there is any");
  tool.addExample("rdna-run --time=predicted ./bench",
                  "Let events measure what the timing model predicts for a card");
  tool.app().prefix_command();
  return tool.run(argc, argv, [&]() -> llvm::Expected<int> {
    const std::vector<std::string> command = tool.app().remaining();
    if (command.empty())
      return makeError(Failure::BadInput, "", "no program to run");
    if (llvm::Error error = usePrivateRuntime())
      return error;
    if (!options.checks.empty() || !options.json.empty() || !options.junit.empty() ||
        options.errorExitCode)
      return runWatched(options, command);
    if (llvm::Error error = setEnvironment(options, ""))
      return error;
    tool::becomeProgram(command);
  });
}
