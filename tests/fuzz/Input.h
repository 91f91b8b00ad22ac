//===- Input.h - the files that the fuzzers work on -------------------------===//
#pragma once

#include "Generator.h"

#include <string>
#include <vector>

namespace rdna::fuzz {

/// "kernel:17" and "device:3" are generated, "corpus:dot.clang-22.O3" is a compiled kernel,
/// "file:x.s:x.json" is what it says.
struct Input {
  std::string name;
  Generated read() const; ///< Throws std::runtime_error.
  uint64_t seed() const;
};

/// Generated ones of consecutive seeds.
std::vector<Input> generatedInputs(uint64_t seed, unsigned kernels, unsigned deviceFiles);
/// The kernels that the build has compiled.
std::vector<Input> corpusInputs();

} // namespace rdna::fuzz
