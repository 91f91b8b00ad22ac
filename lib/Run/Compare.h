//===- Compare.h - findings of a comparison, put together and in words ----===//
#pragma once

#include "Run/Backend.h"
#include "Run/Elements.h"

#include <string>
#include <vector>

namespace rdna::run {

/// "3 of 4096 elements differ, first at index 17: got 1.5, expected 2"
std::string describe(const Difference &difference);

/// "global_load_b32 ...: 32 lane accesses read out of range, first at 128 bytes past the end of
/// arg1"; the code address in front if the line is not known.
std::string describe(const BoundsFinding &finding);

/// The same with "line 120: " in front, for a text that is not a diagnostic.
std::string describeWithLine(const BoundsFinding &finding);

/// The worst of both.
void mergeDifference(Difference &into, const Difference &from);

/// Reads outside every buffer that `rewritten` makes and `original` does not, in words: more of
/// them, or at addresses outside the original's range. Both ran on the same buffers.
std::vector<std::string> newReads(const std::vector<BoundsFinding> &original,
                                  const std::vector<BoundsFinding> &rewritten);

/// Whether any buffer is compared at all.
bool hasOutput(const ResolvedLaunch &launch);

} // namespace rdna::run
