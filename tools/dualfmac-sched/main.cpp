// dualfmac-sched: takes a compiled kernel up the ladder that is otherwise climbed by hand, one
// proven pass after the other, or makes one from a tile. Which passes there are, and what can be
// said to them, is in the registry.

#include "BatchCommand.h"
#include "ForDevice.h"
#include "Generate.h"
#include "Given.h"
#include "Tune.h"

#include "Pipeline/Fastest.h"
#include "Pipeline/PipelineForms.h"
#include "Pipeline/Registry.h"
#include "Pipeline/WholeProof.h"
#include "common/RewriteCommand.h"
#include "common/RewriteReport.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace rdna;

namespace {
struct Options {
  std::vector<std::string> assumptions, given;
  dualfmac::DevicePredictions::Wanted predicted; ///< `device` is empty without --for.
  std::map<std::string, std::string> words;      ///< Of passes that take a value, by name.
  PassChoice choice;
  PassRequest request;
  enum class Whole { Leave, Prove } whole = Whole::Leave;
  tool::RewriteCommand command;
};
} // namespace

/// A switch whose value says more of it, without one.
static constexpr std::string_view kAlone = "chosen";

/// Returns what chooses the pass by name.
static CLI::Option *addSwitch(CLI::App &app, const PassInfo &pass, Options &options) {
  const std::string name(pass.name), flag = "--" + name;
  const std::string form = valueForm(pass);
  if (form.empty()) {
    return app
        .add_flag_callback(
            flag, [&options, name] { options.choice.names.insert(name); }, std::string(pass.help))
        ->disable_flag_override(); // --waits=3 is a mistake.
  }
  const auto check = [&pass](const std::string &text) {
    PassChoice choice;
    return text == kAlone ? std::string() : readPassValue(pass, text, choice);
  };
  const auto *own = llvm::find_if(
      pass.options, [&](const PassOption &option) { return option.name == pass.name; });
  const std::string_view alone = own == pass.options.end() ? kAlone : own->word;
  // As a flag with a value, because behind a blank the file would be taken for it.
  return app
      .add_flag(fmt::format("{}{{{}}}", flag, alone), options.words[name], std::string(pass.help))
      ->check(CLI::Validator(check, form));
}

static void addWithout(CLI::App &app, const PassInfo &pass, CLI::Option *chosen, Options &options) {
  const std::string name(pass.name);
  app.add_flag_callback(
         "--no-" + name, [&options, name] { options.choice.without.insert(name); },
         fmt::format("All but --{}{}", name,
                     pass.chosen == Chosen::ByName ? ", which runs by its name only anyway" : ""))
      ->disable_flag_override()
      ->excludes(chosen);
}

/// Options that several passes have are one.
static void addValues(CLI::App &app, Options &options) {
  std::set<std::string> known;
  for (const PassInfo &pass : allPasses())
    for (const PassOption &option : pass.options) {
      if (option.name == pass.name || option.place != PassOption::Place::Switch ||
          !known.insert(std::string(option.name)).second)
        continue;
      const std::string flag = fmt::format("--{}", option.name), help(option.help);
      if (option.choices.empty())
        app.add_option_function<uint64_t>(
               flag,
               [&options, name = std::string(option.name)](uint64_t value) {
                 options.choice.values[name] = value;
               },
               help)
            ->check(CLI::Range(option.least, option.most));
      else
        app.add_option_function<std::string>(
               flag,
               [&options, &pass, &option](const std::string &word) {
                 readPassOption(pass, option.name, word, options.choice); // It was checked.
               },
               help)
            ->check(CLI::Validator(
                [&pass, &option](const std::string &word) {
                  PassChoice unused;
                  return readPassOption(pass, option.name, word, unused);
                },
                ""));
    }
}

static std::vector<std::string> assumptionNames() {
  std::vector<std::string> names;
  for (const Assumption assumption : kAssumptions)
    names.emplace_back(toString(assumption));
  return names;
}

static void addOptions(tool::Tool &tool, CLI::App &app, Options &options) {
  std::vector<CLI::Option *> chosen;
  for (const PassInfo &pass : allPasses())
    chosen.push_back(addSwitch(app, pass, options));
  for (size_t i = 0; i < chosen.size(); ++i)
    addWithout(app, allPasses()[i], chosen[i], options);
  addValues(app, options);
  app.add_option(
         "--assume", options.assumptions,
         "What the proof may take for granted: no-index-wrap (no 32-bit index of a global "
         "access wraps, and its bytes fit 4 GiB), no-sync-without-barrier (waves tell each "
         "other nothing by plain loads, stores and waits), lds-in-bounds (the code as it is "
         "accesses LDS only inside of what it declares); may be given for each")
      ->check(CLI::IsMember(assumptionNames()))
      ->allow_extra_args(false); // What follows is the file.
  app.add_option("--given", options.given,
                 "A range of what is launched, which may show that no index wraps: N<=32768, "
                 "N==4096 or 1<=N<32768, unsigned. N is a kernel argument by its name, arg3, "
                 "kernarg+24 (a dword by offset), workgroup_id_x or workitem_id_x; may be given "
                 "several times")
      ->allow_extra_args(false);
  app.add_option("--launch", options.predicted.launchFile,
                 "Launch description (as for hsaco-loader): names of arguments for --given, the "
                 "workgroup's shape where neither the file nor --block says it, and what --for "
                 "predicts");
  app.add_option("--for", options.predicted.device,
                 "Judge steps by the time that the timing model predicts for --launch on this "
                 "card (7900xtx, ..., or FILE.json; docs/howto-timing.md): one whose time rises is "
                 "taken back, one that makes a count worse is kept if it is faster for all that "
                 "is in doubt")
      ->check(CLI::Validator(
          [](const std::string &card) {
            return card.empty() ? "a card has a name, like 7900xtx" : std::string();
          },
          "CARD"));
  app.add_option("--param", options.predicted.parameters,
                 "A parameter of the launch: N=4096; may be given several times")
      ->allow_extra_args(false);
  app.add_option("--region", options.request.region,
                 "Only the loop with this label at its header, and those inside it");
  app.add_flag_callback(
         "--prove-whole", [&] { options.whole = Options::Whole::Prove; },
         "Prove the result against the input once more, all steps at once, and say for which "
         "functions that was possible")
      ->excludes(app.get_option("--for"));
  options.command.addOptions(tool, app, options.request);
}

/// What --for says of the result.
struct Predicted {
  timing::Prediction before, after;
  std::vector<WayTaken> ways;
};

static nlohmann::ordered_json toJson(const WayTaken &way) {
  return {{"name", way.name},
          {"predicted_ms", way.milliseconds},
          {"chosen", way.outcome == WayTaken::Outcome::Chosen},
          {"given_up", way.outcome == WayTaken::Outcome::GivenUp}};
}

static nlohmann::ordered_json toJson(const timing::Prediction &prediction) {
  return {{"predicted_ms", prediction.milliseconds},
          {"predicted_low_ms", prediction.low},
          {"predicted_high_ms", prediction.high}};
}

/// `--report`: schema "dualfmac-sched/1".
static std::string jsonReport(const std::string &file, const PipelineResult &result,
                              const std::optional<Predicted> &predicted) {
  nlohmann::ordered_json report = tool::rewriteReport(file, result);
  if (predicted)
    report["predicted"] = {{"before", toJson(predicted->before)},
                           {"after", toJson(predicted->after)}};
  if (predicted)
    for (const WayTaken &way : predicted->ways)
      report["predicted"]["ways"].push_back(toJson(way));
  return tool::jsonText(report);
}

static std::string_view wordFor(WayTaken::Outcome outcome) {
  switch (outcome) {
  case WayTaken::Outcome::Slower:
    return "";
  case WayTaken::Outcome::GivenUp:
    return " (given up on the way)";
  case WayTaken::Outcome::Chosen:
    return " (kept)";
  }
  return "";
}

static void printPrediction(const dualfmac::DevicePredictions &device, const Predicted &predicted) {
  tool::Progress::erase();
  fmt::print(
      stderr,
      "{} on {}, {}: predicted {:.4f} ms ({:.4f} to {:.4f}) -> {:.4f} ms ({:.4f} to {:.4f})\n",
      device.kernel(), device.machine().device().title, device.launchWords(),
      predicted.before.milliseconds, predicted.before.low, predicted.before.high,
      predicted.after.milliseconds, predicted.after.low, predicted.after.high);
  std::string words;
  for (const WayTaken &way : predicted.ways) {
    if (&way == &predicted.ways.front() && way.outcome != WayTaken::Outcome::Chosen)
      continue; // The input, which stands in the line above.
    words += fmt::format("{}{} {:.4f} ms{}", words.empty() ? "" : ", ", way.name, way.milliseconds,
                         wordFor(way.outcome));
  }
  fmt::print(stderr, "ways tried, predicted: {}\n", words);
}

static void printWhole(const WholeProof &whole, const Module &result) {
  tool::Progress::erase();
  for (const WholeProof::Verdict &verdict : whole.prove(result))
    fmt::print(stderr, "{}: {} step{}, {}\n", verdict.function, verdict.steps,
               verdict.steps == 1 ? "" : "s",
               verdict.obstacle.empty() ? "proven from end to end"
                                        : "each proven, not as a whole: " + verdict.obstacle);
}

/// The fastest of some ways with --for, else the only one.
static llvm::Expected<PipelineResult> runPasses(std::unique_ptr<Module> module,
                                                const Pipeline &pipeline,
                                                std::optional<Predicted> &predicted) {
  if (!pipeline.appraiser)
    return runPipeline(std::move(module), pipeline);
  auto fastest = runFastest(std::move(module), pipeline);
  if (!fastest)
    return fastest.takeError();
  predicted->ways = std::move(fastest->ways);
  return std::move(fastest->best);
}

static llvm::Expected<int> rewrite(const tool::Tool &tool, Options &options) {
  for (const auto &[name, word] : options.words)
    if (!word.empty()) {
      options.choice.names.insert(name);
      if (word != kAlone)
        readPassValue(*findPass(name), word, options.choice); // It was checked.
    }
  if (options.choice.values.contains("order") && !options.choice.names.contains("stages") &&
      !options.choice.names.contains("pipeline"))
    return makeError(Failure::BadInput, "",
                     "--order goes with --stages or --pipeline=lds:N,vgpr:M");
  for (const Assumption assumption : kAssumptions)
    if (llvm::is_contained(options.assumptions, toString(assumption)))
      options.request.assumptions.insert(assumption);
  auto module = options.command.read();
  if (!module)
    return module.takeError();
  if (llvm::Error error = dualfmac::readGiven(
          **module, {options.given, options.predicted.launchFile, options.command.shape()},
          options.request))
    return error;
  std::unique_ptr<dualfmac::DevicePredictions> device;
  std::optional<Predicted> predicted;
  if (!options.predicted.device.empty()) {
    options.predicted.kernel = options.request.kernel;
    auto made = dualfmac::DevicePredictions::create(options.predicted, **module);
    if (!made)
      return made.takeError();
    device = std::move(*made);
    auto before = device->predict((*module)->text(), options.command.file());
    if (!before)
      return before.takeError();
    predicted.emplace(Predicted{std::move(*before), {}, {}});
  }
  tool::Progress progress("dualfmac-sched");
  const auto show = [&](std::string_view pass, unsigned round) {
    progress.status(fmt::format("round {}, {}", round, pass));
  };
  Pipeline pipeline{.passes = choosePasses(options.choice),
                    .request = options.request,
                    .onPass = show,
                    .appraiser = device.get(),
                    .variants = variantsOf(options.choice)};
  if (device)
    llvm::append_range(pipeline.variants,
                       pipelineForms(options.choice, **module, options.request, device->kernel()));
  std::optional<WholeProof> whole;
  if (options.whole == Options::Whole::Prove) {
    auto made = WholeProof::of(**module);
    if (!made)
      return made.takeError();
    whole = std::move(*made);
    pipeline.onStep = [&whole](const ProvenStep &step) { whole->add(step); };
  }
  auto result = runPasses(std::move(*module), pipeline, predicted);
  if (!result)
    return result.takeError();
  if (whole)
    printWhole(*whole, *result->module);
  if (device) {
    auto after = device->predict(result->text, options.command.file());
    if (!after)
      return after.takeError();
    predicted->after = std::move(*after);
    printPrediction(*device, *predicted);
  }
  return options.command.finish(tool, *result,
                                jsonReport(options.command.file(), *result, predicted));
}

int main(int argc, char **argv) {
  tool::Tool tool(
      "dualfmac-sched",
      "Rewrites RDNA3 kernels for dual issue, one proven pass after the other, and generates "
      "loops and kernels.");
  Options options;
  std::string switches;
  for (const PassInfo &pass : allPasses())
    switches += fmt::format("{}--{}{}", switches.empty() ? "" : ", ", pass.name,
                            pass.chosen == Chosen::ByName ? " (only by name)" : "");
  CLI::App &command = *tool.app().add_subcommand(
      "rewrite", fmt::format("Rewrite a kernel: the passes that are named, or all (but those left "
                             "out by --no-NAME), in this order: {}",
                             switches));
  addOptions(tool, command, options);
  dualfmac::GenerateCommand generate(tool);
  dualfmac::TuneCommand tune(tool);
  dualfmac::BatchCommand batch(tool);
  tool.app().require_subcommand(1);
  tool.setDefaultCommand("rewrite");
  tool.app().footer(std::string(tool::exitCodeHelp));
  tool.addExample("dualfmac-sched rewrite kernel.s -o faster.s --score",
                  "All passes, and a line for each step");
  tool.addExample("dualfmac-sched rewrite --given='N<=16384' kernel.s -o faster.s",
                  "With a range of an argument, by which the proof may show that no index wraps");
  tool.addExample("dualfmac-sched rewrite --unroll=4 --waits kernel.s -o faster.s",
                  "Two passes only");
  return tool.run(argc, argv, [&] {
    return command.parsed() ? rewrite(tool, options)
           : tune.parsed()  ? tune.run()
           : batch.parsed() ? batch.run()
                            : generate.run();
  });
}
