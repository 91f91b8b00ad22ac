#include "Options.h"

#include "Emu/Check.h"
#include "Timing/Simulation.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::loader {

static CLI::App *subcommand(tool::Tool &tool, Options &options, Command command, const char *name,
                            const char *description) {
  CLI::App *app = tool.app().add_subcommand(name, description);
  app->footer(std::string(tool::exitCodeHelp));
  app->callback([&options, command] { options.command = command; });
  tool.addInput(options.input, *app)->description("A .s or a .hsaco, - for standard input");
  return app;
}

static void addJson(CLI::App &app, Options &options) {
  app.add_flag_callback(
      "--json", [&options] { options.format = Format::Json; },
      "Report as JSON (schema hsaco-loader/1)");
}

static void addLaunch(CLI::App &app, Options &options) {
  app.add_option("--kernel", options.kernel, "The kernel (default: the launch's, or the only one)");
  app.add_option("--launch", options.launchFile,
                 "Launch description (JSON), see docs/howto-run.md");
  app.add_option("--sgemm", options.sgemm,
                 "Launch as SGEMM (A, B, C, N, alpha, beta) of these sizes: N[,N...]");
  app.add_option("--tile", options.tile,
                 "Columns x rows of C per workgroup for --sgemm (default 128x128)");
  app.add_option("--block", options.block,
                 "Work-items per workgroup for --sgemm: X[xY[xZ]] (default 128)");
  app.add_option("--param", options.parameters,
                 "Parameter of the launch description: NAME=value[,value...]; repeatable")
      ->expected(1)
      ->allow_extra_args(false) // Else it takes the input file that follows for a second value.
      ->take_all();
  app.add_option("--backend", options.backend,
                 "emulator (default), hip, or for bench model: the time that the timing model "
                 "predicts, see docs/howto-timing.md")
      ->check(CLI::IsMember({"emulator", "hip", "model"}));
  app.add_option("--seed", options.seed, "Seed of the inputs and of --sample (default 1)");
  app.add_option("--threads", options.threads, "Host threads (default: all cores)");
  app.add_option("--engine", options.engine,
                 "Of the emulator: auto (default), interpreter, jit; all give the same bits")
      ->check(CLI::IsMember({"auto", "interpreter", "jit"}));
  app.add_option("--budget", options.budget,
                 "Instructions a wave may execute on the emulator, 0 for no limit (default 2^30)");
  addJson(app, options);
}

static void addCheck(CLI::App &app, Options &options) {
  std::string text = "Look for what works on the emulator only by luck (exit 2 if there is any): ";
  for (const emu::CheckRow &row : emu::checkRows())
    text.append(row.name).append(" (").append(row.finds).append("), ");
  text += "source (the first five, which whoever wrote the source gets wrong) or all; "
          "comma-separated, see docs/howto-check.md";
  CLI::Option *check = app.add_option("--check", options.checks, text);
  app.add_option("--sarif", options.sarif,
                 "Write the findings of --check to FILE as SARIF 2.1.0, for code hosts")
      ->type_name("FILE")
      ->needs(check);
  app.add_option("--suppress", options.suppressed,
                 "A finding that is of no interest: RULE (the second name in its brackets: "
                 "vopd-parity of [hazards: vopd-parity]), RULE:LINE or RULE:FILE:LINE; repeatable")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--suppressions", options.suppressionFile,
                 "A file with one of these in each line, # for comments")
      ->type_name("FILE");
  app.add_flag_callback(
      "--all-findings", [&options] { options.allFindings = Options::AllFindings::Yes; },
      "Show every finding, not three of each rule");
}

/// --name or --name=NUMBER. Only =: behind a blank the file would be taken for the number. As text,
/// because CLI11 reads the 0 of a flag as "false" and hands on -1.
static void addNumberFlag(CLI::App &app, const std::string &name, unsigned byDefault,
                          std::optional<uint64_t> &value, const std::string &description) {
  app.add_flag(fmt::format("{}{{{}}}", name, byDefault), description)
      ->each([name, &value](const std::string &text) {
        uint64_t number = 0;
        if (llvm::StringRef(text).getAsInteger(10, number))
          throw CLI::ValidationError(name, fmt::format("'{}' is not a number", text));
        value = number;
      });
}

static void addDelays(CLI::App &app, Options &options) {
  addNumberFlag(app, "--delays", 1, options.delays,
                "Delay memory operations and interleave waves, as far as the wait counters allow: "
                "--delays[=SEED] (default 1); emulator only, see docs/howto-check.md");
}

static void addDumpOutputs(CLI::App &app, Options &options) {
  app.add_option("--dump-outputs", options.dumpOutputs,
                 "Write each output buffer to a file of this folder, DIR/NAME.bin with the name "
                 "that the launch description gives it (arg2 if none); verify with several cases "
                 "makes a folder 1, 2, ... for each")
      ->type_name("DIR");
}

static void addDumpNpy(CLI::App &app, Options &options) {
  app.add_option("--dump", options.dumpNpy,
                 "The same as numpy files: DIR/NAME.npy, flat; what is bf16 as its 16 bits")
      ->type_name("DIR");
}

static void addInputs(CLI::App &app, Options &options) {
  app.add_option("--inputs", options.inputs,
                 "Kinds of input instead of the description's, e.g. random,identity: random, "
                 "identity, one-hot, ramp, zero, nan");
}

static void addDebugging(CLI::App &app, Options &options) {
  app.add_flag("--trace{0}", options.trace,
               "Print what a wave executes, with operands and results: --trace[=WAVE|all] "
               "(default wave 0); emulator only, like all that follows");
  app.add_option("--workgroup", options.workgroup,
                 "The workgroup to debug: X[,Y[,Z]] (default 0,0,0)");
  app.add_option("--break", options.breakpoints,
                 "Stop before an instruction and print the registers: a LINE of the .s, a LABEL or "
                 "an offset 0xN; repeatable")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--stop-after", options.stopAfter,
                 "Stop when the wave has executed so many instructions, and print the registers");
  app.add_flag("--dump-registers", options.dumpRegisters,
               "Print the registers where the wave ends or fails");
  app.add_flag("--dump-lds", options.dumpLds, "Print the LDS where the wave stops, ends or fails");
  app.add_option("--watch", options.watches,
                 "Report every access to four bytes: BUFFER[+N] (arg2+0x40, or the argument's "
                 "name), lds[+N] or an address; repeatable")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
}

static void addBundles(tool::Tool &tool, Options &options) {
  CLI::App *unbundle = subcommand(tool, options, Command::Unbundle, "unbundle",
                                  "List the device code of a fat binary, an object or a program");
  unbundle->get_option("file")->description("A bundle, .o, library or program");
  unbundle->add_option("-o,--output", options.folder, "Write the code objects into this folder")
      ->type_name("DIR");
  CLI::App *bundle =
      subcommand(tool, options, Command::Bundle, "bundle",
                 "Put a code object in place of the one with the same kernels; exit 2 if there is "
                 "none, or if it does not fit into a linked file");
  bundle->get_option("file")->description("A bundle, .o, library or program");
  bundle->add_option("code", options.codeObject, "The new code: a .s or a .hsaco")->required();
  tool.addOutput(*bundle);
  bundle->add_option("--number", options.bundleNumber,
                     "Which bundle of the file, from 1, if several have these kernels");
  for (CLI::App *app : {unbundle, bundle})
    app->add_option("--target", options.target,
                    "Only code for this processor (gfx1100), or with this id");
}

static void addInspect(tool::Tool &tool, Options &options) {
  CLI::App *inspect =
      subcommand(tool, options, Command::Inspect, "inspect",
                 "Show kernels, descriptors, metadata, arguments and occupancy; exit 2 if a "
                 "loader would reject the file");
  inspect->add_option("--kernel", options.kernel, "Only this kernel");
  inspect->add_option("--block", options.block,
                      "Workgroup size for the occupancy where the kernel states none");
  addJson(*inspect, options);
  inspect->add_flag_callback(
      "--launch-template", [&options] { options.format = Format::LaunchTemplate; },
      "Print a launch description of the kernel to begin with, for --launch of the other commands");
  tool.addOutput(*inspect);
}

static void addRun(tool::Tool &tool, Options &options) {
  CLI::App *run =
      subcommand(tool, options, Command::Run, "run", "Run a kernel once and show its outputs");
  addLaunch(*run, options);
  addCheck(*run, options);
  addDelays(*run, options);
  addInputs(*run, options);
  addDebugging(*run, options);
  addDumpOutputs(*run, options);
  addDumpNpy(*run, options);
  run->add_option("-o,--output", options.dump,
                  "Write the output buffers' bytes to this file, one after the other");
}

static void addVerify(tool::Tool &tool, Options &options) {
  CLI::App *verify = subcommand(tool, options, Command::Verify, "verify",
                                "Compare a kernel's results with another kernel or a reference");
  addLaunch(*verify, options);
  addCheck(*verify, options);
  addDelays(*verify, options);
  verify
      ->add_option("--delay-runs", options.delayRuns,
                   "With --delays: runs besides the plain one, each with the next seed "
                   "(default 10)")
      ->check(CLI::PositiveNumber)
      ->needs("--delays");
  addInputs(*verify, options);
  addDumpOutputs(*verify, options);
  addDumpNpy(*verify, options);
  verify->add_option("--against", options.against,
                     "The original kernel: results must agree bit for bit (without it: the host's "
                     "reference and files of the launch description)");
  addNumberFlag(*verify, "--sample", 4, options.sample,
                "Run only the workgroups at the grid's corners and n more: --sample[=n] "
                "(default 4)");
  verify
      ->add_option("--bounds", options.bounds,
                   "Out-of-range reads: report (default) or error; writes always fail")
      ->check(CLI::IsMember({"report", "error"}));
  verify->add_flag("--exact", options.exact,
                   "Without --against: fail unless the result is bit-exact in a sequential FMA "
                   "order");
  verify->add_flag_callback(
      "--no-lint", [&options] { options.lint = LintPolicy::Warn; },
      "What a GPU's loader would reject is a warning, not a failure");
}

static void addBench(tool::Tool &tool, Options &options) {
  CLI::App *bench = subcommand(tool, options, Command::Bench, "bench",
                               "Measure a kernel's speed (on the emulator: the emulator's)");
  addLaunch(*bench, options);
  bench->add_option("--warmup", options.warmups, "Runs before the measurement, HIP (default 2)");
  bench->add_option("--repeats", options.repeats, "Measured runs, HIP (default 10)")
      ->check(CLI::PositiveNumber);
  bench->add_option("--device", options.device,
                    "For --backend model: 7900xtx (default), 7900xt, 7900gre, 7800xt, 7700xt, "
                    "7600xt, 7600, or a machine's file FILE.json");
  std::vector<std::string> experiments;
  for (const timing::WhatIfRow &row : timing::whatIfRows)
    experiments.emplace_back(row.name);
  bench
      ->add_option("--what-if", options.whatIf,
                   "For --backend model: what the launch would take without something")
      ->check(CLI::IsMember(experiments));
  bench->add_option("--calibrate", options.calibrate,
                    "With --backend hip, in place of a kernel: run microkernels that settle "
                    "doubtful constants of the model (--device: of which card), print measured "
                    "against assumed, and write a machine's file to this one");
  bench->add_flag("--cold", options.coldCaches,
                  "For --backend model: nothing is in the Infinity Cache at first");
  bench->add_option("--flops", options.flops,
                    "Floating-point operations of a launch, an expression of its parameters "
                    "(default: known for SGEMM)");
}

void declareOptions(tool::Tool &tool, Options &options) {
  tool.app().require_subcommand(1);

  CLI::App *assemble = subcommand(tool, options, Command::Assemble, "assemble",
                                  "Assemble and link a .s into a loadable code object");
  tool.addOutput(*assemble);
  assemble->add_flag_callback(
      "--strict", [&options] { options.lint = LintPolicy::Fail; },
      "Fail (exit 2) on what a loader would reject, instead of a warning");

  addInspect(tool, options);
  addBundles(tool, options);
  addRun(tool, options);
  addVerify(tool, options);
  addBench(tool, options);
}

} // namespace rdna::loader
