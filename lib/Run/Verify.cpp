#include "Run/Verify.h"

#include "Run/Compare.h"
#include "Run/Judge.h"
#include "Support/Diagnostic.h"
#include "Support/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>

namespace rdna::run {

std::vector<std::array<uint32_t, 3>> sampleWorkgroups(const std::array<uint32_t, 3> &grid,
                                                      unsigned count, uint64_t seed) {
  std::set<std::array<uint32_t, 3>> chosen;
  const auto add = [&](uint32_t x, uint32_t y, uint32_t z) {
    chosen.insert({x, y, z});
    if (grid[0] == grid[1])
      chosen.insert({y, x, z});
  };
  for (const uint32_t x : {0u, grid[0] - 1})
    for (const uint32_t y : {0u, grid[1] - 1})
      for (const uint32_t z : {0u, grid[2] - 1})
        add(x, y, z);
  const uint64_t total = uint64_t{grid[0]} * grid[1] * grid[2];
  const uint64_t wanted = std::min<uint64_t>(total, chosen.size() + count);
  Random random(seed);
  while (chosen.size() < wanted)
    add(random.below(grid[0]), random.below(grid[1]), random.below(grid[2]));
  return {chosen.begin(), chosen.end()};
}

/// What stays whatever the input is: what the kernel relies on, or must not rely on.
static bool isFixed(const ResolvedBuffer &buffer) {
  return !isFloat(buffer.type) || buffer.contents || buffer.init == Init::Zero ||
         buffer.init == Init::Undefined;
}

ResolvedLaunch withInput(ResolvedLaunch launch, Init input) {
  bool first = true;
  for (ResolvedBuffer &buffer : launch.buffers) {
    if (isFixed(buffer))
      continue;
    const bool single = input == Init::Identity || input == Init::OneHot;
    buffer.init = single && !first ? Init::Random : input;
    first = false;
  }
  return launch;
}

/// "random" if all buffers are filled that way, else "mixed"; by the first float buffer for the
/// kinds that apply to one matrix only.
static std::string inputName(const ResolvedLaunch &launch) {
  std::optional<Init> first;
  for (const ResolvedBuffer &buffer : launch.buffers) {
    if (isFixed(buffer))
      continue;
    const bool restOfSingle = first && (*first == Init::Identity || *first == Init::OneHot) &&
                              buffer.init == Init::Random;
    if (first && *first != buffer.init && !restOfSingle)
      return "mixed";
    first = first.value_or(buffer.init);
  }
  return std::string(toString(first.value_or(Init::Zero)));
}

namespace {

/// Everything of one size: buffers, the two loaded kernels.
class Case {
public:
  Case(const ResolvedLaunch &launch, BufferSet &buffers, const VerifyOptions &options,
       VerifyCase &out)
      : launch_(launch), buffers_(buffers), options_(options), out_(out) {}

  llvm::Error run(LoadedKernel &kernel, LoadedKernel *against);

private:
  bool isQuietInCorners(LoadedKernel &kernel);
  llvm::Expected<RunOutcome> runOnce(LoadedKernel &kernel, emu::CheckSet checks);
  void compareWithOriginal(const std::vector<std::vector<std::byte>> &before,
                           const std::vector<std::vector<std::byte>> &original);
  void compareWithReference(const std::vector<std::vector<std::byte>> &before);
  void tryDelays(LoadedKernel &kernel, LoadedKernel *against, const Contents &before,
                 const Contents &wanted);
  void judgeBounds(const RunOutcome &outcome);
  void judgeOriginal(const RunOutcome &outcome);
  void problem(std::string text) { out_.problems.push_back(std::move(text)); }

  const ResolvedLaunch &launch_;
  BufferSet &buffers_;
  const VerifyOptions &options_;
  VerifyCase &out_;
  std::vector<std::array<uint32_t, 3>> only_;
};

llvm::Expected<RunOutcome> Case::runOnce(LoadedKernel &kernel, emu::CheckSet checks) {
  RunOptions run = options_.run;
  run.checks = checks;
  run.warmups = 0;
  run.repeats = 1; // A second run would start from the first one's output.
  run.onlyWorkgroups = only_;
  return kernel.run(launch_, buffers_, run);
}

/// Bounds see nothing of what a multiple of 2^32 takes out of an index: so the workgroups in the
/// grid's corners are watched all the same. One that waits for others comes to no end.
bool Case::isQuietInCorners(LoadedKernel &kernel) {
  constexpr uint64_t kLongest = uint64_t{1} << 22;
  RunOptions run = options_.run;
  run.checks = {};
  run.checks.add(emu::Check::IndexWrap);
  run.warmups = 0;
  run.repeats = 1;
  run.onlyWorkgroups = sampleWorkgroups(launch_.grid, 0, options_.seed);
  run.instructionBudget =
      run.instructionBudget == 0 ? kLongest : std::min(run.instructionBudget, kLongest);
  buffers_.fill(options_.seed);
  llvm::Expected<RunOutcome> outcome = kernel.run(launch_, buffers_, run);
  if (!outcome) {
    llvm::consumeError(outcome.takeError());
    return false;
  }
  return outcome->findings.empty();
}

llvm::Error Case::run(LoadedKernel &kernel, LoadedKernel *against) {
  if (options_.sampledTiles)
    only_ = sampleWorkgroups(launch_.grid, *options_.sampledTiles, options_.seed);
  buffers_.fill(options_.seed);
  const std::vector<std::vector<std::byte>> before = buffers_.snapshot();
  std::vector<std::vector<std::byte>> original;
  RunOutcome originalOutcome;
  emu::CheckSet ownChecks = options_.run.checks, originalChecks = options_.originalChecks;
  if (options_.indicesHold && options_.indicesHold(launch_)) {
    out_.indicesHold =
        isQuietInCorners(kernel) && (against == nullptr || isQuietInCorners(*against));
    buffers_.fill(options_.seed);
  }
  if (out_.indicesHold) {
    ownChecks.remove(emu::Check::IndexWrap);
    originalChecks.remove(emu::Check::IndexWrap);
  }
  if (against != nullptr) {
    emu::CheckSet checks = originalChecks;
    if (options_.newFindings)
      checks |= ownChecks;
    llvm::Expected<RunOutcome> outcome = runOnce(*against, checks);
    if (!outcome)
      return outcome.takeError();
    originalOutcome = std::move(*outcome);
    judgeOriginal(originalOutcome);
    out_.originalFindings = originalOutcome.findings;
    original = buffers_.snapshot();
    buffers_.fill(options_.seed);
  }
  llvm::Expected<RunOutcome> outcome = runOnce(kernel, ownChecks);
  if (!outcome)
    return outcome.takeError();
  out_.milliseconds = outcome->milliseconds;
  out_.instructions = outcome->instructions;
  out_.workgroups = outcome->workgroups;
  out_.bounds = outcome->bounds;
  out_.findings = std::move(outcome->findings);
  const size_t fresh = options_.newFindings
                           ? options_.newFindings(out_.findings, out_.originalFindings)
                           : out_.findings.size();
  if (fresh != 0)
    problem(fresh == 1 ? std::string("one finding of --check")
                       : fmt::format("{} findings of --check", fresh));
  if (against != nullptr)
    compareWithOriginal(before, original);
  else
    compareWithReference(before);
  judgeBounds(*outcome);
  if (against != nullptr)
    for (std::string &text : newReads(originalOutcome.bounds, outcome->bounds))
      problem(std::move(text));
  if (options_.delays.count != 0)
    tryDelays(kernel, against, before, against != nullptr ? original : buffers_.snapshot());
  return llvm::Error::success();
}

void Case::tryDelays(LoadedKernel &kernel, LoadedKernel *against, const Contents &before,
                     const Contents &wanted) {
  DelayedLaunch launch{launch_, buffers_, options_.run, options_.seed, before, wanted};
  launch.options.onlyWorkgroups = only_;
  DelayReport report = runDelayed(kernel, launch, options_.delays);
  if (report.firstDifferent) {
    std::string text =
        fmt::format("with delays, seed {} (the first of {} among {}): {}", *report.firstDifferent,
                    report.different, report.seeds.count, report.difference);
    if (against != nullptr &&
        runDelayed(*against, launch, {*report.firstDifferent, 1}).firstDifferent) {
      report.originalDiffers = true;
      text += "; the original's own result is another one under this seed";
    }
    problem(std::move(text));
  }
  out_.delays = std::move(report);
}

/// What the rewrite assumed of the original. Equal results do not excuse it: they are luck.
void Case::judgeOriginal(const RunOutcome &outcome) {
  for (const CheckFinding &entry : outcome.findings) {
    const emu::Finding &f = entry.finding;
    const char *assumed = f.check == emu::Check::IndexWrap ? "no-index-wrap"
                          : f.rule == "lds-bounds"         ? "lds-in-bounds"
                                                           : nullptr;
    if (!assumed || !options_.originalChecks.has(f.check))
      continue;
    problem(fmt::format("the original, {} '{}': {}; the rewrite assumed {}",
                        entry.line ? fmt::format("line {}", entry.line)
                                   : fmt::format("offset {:#x}", f.codeOffset),
                        f.instruction, f.message, assumed));
  }
}

void Case::judgeBounds(const RunOutcome &outcome) {
  for (const BoundsFinding &finding : outcome.bounds) {
    const bool read = finding.kind == BoundsFinding::Kind::Read;
    if (!read || options_.bounds == BoundsPolicy::Error)
      problem(describeWithLine(finding));
  }
}

static uint64_t elementsThatDiffer(std::span<const std::byte> a, std::span<const std::byte> b,
                                   size_t bytes) {
  uint64_t count = 0;
  for (size_t at = 0; at + bytes <= std::min(a.size(), b.size()); at += bytes)
    count += std::memcmp(&a[at], &b[at], bytes) != 0;
  return count;
}

void Case::compareWithOriginal(const std::vector<std::vector<std::byte>> &before,
                               const std::vector<std::vector<std::byte>> &original) {
  out_.method = "the original kernel, bit for bit";
  out_.bitExact = true;
  for (size_t i = 0; i < buffers_.buffers().size(); ++i) {
    const Buffer &buffer = buffers_.buffers()[i];
    // An input that the original only reads must not be written by the rewrite either.
    const bool output = buffer.facts.isOutput();
    if (!output &&
        (buffer.facts.role == BufferArgument::Role::Workspace || original[i] != before[i]))
      continue; // Working memory of the kernel: the description says that it is no result.
    Difference difference = compare(buffer.bytes, original[i], buffer.facts.type);
    if (!only_.empty()) // Where no workgroup ran nothing was compared.
      difference.elements = elementsThatDiffer(before[i], original[i], bytesOf(buffer.facts.type));
    if (output || difference.mismatches != 0)
      mergeDifference(out_.difference, difference);
    if (difference.mismatches == 0)
      continue;
    out_.bitExact = false;
    problem(fmt::format("{}{}: {}", buffer.facts.name,
                        output ? "" : " (an input that the original leaves alone)",
                        describe(difference)));
  }
}

void Case::compareWithReference(const std::vector<std::vector<std::byte>> &before) {
  Judgement judgement = judgeByReference(
      {launch_, buffers_, before, only_, options_.exactness, options_.run.threads});
  out_.method = std::move(judgement.method);
  out_.bitExact = judgement.bitExact;
  out_.difference = judgement.difference;
  for (std::string &text : judgement.problems)
    problem(std::move(text));
}

} // namespace

llvm::Expected<std::vector<VerifyCase>>
verify(Backend &backend, const LaunchDescription &description, const KernelUnderTest &kernel,
       const KernelUnderTest &against, const VerifyOptions &options) {
  llvm::Expected<std::unique_ptr<LoadedKernel>> loaded =
      backend.load(*kernel.object, *kernel.kernel);
  if (!loaded)
    return loaded.takeError();
  std::unique_ptr<LoadedKernel> original;
  if (against.kernel != nullptr) {
    llvm::Expected<std::unique_ptr<LoadedKernel>> other =
        backend.load(*against.object, *against.kernel);
    if (!other)
      return other.takeError();
    original = std::move(*other);
  }
  std::vector<VerifyCase> cases;
  for (const Parameters &parameters : options.parameters)
    for (const std::optional<Init> &input : options.inputs) {
      llvm::Expected<ResolvedLaunch> launch = resolve(description, parameters);
      if (!launch)
        return launch.takeError();
      if (input)
        *launch = withInput(std::move(*launch), *input);
      VerifyCase out;
      out.parameters = launch->parameters;
      out.gemm = launch->gemm;
      out.input = inputName(*launch);
      out.seed = options.seed;
      out.gridWorkgroups = launch->workgroups();
      if (!original)
        if (llvm::Error error =
                checkReference(*launch, options.sampledTiles ? Coverage::Sample : Coverage::Whole))
          return error;
      if (original && !hasOutput(*launch))
        return makeError(Failure::BadInput, "",
                         "no buffer of the launch description has \"output\": true");
      llvm::Expected<std::unique_ptr<BufferSet>> buffers = BufferSet::allocate(*launch);
      if (!buffers)
        return buffers.takeError();
      if (llvm::Error error = Case(*launch, **buffers, options, out).run(**loaded, original.get()))
        return error;
      if (options.results)
        if (llvm::Error error = options.results(cases.size(), **buffers))
          return error;
      cases.push_back(std::move(out));
    }
  return cases;
}

} // namespace rdna::run
