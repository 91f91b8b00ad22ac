//===- Setting.h - how much a random test does, by environment variables ------===//
//
// RDNA_SEED, and RDNA_PROGRAMS or RDNA_MUTANTS: how many. What ./check takes without them is made
// for minutes; CONTRIBUTING.md says what it takes in front of a release.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cstdlib>

namespace rdna::test {

/// Of the environment variable, or `otherwise` where it is not set.
inline uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

} // namespace rdna::test
