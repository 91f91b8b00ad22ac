#include "Run/Delays.h"

#include "Run/Compare.h"

namespace rdna::run {
namespace {

/// What differs in the first buffer that does; empty if none does. Working memory, which the kernel
/// changes but the description does not call an output, is no result.
std::string differenceIn(const DelayedLaunch &launch) {
  const std::vector<Buffer> &buffers = launch.buffers.buffers();
  for (size_t i = 0; i < buffers.size(); ++i) {
    const ResolvedBuffer &facts = buffers[i].facts;
    if (!facts.isOutput() &&
        (facts.role == BufferArgument::Role::Workspace || launch.wanted[i] != launch.before[i]))
      continue;
    const Difference difference = compare(buffers[i].bytes, launch.wanted[i], facts.type);
    if (difference.mismatches != 0)
      return facts.name + ": " + describe(difference);
  }
  return {};
}

std::string judge(llvm::Expected<RunOutcome> outcome, const DelayedLaunch &launch) {
  if (!outcome)
    return llvm::toString(outcome.takeError());
  for (const BoundsFinding &finding : outcome->bounds)
    if (finding.kind != BoundsFinding::Kind::Read)
      return describeWithLine(finding);
  return differenceIn(launch);
}

} // namespace

DelayReport runDelayed(LoadedKernel &kernel, const DelayedLaunch &launch, const DelaySeeds &seeds) {
  RunOptions options = launch.options;
  options.checks = {};
  options.warmups = 0;
  options.repeats = 1;
  DelayReport report;
  report.seeds = seeds;
  for (unsigned n = 0; n < seeds.count; ++n) {
    options.delaySeed = seeds.first + n;
    launch.buffers.fill(launch.inputSeed);
    std::string text = judge(kernel.run(launch.launch, launch.buffers, options), launch);
    if (text.empty())
      continue;
    if (report.different++ == 0) {
      report.firstDifferent = options.delaySeed;
      report.difference = std::move(text);
    }
  }
  return report;
}

} // namespace rdna::run
