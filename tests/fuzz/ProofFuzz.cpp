// The proof against the emulator: of random kernels, and of what the passes made of them, random
// mutants are taken. One that the proof accepts and the emulator tells apart from the original, or
// whose checks find what the original does not do, is a hole in the proof, whatever is claimed:
// every other time the claim is mutated, too. Also, every text is equal to itself, and to itself
// with hints.

#include "Faults.h"
#include "Input.h"
#include "Isolate.h"
#include "Passes.h"
#include "Runner.h"
#include "Support/File.h"
#include "Support/Random.h"
#include "Verify/Verify.h"
#include "mutation/ClaimMutants.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <sstream>

namespace rdna::fuzz {
namespace {

struct Options {
  uint64_t seed = 1;
  unsigned count = 50, mutants = 60, minutes = 0, jobs = 1;
  std::string out;
  std::vector<std::string> names;
};

/// What the proof is asked.
struct Question {
  std::string before, after;
  std::vector<Correspondence> claims; ///< Of a pass; none: the text is to be equal to itself.
};

using Claims = std::vector<Correspondence>;

/// Empty if `after` is accepted, else the objection.
std::string objection(const Module &before, const Module &after, const Claims &claims) {
  auto proof = proveEquivalent(before, after, claims);
  if (!proof)
    return llvm::toString(proof.takeError());
  return proof->brokenRules.empty() ? "" : proof->brokenRules[0].message;
}

std::unique_ptr<Module> parse(const std::string &text) {
  auto module = Module::parse(text, "fuzz.s");
  if (module)
    return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

/// One line of a child: tag, operator, details without line breaks.
void report(const Sink &sink, const std::string &tag, const std::string &name,
            std::string details = {}) {
  std::replace(details.begin(), details.end(), '\n', ' ');
  sink(tag + "\t" + name + "\t" + details);
}

class Examiner {
public:
  Examiner(const Input &input, const Options &options, const Sink &sink)
      : input_(input), options_(options), sink_(sink), original_(input.read()),
        runner_(original_.text, original_.launch), random_(input.seed() ^ 0xfau) {}
  void run();

private:
  void reflexive();
  void mutate(const Question &question, unsigned count);
  void mutant(const Question &question, const Module &before, const Module &after);
  void keep(const std::string &what, const Question &question, const std::string &text);

  const Input &input_;
  const Options &options_;
  const Sink &sink_;
  Generated original_;
  Runner runner_;
  Random random_;
  unsigned kept_ = 0;
};

void Examiner::keep(const std::string &what, const Question &question, const std::string &text) {
  if (options_.out.empty() || ++kept_ > 5)
    return;
  std::filesystem::create_directories(options_.out);
  std::string base = input_.name;
  std::replace(base.begin(), base.end(), ':', '-');
  base = fmt::format("{}/proof-{}-{}", options_.out, base, kept_);
  for (const auto &[suffix, contents] :
       {std::pair<std::string, std::string>("-original.s", original_.text),
        {"-before.s", question.before},
        {"-after.s", question.after},
        {"-mutant.s", text},
        {".json", original_.launch},
        {".txt",
         fmt::format("{}\n{}\nhsaco-loader verify {}-mutant.s --against {}-original.s "
                     "--launch {}.json --check=all\nrdna-proof-fuzz --input {} "
                     "--mutants {}\n",
                     what,
                     !question.claims.empty() ? "a rewrite of a pass, mutated (its claim is in "
                                                "memory only: run the last command)"
                                              : "identity claimed",
                     base, base, base, input_.name, options_.mutants)}})
    if (llvm::Error error = writeOutput(base + suffix, contents))
      llvm::consumeError(std::move(error));
}

void Examiner::reflexive() {
  const auto before = parse(original_.text);
  if (!before)
    return report(sink_, "unparsed", "input");
  const std::string same = objection(*before, *parse(original_.text), {});
  report(sink_, same.empty() ? "reflexive" : "NOT REFLEXIVE", "itself", same);
  const std::string text = withHints(*before, input_.seed());
  const auto hinted = parse(text);
  const std::string hints = hinted ? objection(*before, *hinted, {}) : "does not assemble";
  report(sink_, hints.empty() ? "reflexive" : "NOT REFLEXIVE", "hints", hints);
  if (!hints.empty())
    keep("with hints: " + hints, {original_.text, original_.text, {}}, text);
}

void Examiner::mutant(const Question &question, const Module &before, const Module &after) {
  const auto &faults = allFaults();
  const auto &op = faults[random_.below(static_cast<uint32_t>(faults.size()))];
  const auto &functions = after.functions();
  const uint32_t function = random_.below(static_cast<uint32_t>(functions.size()));
  const std::vector<mutation::Mutant> sites = op.sites(mutation::makeSubject(after, function));
  if (sites.empty())
    return;
  const mutation::Mutant &mutant = sites[random_.below(static_cast<uint32_t>(sites.size()))];
  const std::string text = applyEdits(after, mutant.edits);
  if (text == after.text())
    return;
  const auto mutated = parse(text);
  if (!mutated)
    return report(sink_, "no assembly", op.name);
  Claims claims = question.claims;
  if (random_.below(2) == 0) {
    if (claims.empty())
      claims.emplace_back().function = before.functions()[function].name;
    Correspondence &claim = claims[random_.below(static_cast<uint32_t>(claims.size()))];
    claim = mutation::mutateClaim(claim, before, mutation::registersOf(after, mutant.instructions),
                                  random_)
                .claim;
  }
  if (!objection(before, *mutated, claims).empty())
    return report(sink_, "refused", op.name);
  const Runner::Verdict verdict = runner_.compare(text, Runner::Depth::Checks);
  const std::string wrong = !verdict.difference.empty() ? verdict.difference : verdict.newFinding;
  if (wrong.empty())
    return report(sink_, "accepted", op.name, mutant.what);
  report(sink_, verdict.difference.empty() ? "NEW FINDING" : "DIFFERS", op.name,
         mutant.what + ": " + wrong);
  keep(fmt::format("{}: {}\n{}", op.name, mutant.what, wrong), question, text);
}

void Examiner::mutate(const Question &question, unsigned count) {
  const auto before = parse(question.before), after = parse(question.after);
  if (!before || !after)
    return report(sink_, "unparsed", "step");
  for (unsigned n = 0; n < count; ++n)
    mutant(question, *before, *after);
}

void Examiner::run() {
  reflexive();
  std::vector<Question> questions;
  const auto all = configurations(input_.seed());
  for (const char *name : {"vgpr-remap", "random-subset", "unroll-2", "waits"})
    for (const Configuration &configuration : all) {
      if (configuration.name != name)
        continue;
      std::vector<Question> steps;
      fuzz::run(configuration, original_.text, [&](const ProvenStep &step) {
        steps.push_back(
            {std::string(step.before.text()), std::string(step.after.text()), step.claims});
      });
      for (size_t n = 0; n < steps.size() && n < 2; ++n) {
        const auto verdict = runner_.compare(steps[n].after, Runner::Depth::Checks);
        const std::string wrong =
            !verdict.difference.empty() ? verdict.difference : verdict.newFinding;
        if (wrong.empty()) {
          questions.push_back(std::move(steps[n]));
          continue;
        }
        // What is wrong already says nothing of its mutants.
        report(sink_, verdict.difference.empty() ? "NEW FINDING" : "DIFFERS", "rewrite", wrong);
        keep(std::string(name) + ", without a mutation: " + wrong, steps[n], steps[n].after);
        break;
      }
    }
  mutate({original_.text, original_.text, {}},
         questions.empty() ? options_.mutants : options_.mutants / 2);
  for (const Question &question : questions)
    mutate(question, options_.mutants / 2 / static_cast<unsigned>(questions.size()) + 1);
}

class Fuzzer {
public:
  explicit Fuzzer(Options options) : options_(std::move(options)) {}
  int run();

private:
  void take(const Input &input, const Isolated &child);
  void print() const;

  Options options_;
  std::map<std::string, std::map<std::string, unsigned>> table_; ///< By operator, by tag.
  std::vector<std::string> problems_;
};

void Fuzzer::take(const Input &input, const Isolated &child) {
  std::istringstream in(child.output);
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second == std::string::npos)
      continue;
    const std::string tag = line.substr(0, first),
                      name = line.substr(first + 1, second - first - 1);
    ++table_[name][tag];
    if (tag == "DIFFERS" || tag == "NEW FINDING" || tag == "NOT REFLEXIVE" || tag == "unparsed")
      problems_.push_back(
          fmt::format("{} {} {}: {}", input.name, tag, name, line.substr(second + 1)));
  }
  if (!child.failure.empty())
    problems_.push_back(fmt::format("{} crashed: {}", input.name, child.failure));
}

void Fuzzer::print() const {
  static constexpr const char *tags[] = {"reflexive", "no assembly", "refused",      "accepted",
                                         "DIFFERS",   "NEW FINDING", "NOT REFLEXIVE"};
  fmt::print("{:22}", "");
  for (const char *tag : tags)
    fmt::print(" {:>13}", tag);
  std::map<std::string, unsigned> sum;
  const auto line = [&](const std::string &name, const std::map<std::string, unsigned> &row) {
    fmt::print("\n{:22}", name);
    for (const char *tag : tags)
      fmt::print(" {:13}", row.contains(tag) ? row.at(tag) : 0);
  };
  for (const auto &[name, row] : table_) {
    line(name, row);
    for (const auto &[tag, count] : row)
      sum[tag] += count;
  }
  line("all", sum);
  fmt::print("\n");
  for (const std::string &problem : problems_)
    fmt::print("{}\n", problem);
}

int Fuzzer::run() {
  std::vector<Input> inputs;
  for (const std::string &name : options_.names)
    inputs.push_back({name});
  if (inputs.empty())
    inputs = generatedInputs(options_.seed, options_.count, options_.count / 4);
  fmt::print("{} files, seeds from {}\n", inputs.size(), options_.seed);
  std::fflush(stdout);
  const auto begin = std::chrono::steady_clock::now();
  isolateAll(
      inputs.size(), options_.jobs,
      [&] {
        return options_.minutes == 0 ||
               std::chrono::steady_clock::now() - begin < std::chrono::minutes(options_.minutes);
      },
      [&](size_t n, const Sink &sink) { Examiner(inputs[n], options_, sink).run(); },
      [&](size_t n, const Isolated &child) { take(inputs[n], child); });
  print();
  fmt::print("{} problems\n", problems_.size());
  return problems_.empty() ? 0 : 2;
}

} // namespace
} // namespace rdna::fuzz

int main(int argc, char **argv) {
  rdna::fuzz::Options options;
  CLI::App app("Mutants of random kernels and their rewrites: the proof against the emulator.");
  app.add_option("--seed", options.seed, "First seed");
  app.add_option("--count", options.count, "Kernels; a quarter as many device files are added");
  app.add_option("--mutants", options.mutants, "For each file");
  app.add_option("--minutes", options.minutes, "Begin nothing new after so long; 0: no limit");
  app.add_option("--jobs", options.jobs, "Processes side by side");
  app.add_option("--out", options.out, "Folder for failing cases");
  app.add_option("--input", options.names, "kernel:SEED, device:SEED or file:CODE.s:LAUNCH.json");
  CLI11_PARSE(app, argc, argv);
  try {
    return rdna::fuzz::Fuzzer(options).run();
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
