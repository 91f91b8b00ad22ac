//===- References.h - what the programs with calls should compute ---------===//
//
// As for the corpus: in double precision, from the descriptions, a lane after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "corpus/Reference.h"

namespace rdna::calls {

using corpus::Arguments;
using corpus::Reference;

/// By kernel name.
const std::map<std::string, Reference> &references();

/// The parts of `references()`, by file.
std::map<std::string, Reference> argumentReferences();
std::map<std::string, Reference> nestingReferences();
std::map<std::string, Reference> memoryReferences();
std::map<std::string, Reference> arithmeticReferences();
std::map<std::string, Reference> byHandReferences();

/// One work-item of a launch: row k of a buffer has an element for each.
struct WorkItem {
  Arguments &arguments;
  size_t id;

  double &at(size_t buffer, size_t row) const {
    return arguments.buffers[buffer][row * arguments["lanes"] + id];
  }
  double x(size_t row) const { return at(0, row); }
  /// The last buffer is that of the results.
  double &result(size_t row = 0) const { return at(arguments.buffers.size() - 1, row); }
};

/// A reference for work-items that have nothing to do with each other.
template <void (*Compute)(const WorkItem &)> void forEachItem(Arguments &arguments) {
  for (size_t id = 0; id < arguments["lanes"]; ++id)
    Compute({arguments, id});
}

} // namespace rdna::calls
