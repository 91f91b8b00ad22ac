#include "Run/Compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::run {

std::string describe(const Difference &difference) {
  if (difference.mismatches == 0)
    return fmt::format("all {} elements agree", difference.elements);
  return fmt::format("{} of {} elements differ, first at index {}: got {}, expected {}",
                     difference.mismatches, difference.elements, difference.firstIndex,
                     difference.firstGot, difference.firstWanted);
}

std::string describe(const BoundsFinding &finding) {
  const char *verb = finding.kind == BoundsFinding::Kind::Read    ? "read"
                     : finding.kind == BoundsFinding::Kind::Write ? "write"
                                                                  : "change";
  return fmt::format("{}{}: {} lane accesses {} out of range, first at {}",
                     finding.line == 0 ? fmt::format("code address {:#x}: ", finding.address) : "",
                     finding.instruction, finding.lanes, verb,
                     finding.nearest.empty() ? fmt::format("{:#x}", finding.firstAddress)
                                             : finding.nearest);
}

std::string describeWithLine(const BoundsFinding &finding) {
  return (finding.line == 0 ? "" : fmt::format("line {}: ", finding.line)) + describe(finding);
}

void mergeDifference(Difference &into, const Difference &from) {
  if (from.mismatches != 0 && into.mismatches == 0) {
    into.firstIndex = from.firstIndex;
    into.firstGot = from.firstGot;
    into.firstWanted = from.firstWanted;
  }
  into.elements += from.elements;
  into.mismatches += from.mismatches;
  into.maxAbsError = std::max(into.maxAbsError, from.maxAbsError);
  into.maxRelError = std::max(into.maxRelError, from.maxRelError);
}

std::vector<std::string> newReads(const std::vector<BoundsFinding> &original,
                                  const std::vector<BoundsFinding> &rewritten) {
  uint64_t originalLanes = 0, rewrittenLanes = 0, lowest = UINT64_MAX, highest = 0;
  bool highestKnown = true;
  for (const BoundsFinding &finding : original) {
    if (finding.kind != BoundsFinding::Kind::Read)
      continue;
    originalLanes += finding.lanes;
    lowest = std::min(lowest, finding.firstAddress);
    highest = std::max(highest, finding.lastAddress);
    highestKnown &= finding.lastAddress != 0;
  }
  std::vector<std::string> problems;
  for (const BoundsFinding &finding : rewritten) {
    if (finding.kind != BoundsFinding::Kind::Read)
      continue;
    rewrittenLanes += finding.lanes;
    if (finding.firstAddress < lowest || (highestKnown && finding.lastAddress > highest))
      problems.push_back("a read that the original does not make: " + describeWithLine(finding));
  }
  if (problems.empty() && rewrittenLanes > originalLanes)
    problems.push_back(fmt::format("{} lane reads out of range; the original makes {}",
                                   rewrittenLanes, originalLanes));
  return problems;
}

bool hasOutput(const ResolvedLaunch &launch) {
  return std::any_of(launch.buffers.begin(), launch.buffers.end(),
                     [](const ResolvedBuffer &buffer) { return buffer.isOutput(); });
}

} // namespace rdna::run
