//===- Programs.h - random programs and changed copies of them ------------===//
#pragma once

#include "Setting.h"
#include "Twin.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rdna::test {

/// What random programs are made of.
class Code {
public:
  /// So many instances of each modelled sequence, and so many instructions of the op table.
  Code(uint64_t seed, unsigned instances, unsigned others);
  explicit Code(std::vector<std::vector<std::string>> sequences, std::vector<std::string> others);

  Pool &pool() const { return *pool_; }
  const std::vector<std::vector<unsigned>> &sequences() const { return sequences_; }
  const std::vector<unsigned> &others() const { return others_; }
  /// The same instruction with sources exchanged, as far as that is legal.
  const std::vector<unsigned> &swapped(unsigned instruction) const { return swapped_[instruction]; }

private:
  std::unique_ptr<Pool> pool_;
  std::vector<std::vector<unsigned>> sequences_;
  std::vector<unsigned> others_;
  std::vector<std::vector<unsigned>> swapped_;
};

/// Runs random programs, each together with copies in which an instruction or two are changed.
/// Registers that have the same value in two of them must hold the same bits.
class ProgramRun {
public:
  ProgramRun(const Code &code, uint64_t seed) : code_(code), seed_(seed), twin_(code.pool()) {}
  /// Stops at the first difference, which is a test failure.
  void programs(uint64_t count);

  uint64_t executed = 0; ///< Instructions.
  uint64_t left = 0;     ///< Programs that were not run to their end.

private:
  using Sequence = std::vector<unsigned>;
  Sequence randomProgram(Random &random) const;
  Sequence changed(const Sequence &program, Random &random) const;
  bool run(const Sequence &program, const Concrete &start);
  void checkUnwrapped();

  const Code &code_;
  uint64_t seed_;
  Twin twin_;
};

} // namespace rdna::test
