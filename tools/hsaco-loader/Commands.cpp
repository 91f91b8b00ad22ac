#include "Commands.h"

#include "Debug.h"
#include "Dump.h"
#include "Findings.h"
#include "Indices.h"
#include "Report.h"
#include "Run/Compare.h"
#include "Support/File.h"

#include <set>
#include <unistd.h>

namespace rdna::loader {

namespace {

std::string_view bytesOf(const std::vector<std::byte> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

Diagnostic about(const object::CodeObject &object, Severity severity, std::string message) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.file = object.file;
  diagnostic.message = std::move(message);
  return diagnostic;
}

/// Reports what a loader would reject; returns the exit code for it.
int reportLint(const tool::Tool &tool, const object::CodeObject &object, LintPolicy policy) {
  const std::vector<std::string> findings = lint(object);
  for (const std::string &finding : findings)
    tool.report(
        about(object, policy == LintPolicy::Fail ? Severity::Error : Severity::Warning, finding));
  for (const std::string &remark : lintRemarks(object))
    tool.report(about(object, Severity::Remark, remark));
  return findings.empty() || policy == LintPolicy::Warn ? 0 : static_cast<int>(Failure::Refused);
}

/// Behind accesses out of range: what probably is the reason.
void explainTiles(const Job &job, Severity severity) {
  const std::string reason = unevenTiles(job.plan);
  if (!reason.empty())
    job.tool.report(about(job.object, severity, reason));
}

/// Accesses out of range of all cases, each instruction once.
class BoundsReport {
public:
  explicit BoundsReport(const Job &job) : job_(job) {}

  void add(const std::vector<run::BoundsFinding> &findings) {
    for (const run::BoundsFinding &finding : findings) {
      if (!seen_.insert(finding.address).second)
        continue;
      Diagnostic place = about(job_.object, Severity::Warning, describe(finding));
      place.line = finding.line;
      place.column = 1;
      list_.push_back({.rule = "accesses out of range",
                       .place = std::move(place),
                       .instruction = {},
                       .notes = {}});
    }
  }

  void print() const {
    if (job_.options.allFindings == Options::AllFindings::No)
      return reportAll(tool::shownFindings(list_));
    for (const tool::ListedFinding &finding : list_)
      job_.tool.report(finding.place);
  }

private:
  void reportAll(const std::vector<Diagnostic> &diagnostics) const {
    for (const Diagnostic &diagnostic : diagnostics)
      job_.tool.report(diagnostic);
  }

  const Job &job_;
  std::set<uint64_t> seen_;
  tool::ListedFindings list_;
};

llvm::Expected<run::RunOptions> runOptions(const Options &options, tool::Progress &progress) {
  run::RunOptions out;
  if (!options.checks.empty()) {
    llvm::Expected<emu::CheckSet> checks = emu::parseChecks(options.checks);
    if (!checks)
      return checks.takeError();
    if (options.backend != "emulator")
      return makeError(Failure::BadInput, "", "--check needs the emulator");
    out.checks = *checks;
  }
  if (options.delays && options.backend != "emulator")
    return makeError(Failure::BadInput, "", "--delays needs the emulator");
  out.threads = options.threads;
  out.instructionBudget = options.budget;
  out.engine = options.engine == "jit"           ? emu::Engine::Jit
               : options.engine == "interpreter" ? emu::Engine::Interpreter
                                                 : emu::Engine::Auto;
  out.progress = [&progress](uint64_t done, uint64_t total) { progress.update(done, total); };
  return out;
}

} // namespace

llvm::Expected<int> assembleCommand(const tool::Tool &tool, const Options &options,
                                    const object::CodeObject &object) {
  if (tool.outputPath() == "-" && isatty(STDOUT_FILENO) != 0)
    return makeError(Failure::BadInput, "",
                     "a code object is not for a terminal: name a file by -o FILE, or use a pipe");
  if (const int exitCode = reportLint(tool, object, options.lint.value_or(LintPolicy::Warn)))
    return exitCode;
  if (llvm::Error error = tool.print(bytesOf(object.elf)))
    return error;
  return 0;
}

llvm::Expected<int> inspectCommand(const tool::Tool &tool, const Options &options,
                                   const object::CodeObject &object) {
  if (options.format == Format::LaunchTemplate)
    return templateCommand(tool, options, object);
  llvm::Expected<std::string> text = inspectText(object, lint(object), options);
  if (!text)
    return text.takeError();
  if (llvm::Error error = tool.print(*text))
    return error;
  return reportLint(tool, object, LintPolicy::Fail);
}

llvm::Expected<int> runCommand(const Job &job) {
  reportLint(job.tool, job.object, LintPolicy::Warn);
  if (job.plan.parameters.size() > 1 || job.plan.inputs.size() > 1)
    return makeError(Failure::BadInput, "", "run takes one size and one kind of input");
  llvm::Expected<run::ResolvedLaunch> launch =
      resolve(job.plan.description, job.plan.parameters[0]);
  if (!launch)
    return launch.takeError();
  if (job.plan.inputs[0])
    *launch = run::withInput(std::move(*launch), *job.plan.inputs[0]);
  llvm::Expected<std::unique_ptr<run::BufferSet>> buffers = run::BufferSet::allocate(*launch);
  if (!buffers)
    return buffers.takeError();
  (*buffers)->fill(job.options.seed);
  llvm::Expected<std::unique_ptr<run::LoadedKernel>> kernel =
      job.backend.load(job.object, *job.plan.kernel);
  if (!kernel)
    return kernel.takeError();
  llvm::Expected<run::RunOptions> options = runOptions(job.options, job.progress);
  if (!options)
    return options.takeError();
  options->delaySeed = job.options.delays;
  llvm::Expected<FindingList> findings = FindingList::create(job.options);
  if (!findings)
    return findings.takeError();
  llvm::Expected<std::unique_ptr<Debugger>> debugger = createDebugger(job, *launch, **buffers);
  if (!debugger)
    return debugger.takeError();
  if (*debugger)
    options->observers.push_back(&(*debugger)->observer());
  llvm::Expected<run::RunOutcome> outcome = (*kernel)->run(*launch, **buffers, *options);
  if (*debugger)
    if (llvm::Error error = (*debugger)->finish()) {
      if (!outcome)
        llvm::consumeError(outcome.takeError());
      return error;
    }
  if (!outcome)
    return outcome.takeError();
  if (outcome->stopped) // Nothing that could be reported of outputs would be theirs.
    return 0;
  if (*debugger && (*debugger)->expectsStop())
    job.tool.report(
        about(job.object, Severity::Warning, "no wave that was asked for came to a breakpoint"));
  BoundsReport bounds(job);
  bounds.add(outcome->bounds);
  bounds.print();
  findings->add(job.object, outcome->findings, {});
  if (llvm::Error error = findings->report(job.tool, job.options))
    return error;
  if (llvm::Error error = dumpOutputs(job.options, **buffers, ""))
    return error;
  std::string contents;
  for (const run::Buffer &buffer : (*buffers)->buffers())
    if (buffer.facts.isOutput())
      contents.append(reinterpret_cast<const char *>(buffer.bytes.data()), buffer.bytes.size());
  if (!job.options.dump.empty())
    if (llvm::Error error = writeOutput(job.options.dump, contents))
      return error;
  const ReportHead head{.kernel = job.plan.kernel->name,
                        .backend = std::string(job.backend.name()),
                        .device = job.backend.device(),
                        .refusals = {},
                        .findings = job.options.checks.empty() ? "" : findings->summary(),
                        .listed = {},
                        .tool = &job.tool};
  if (job.options.dump != "-")
    if (llvm::Error error =
            job.tool.print(runText(head, *launch, *outcome, **buffers, job.options.format)))
      return error;
  if (!outcome->bounds.empty() || !outcome->findings.empty())
    explainTiles(job, Severity::Note);
  return findings->fresh() == 0 ? 0 : static_cast<int>(Failure::Refused);
}

/// A kernel that says what its rewrite assumed is judged by that, whatever `--check` asks for.
static void watchAssumptions(const Job &job, run::VerifyOptions &options) {
  const object::Kernel &kernel = *job.plan.kernel;
  const auto watch = [&](std::string_view assumption, emu::Check check) {
    if (job.backend.name() != "emulator") {
      job.tool.report(
          about(job.object, Severity::Warning,
                fmt::format("the assumption {} is only checked on the emulator", assumption)));
      return;
    }
    options.run.checks.add(check);
    options.originalChecks.add(check);
  };
  if (kernel.indexWrap == object::Kernel::IndexWrap::Excluded)
    watch("no-index-wrap", emu::Check::IndexWrap);
  if (kernel.outsideLds == object::Kernel::OutsideLds::Excluded)
    watch("lds-in-bounds", emu::Check::Bounds);
}

/// What the command line asks of a verification; `against` and the findings come on top.
static llvm::Expected<run::VerifyOptions> verifyOptionsOf(const Job &job) {
  run::VerifyOptions result;
  result.parameters = job.plan.parameters;
  result.inputs = job.plan.inputs;
  result.seed = job.options.seed;
  if (job.options.sample)
    result.sampledTiles = static_cast<unsigned>(std::min<uint64_t>(*job.options.sample, INT32_MAX));
  if (job.options.bounds == "error")
    result.bounds = run::BoundsPolicy::Error;
  if (job.options.exact)
    result.exactness = run::Exactness::BitExact;
  llvm::Expected<run::RunOptions> options = runOptions(job.options, job.progress);
  if (!options)
    return options.takeError();
  result.run = std::move(*options);
  if (job.options.delays)
    result.delays = {*job.options.delays, job.options.delayRuns};
  const size_t count = job.plan.parameters.size() * job.plan.inputs.size();
  result.results = [&job, count](size_t index, const run::BufferSet &buffers) {
    return dumpOutputs(job.options, buffers, count == 1 ? "" : std::to_string(index + 1));
  };
  watchAssumptions(job, result);
  return result;
}

llvm::Expected<int> verifyCommand(const Job &job) {
  std::optional<object::CodeObject> original;
  run::KernelUnderTest against;
  if (!job.options.against.empty()) {
    if (job.options.against == "-" && job.options.input == "-")
      return makeError(Failure::BadInput, "", "both kernels cannot come from standard input");
    llvm::Expected<object::CodeObject> loaded = object::loadCodeObject(job.options.against);
    if (!loaded)
      return loaded.takeError();
    original = std::move(*loaded);
    llvm::Expected<const object::Kernel *> kernel = original->kernel(job.plan.kernel->name);
    if (!kernel)
      return kernel.takeError();
    against = {&*original, *kernel};
  }
  llvm::Expected<run::VerifyOptions> verifyOptions = verifyOptionsOf(job);
  if (!verifyOptions)
    return verifyOptions.takeError();
  llvm::Expected<FindingList> findings = FindingList::create(job.options);
  if (!findings)
    return findings.takeError();
  if (original)
    findings->setOriginal(&*original);
  // Whoever asks for checks by name wants them made.
  if (original && job.options.checks.empty() &&
      verifyOptions->run.checks.has(emu::Check::IndexWrap))
    verifyOptions->indicesHold = [before = indexBounds(job.options.against, *against.kernel),
                                  now = indexBounds(job.options.input, *job.plan.kernel)](
                                     const run::ResolvedLaunch &launch) {
      return before && now && before(launch) && now(launch);
    };
  verifyOptions->newFindings = [&](const auto &now, const auto &before) {
    return findings->countNew(job.object, now, before);
  };
  llvm::Expected<std::vector<run::VerifyCase>> cases = verify(
      job.backend, job.plan.description, {&job.object, job.plan.kernel}, against, *verifyOptions);
  if (!cases)
    return cases.takeError();
  const LintPolicy policy = job.options.lint.value_or(LintPolicy::Fail);
  ReportHead head{.kernel = job.plan.kernel->name,
                  .backend = std::string(job.backend.name()),
                  .device = job.backend.device(),
                  .refusals =
                      policy == LintPolicy::Fail ? lint(job.object) : std::vector<std::string>(),
                  .findings = {},
                  .listed = {},
                  .tool = &job.tool};
  for (const run::VerifyCase &entry : *cases)
    findings->add(job.object, entry.findings, entry.originalFindings);
  if (!job.options.checks.empty())
    head.findings = findings->summary();
  head.listed = findings->all();
  if (llvm::Error error = job.tool.print(verifyText(head, *cases, job.options.format)))
    return error;
  int exitCode = reportLint(job.tool, job.object, policy);
  BoundsReport bounds(job);
  bool isOutside = false; // In a case that failed.
  if (llvm::Error error = findings->report(job.tool, job.options))
    return error;
  for (const run::VerifyCase &entry : *cases) {
    isOutside |= !entry.problems.empty() && !entry.bounds.empty();
    if (!entry.problems.empty())
      exitCode = static_cast<int>(Failure::Refused);
    else
      bounds.add(entry.bounds);
  }
  bounds.print();
  if (const auto decided =
          llvm::count_if(*cases, [](const run::VerifyCase &entry) { return entry.indicesHold; }))
    job.tool.report(about(
        job.object, Severity::Note,
        fmt::format(
            "no index that is assumed whole wraps{}, by the launch's arguments and grid: they "
            "were watched in the grid's corners only",
            static_cast<size_t>(decided) == cases->size()
                ? ""
                : fmt::format(" in {} of {} cases", decided, cases->size()))));
  if (exitCode != 0)
    explainTiles(job, isOutside ? Severity::Error : Severity::Note);
  return exitCode;
}

llvm::Expected<int> benchCommand(const Job &job) {
  reportLint(job.tool, job.object, LintPolicy::Warn);
  run::BenchOptions benchOptions;
  benchOptions.parameters = job.plan.parameters;
  benchOptions.seed = job.options.seed;
  benchOptions.flops = job.options.flops;
  llvm::Expected<run::RunOptions> options = runOptions(job.options, job.progress);
  if (!options)
    return options.takeError();
  benchOptions.run = std::move(*options);
  if (job.backend.name() == "hip") { // The emulator's own speed needs no statistics.
    benchOptions.run.warmups = job.options.warmups;
    benchOptions.run.repeats = job.options.repeats;
  }
  auto cases = bench(job.backend, job.plan.description, job.object, *job.plan.kernel, benchOptions);
  if (!cases)
    return cases.takeError();
  const ReportHead head{.kernel = job.plan.kernel->name,
                        .backend = std::string(job.backend.name()),
                        .device = job.backend.device(),
                        .refusals = {},
                        .findings = {},
                        .listed = {},
                        .tool = &job.tool};
  if (llvm::Error error = job.tool.print(benchText(head, *cases, job.options.format)))
    return error;
  return 0;
}

} // namespace rdna::loader
