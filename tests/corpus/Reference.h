//===- Reference.h - what the corpus kernels should compute ---------------===//
//
// Written from the descriptions of the kernels, in double precision and for one workgroup after the
// other, so that nothing is shared with the code under test.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rdna::corpus {

/// A launch as the reference sees it. Values of every type are held as doubles, which are exact for
/// f32, i32 and u32.
struct Arguments {
  std::vector<std::vector<double>> buffers; ///< In argument order, scalars not counted.
  std::vector<double> floats;               ///< The f32 scalars, in argument order.
  std::map<std::string, long> parameters;   ///< Of the launch description.

  size_t operator[](const std::string &name) const {
    return static_cast<size_t>(parameters.at(name));
  }
};

struct Reference {
  void (*compute)(Arguments &arguments); ///< Replaces the contents of the output buffers.
  /// Largest allowed error, in units of the largest magnitude in the output buffer. 0: exact.
  double tolerance;
};

/// By kernel name.
const std::map<std::string, Reference> &references();

/// The parts of `references()`, by file.
std::map<std::string, Reference> linearAlgebraReferences();
std::map<std::string, Reference> signalReferences();
std::map<std::string, Reference> iterationReferences();
std::map<std::string, Reference> controlFlowReferences();

} // namespace rdna::corpus
