//===- Tally.h - what became of all files, and compared with another time ---===//
#pragma once

#include "Passes.h"

#include <map>
#include <string>

namespace rdna::fuzz {

/// What one configuration did to one file.
struct Entry {
  Status status = Status::Same;
  std::string reason, difference, finding;
};

struct FileResult {
  std::string text; ///< A hash of the original: another compiler may generate another one.
  std::map<std::string, Entry> by; ///< Configuration.
};
/// By file: "kernel:17", "device:3".
using Results = std::map<std::string, FileResult>;

/// Counts by configuration and over all, refusals by folded reason.
void printTally(const Results &results);

std::string toJson(const Results &results, const std::string &note);
/// Throws std::runtime_error.
Results readJson(const std::string &path);

/// Of the files and configurations of `then`: which are still changed, which are still refused.
void printComparison(const Results &then, const Results &now);

} // namespace rdna::fuzz
