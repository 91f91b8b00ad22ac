// Random kernels and device functions through all passes: whatever is rewritten must compute the
// same bits on the emulator and give its checks nothing new to say. A refusal is no failure here,
// but counted.

#include "Input.h"
#include "Isolate.h"
#include "Minimise.h"
#include "Runner.h"
#include "Support/File.h"
#include "Tally.h"

#include "llvm/Support/xxhash.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <sstream>

namespace rdna::fuzz {
namespace {

struct Options {
  uint64_t seed = 1;
  unsigned count = 100, functions = 25, minutes = 0, jobs = 1, delayRuns = 0, tries = 600;
  std::string out, save, baseline, note, loader = RDNA_BIN_DIR "/hsaco-loader";
  std::vector<std::string> names, only;
  bool corpus = false, minimises = false;
};

void write(const std::string &path, const std::string &text) {
  if (llvm::Error error = writeOutput(path, text))
    throw std::runtime_error(llvm::toString(std::move(error)));
}

bool knowsDelays(const Options &options) {
  const std::string command = options.loader + " verify --help 2>/dev/null | grep -q -- --delays";
  return options.delayRuns > 0 && std::system(command.c_str()) == 0;
}

/// The loader's own delaying mode, in a process: empty, or that it found a difference.
std::string delayed(const Options &options, const Input &input, const Generated &original,
                    const std::string &rewritten) {
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("rewrite-fuzz-{}-{}", getpid(), input.seed());
  std::filesystem::create_directories(folder);
  const std::string base = folder.string();
  write(base + "/a.s", original.text);
  write(base + "/b.s", rewritten);
  write(base + "/l.json", original.launch);
  const int status = std::system(
      fmt::format("{} verify {}/b.s --against {}/a.s --launch {}/l.json --threads 1 --delays={} "
                  "--delay-runs {} >{}/log 2>&1",
                  options.loader, base, base, base, input.seed(), options.delayRuns, base)
          .c_str());
  std::string message;
  if (status != 0)
    if (auto log = readInput(base + "/log"))
      message = "with delays: " + *log;
  std::filesystem::remove_all(folder);
  return message;
}

/// Does the problem of this entry show on another original as well?
bool stillFails(const Configuration &configuration, const Entry &entry, const Generated &original,
                const std::set<std::string> &allowed) {
  const Isolated child = isolate([&](const Sink &sink) {
    const Runner runner(original.text, original.launch);
    for (const std::string &rule : runner.findings().rules)
      if (!allowed.contains(rule))
        return;
    sink("ran");
    const Outcome outcome = run(configuration, original.text);
    if (outcome.status == Status::Changed) {
      const auto verdict = runner.compare(outcome.text, Runner::Depth::Checks);
      if (entry.difference.empty() ? !verdict.newFinding.empty() : !verdict.difference.empty())
        sink("fails");
    } else if (outcome.status == entry.status && fold(outcome.reason) == fold(entry.reason)) {
      sink("fails");
    }
  });
  if (entry.status == Status::Crashed)
    return !child.failure.empty() && child.output.find("ran") != std::string::npos;
  return child.output.find("fails") != std::string::npos;
}

class Fuzzer {
public:
  explicit Fuzzer(Options options) : options_(std::move(options)), delays_(knowsDelays(options_)) {}
  int run();

private:
  void examine(const Input &input, const Sink &sink) const;
  void take(const Input &input, const Isolated &child);
  void keep(const Input &input, const std::string &name, const Entry &entry) const;
  std::vector<Configuration> wanted(const Input &input) const;

  Options options_;
  bool delays_;
  Results results_;
  unsigned failures_ = 0, unclean_ = 0;
};

std::vector<Configuration> Fuzzer::wanted(const Input &input) const {
  std::vector<Configuration> all = configurations(input.seed());
  if (!options_.only.empty())
    std::erase_if(all, [&](const Configuration &c) {
      return std::find(options_.only.begin(), options_.only.end(), c.name) == options_.only.end();
    });
  return all;
}

/// In a process of its own. Writes a line before and one behind each configuration.
void Fuzzer::examine(const Input &input, const Sink &sink) const {
  const Generated original = input.read();
  sink(nlohmann::json{{"text", fmt::format("{:016x}", llvm::xxh3_64bits(original.text))}}.dump());
  const Runner runner(original.text, original.launch);
  if (!runner.findings().rules.empty())
    sink(nlohmann::json{{"original", runner.findings().first}}.dump());
  std::map<std::string, Runner::Verdict> seen; // Passes often write the same text.
  for (const Configuration &configuration : wanted(input)) {
    sink(nlohmann::json{{"begin", configuration.name}}.dump());
    const Outcome outcome = fuzz::run(configuration, original.text);
    Runner::Verdict verdict;
    if (outcome.status == Status::Changed) {
      const auto [at, isNew] = seen.try_emplace(outcome.text);
      if (isNew) {
        at->second = runner.compare(outcome.text, Runner::Depth::Checks);
        if (delays_ && at->second.difference.empty())
          at->second.difference = delayed(options_, input, original, outcome.text);
      }
      verdict = at->second;
    }
    sink(nlohmann::json{{"end", configuration.name},
                        {"status", toString(outcome.status)},
                        {"reason", outcome.reason},
                        {"difference", verdict.difference},
                        {"finding", verdict.newFinding}}
             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
}

void Fuzzer::take(const Input &input, const Isolated &child) {
  std::istringstream in(child.output);
  std::string open;
  auto &[text, entries] = results_[input.name];
  for (std::string line; std::getline(in, line);) {
    const nlohmann::json fields = nlohmann::json::parse(line, nullptr, false);
    if (fields.contains("original")) {
      ++unclean_;
      fmt::print("{}: the original is not clean: {}\n", input.name,
                 fields["original"].get<std::string>());
    }
    if (fields.contains("text"))
      text = fields["text"];
    if (fields.contains("begin"))
      open = fields["begin"];
    if (!fields.contains("end"))
      continue;
    open.clear();
    entries[fields["end"]] = {*statusByName(fields["status"].get<std::string>()), fields["reason"],
                              fields["difference"], fields["finding"]};
  }
  if (!child.failure.empty())
    entries[open.empty() ? "start" : open] = {Status::Crashed, child.failure, "", ""};
  for (const auto &[name, entry] : entries) {
    const bool fails = !entry.difference.empty() || !entry.finding.empty() ||
                       entry.status == Status::Crashed || entry.status == Status::Error;
    if (fails && ++failures_ <= 50 && !options_.out.empty())
      keep(input, name, entry);
  }
}

/// The failing case as files, with the command that reproduces it.
void Fuzzer::keep(const Input &input, const std::string &name, const Entry &entry) const {
  std::filesystem::create_directories(options_.out);
  std::string base = fmt::format("{}-{}", input.name, name);
  for (char &c : base)
    if (c == ':' || c == '/')
      c = '-';
  base = options_.out + "/" + base;
  Generated original = input.read();
  write(base + ".s", original.text);
  write(base + ".json", original.launch);
  std::string commands;
  for (const Configuration &configuration : configurations(input.seed())) {
    if (configuration.name != name)
      continue;
    for (const Configuration::Command &command : configuration.commands)
      commands += fmt::format("{} < {}.s > rewritten.s\n", command.text(), base);
    const Isolated child = isolate([&](const Sink &) {
      const Outcome outcome = fuzz::run(configuration, original.text);
      if (outcome.status == Status::Changed)
        write(base + "-rewritten.s", outcome.text);
    });
    if (!options_.minimises)
      continue;
    const std::set<std::string> allowed = [&] {
      try {
        return Runner(original.text, original.launch).findings().rules;
      } catch (const std::runtime_error &) {
        return std::set<std::string>();
      }
    }();
    write(base + "-small.s", minimise(original.text, options_.tries, [&](const std::string &text) {
            return stillFails(configuration, entry, {text, original.launch}, allowed);
          }));
  }
  write(base + ".txt",
        fmt::format("{} {}: {}\n{}\ndifference: {}\nnew finding: {}\n\n{}hsaco-loader verify "
                    "rewritten.s --against {}.s --launch {}.json --check=all\n"
                    "rdna-rewrite-fuzz --input {} --only {}\n",
                    input.name, name, toString(entry.status), entry.reason, entry.difference,
                    entry.finding, commands, base, base, input.name, name));
}

int Fuzzer::run() {
  std::vector<Input> inputs;
  Results then;
  if (!options_.baseline.empty()) {
    then = readJson(options_.baseline);
    for (const auto &[file, entries] : then)
      inputs.push_back({file});
  } else if (!options_.names.empty()) {
    for (const std::string &name : options_.names)
      inputs.push_back({name});
  } else if (options_.corpus) {
    inputs = corpusInputs();
  } else {
    inputs = generatedInputs(options_.seed, options_.count, options_.functions);
  }
  fmt::print("{} files, seeds from {}{}\n", inputs.size(), options_.seed,
             delays_ ? ", with delays" : "");
  std::fflush(stdout);
  const auto begin = std::chrono::steady_clock::now();
  isolateAll(
      inputs.size(), options_.jobs,
      [&] {
        return options_.minutes == 0 ||
               std::chrono::steady_clock::now() - begin < std::chrono::minutes(options_.minutes);
      },
      [&](size_t n, const Sink &sink) { examine(inputs[n], sink); },
      [&](size_t n, const Isolated &child) { take(inputs[n], child); });
  printTally(results_);
  if (!options_.baseline.empty())
    printComparison(then, results_);
  if (!options_.save.empty())
    write(options_.save, toJson(results_, options_.note));
  fmt::print("{} files, {} not clean from the start, {} failures\n", results_.size(), unclean_,
             failures_);
  return failures_ == 0 ? 0 : 2;
}

} // namespace
} // namespace rdna::fuzz

int main(int argc, char **argv) {
  rdna::fuzz::Options options;
  CLI::App app("Random kernels through all passes, compared on the emulator.");
  app.add_option("--seed", options.seed, "First seed");
  app.add_option("--count", options.count, "Kernels");
  app.add_option("--functions", options.functions, "Files with device functions, same seeds");
  app.add_option("--minutes", options.minutes, "Begin nothing new after so long; 0: no limit");
  app.add_option("--jobs", options.jobs, "Processes side by side");
  app.add_option("--out", options.out, "Folder for failing cases");
  app.add_option("--save", options.save, "Write what became of every file to this JSON file");
  app.add_option("--note", options.note, "Kept in it, say the commit");
  app.add_option("--baseline", options.baseline, "The files of such a JSON file, and compare");
  app.add_option("--input", options.names,
                 "kernel:SEED, device:SEED, corpus:NAME or file:CODE.s:LAUNCH.json");
  app.add_option("--only", options.only, "Only these configurations");
  app.add_flag("--corpus", options.corpus, "The compiled kernels instead of random ones");
  app.add_flag("--minimise", options.minimises, "Also write failing cases with fewer lines");
  app.add_option("--tries", options.tries, "Most runs for that, for each case");
  app.add_option("--delay-runs", options.delayRuns,
                 "Also verify with so many runs of late loads, if the loader can");
  app.add_option("--loader", options.loader, "hsaco-loader for that");
  CLI11_PARSE(app, argc, argv);
  try {
    return rdna::fuzz::Fuzzer(options).run();
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
