#include "Options.h"

#include "Support/File.h"
#include "common/Sizes.h"

#include <fmt/format.h>

namespace rdna::isaparse {

static void addViews(CLI::App &app, Options &options) {
  CLI::Option_group *views = app.add_option_group("views", "What to print (default: a report)");
  const auto view = [&](const char *flag, View value, const char *help) {
    views->add_flag_callback(flag, [&options, value] { options.view = value; }, help);
  };
  view("--json", View::Json, "The report as JSON");
  view("--markdown", View::Markdown, "With --compare: the table as Markdown");
  view("--banks", View::Banks,
       "Register banks that every instruction of the innermost loops reads and writes");
  view("--why-single", View::WhySingle,
       "Why each F32 FMA outside a dual-issued pair is single, and what would free it");
  view("--timing", View::Timing,
       "Clocks and stalls of each instruction of the innermost loops in a launch, predicted by the "
       "timing model (docs/howto-timing.md)");
  view("--roundtrip", View::RoundTrip,
       "Print every instruction anew, assemble both texts and compare the code");
  view("--print", View::Print, "The document as it was read, byte for byte");
  views->require_option(0, 1);
  app.add_flag_callback(
      "--lint", [&options] { options.lint = Options::Lint::Yes; },
      "What the assembler accepts although it is wrong (exit code 2), of any number of files; also "
      "with --json, --sarif, and with --against, which makes it say what is new");
  app.add_option("--sarif", options.sarif,
                 "With --lint: write the findings to FILE as SARIF 2.1.0, for code hosts")
      ->type_name("FILE");
  app.add_option("--suppress", options.suppressed,
                 "With --lint: a finding that is of no interest: RULE, RULE:LINE or "
                 "RULE:FILE:LINE; repeatable")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--suppressions", options.suppressionFile,
                 "With --lint: a file with one of these in each line, # for comments")
      ->type_name("FILE");
  app.add_flag_callback(
      "--all-findings", [&options] { options.shown = Options::Shown::All; },
      "With --lint on a terminal: every finding, not three of each rule");
  app.add_option("--fail-if", options.limits,
                 "Exit code 2 if a kernel's figure is so: NAME>N (also < >= <= == !=), as "
                 "conflicts>0, hot.single>4, waves<8 or any number of a kernel of --json; "
                 "repeatable")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

void addOptions(tool::Tool &tool, Options &options) {
  CLI::App &app = tool.app();
  tool.addInput(options.input);
  app.add_option("more", options.more, "With --lint: further files");
  tool.addOutput();
  tool.addWide();
  app.add_option("--kernel", options.select.kernel, "Only the kernel of this name");
  app.add_option("--region", options.select.region,
                 "Only the loop with this label at its header, or the lines between "
                 "'; RDNA-BEGIN name' and '; RDNA-END name'");
  app.add_option_function<std::string>(
         "--block",
         [&options](const std::string &text) {
           const auto sizes = llvm::cantFail(tool::parseSizes(text, "--block")); // It was checked.
           options.select.block = sizes[0] * sizes[1] * sizes[2];
         },
         "Workgroup size where the file gives none, 256 or 16x16 (for the occupancy)")
      ->check(CLI::Validator(tool::whyNoBlock, "SIZE"));
  app.add_option("--compare,--against", options.against,
                 "The same kernels before: prints what has changed since FILE; also with --json, "
                 "--markdown and --html");
  app.add_option("--html", options.html,
                 "Write a page about the kernels to FILE: one file that loads nothing else "
                 "(docs/howto-analyse.md)");
  app.add_flag_callback(
      "--details", [&options] { options.detail = Detail::Full; },
      "With --json: also what the page of --html shows of each instruction");
  app.add_option("--launch", options.launch.file,
                 "Launch description (JSON): for --timing, and for predicted times in all "
                 "reports");
  app.add_option("--param", options.launch.parameters,
                 "Parameter of the launch, NAME=value; repeatable")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--device", options.launch.device,
                 "The card of the launch (default 7900xtx), or FILE.json");
  app.add_flag_callback(
      "--what-if", [&options] { options.experiments = Options::Experiments::Yes; },
      "With --timing: what the launch would gain at most without bank conflicts, waits for code, "
      "LDS "
      "passes, latencies or barriers, and with a wave more");
  addViews(app, options);
}

llvm::Error checkUsage(const Options &options) {
  const auto refuse = [](const char *what) { return makeError(Failure::BadInput, "", what); };
  const bool isReport =
      options.view == View::Report || options.view == View::Json || options.view == View::Markdown;
  const bool isLint = options.lint == Options::Lint::Yes;
  if (!options.more.empty() && !isLint)
    return makeError(Failure::BadInput, "",
                     fmt::format("'{}' was not expected: one file is read, and several by --lint "
                                 "only (--compare takes the file before)",
                                 options.more.front()));
  if (!isLint &&
      (!options.sarif.empty() || !options.suppressed.empty() || !options.suppressionFile.empty()))
    return refuse("--sarif, --suppress and --suppressions go with --lint");
  if (isLint && (options.view != View::Report && options.view != View::Json))
    return refuse("--lint is a report of its own; it goes with --json and --sarif only");
  if (isLint && (!options.html.empty() || !options.limits.empty()))
    return refuse("--html and --fail-if are about the report, not about --lint");
  if (!isReport && !options.limits.empty())
    return refuse("--fail-if goes with the report, --json and --markdown");
  if (!isReport && (!options.against.empty() || !options.html.empty()))
    return refuse(
        "--compare and --html are about the report, and go with --json or --markdown only");
  if (options.view == View::Markdown && options.against.empty())
    return refuse("--markdown prints a comparison: --compare FILE is missing");
  if (options.detail == Detail::Full && options.view != View::Json)
    return refuse("--details goes with --json");
  if (options.experiments == Options::Experiments::Yes && options.view != View::Timing)
    return refuse("--what-if goes with --timing");
  if (options.input == "-" && options.against == "-")
    return refuse("both files cannot come from standard input");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Module>> readModule(const std::string &path) {
  auto text = readInput(path);
  if (!text)
    return text.takeError();
  return Module::parse(std::move(*text), displayName(path));
}

} // namespace rdna::isaparse
