//===- Pool.h - single instructions that both sides can execute -----------===//
//
// A text of instructions, parsed once for the proof and assembled once for the emulator. A program
// is any sequence of their numbers: nothing is assembled again for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Asm/Module.h"
#include "Emu/Session.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rdna::test {

/// Bytes of LDS that instructions may access.
inline constexpr unsigned kLdsBytes = 4096;

class Pool {
public:
  /// Lines that LLVM does not assemble are left out.
  explicit Pool(std::vector<std::string> lines);

  unsigned size() const { return static_cast<unsigned>(lines_.size()); }
  const std::string &line(unsigned n) const { return lines_[n]; }
  /// Where a line of those that were given is now; nothing if it was left out.
  std::optional<unsigned> find(const std::string &line) const;
  const Module &module() const { return *module_; }
  const Instruction &instruction(unsigned n) const { return module_->instructions()[n]; }
  emu::Wave &wave() { return session_->wave(0); }
  /// On the emulator. False if it cannot go on from there.
  bool run(unsigned n);

private:
  void addLegal(std::vector<std::string> lines);

  std::vector<std::string> lines_;
  std::map<std::string, unsigned> numbers_;
  std::vector<uint64_t> offsets_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<emu::Program> program_;
  std::unique_ptr<emu::Session> session_;
};

/// Both orders of the sources of an instruction's text, as far as the text can be taken apart; they
/// need not be legal.
std::vector<std::string> swappedSources(const std::string &line);

/// Random instructions of the op table as text: VALU, SALU and LDS.
std::vector<std::string> randomLines(uint64_t seed, unsigned count);

/// Instances with random operands of every instruction that the proof has a normal form for, and of
/// the sequences that belong together: each entry is one or more lines.
std::vector<std::vector<std::string>> modelledSequences(uint64_t seed, unsigned instances);
/// Scalar comparisons, differences and choices only: what facts are about.
std::vector<std::vector<std::string>> conditionSequences(uint64_t seed, unsigned instances);

} // namespace rdna::test
