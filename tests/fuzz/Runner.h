//===- Runner.h - a file and what it computes -------------------------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/Backend.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace rdna::fuzz {

/// What a file may not do.
struct Findings {
  std::set<std::string> rules; ///< "misuse: dealloc-vgprs"
  std::string first;           ///< In words.
};

/// Original and rewrites on the same buffers.
class Runner {
public:
  /// Throws std::runtime_error if the file cannot be run.
  Runner(const std::string &text, const std::string &launch);

  /// Of the original, with indices that wrap among them.
  const Findings &findings() const { return findings_; }
  struct Verdict {
    std::string difference; ///< Empty: bit for bit the same.
    std::string newFinding; ///< Empty: nothing that the original does not do.
  };
  enum class Depth : uint8_t { Results, Checks };
  Verdict compare(const std::string &text, Depth depth) const;

private:
  struct Input {
    run::ResolvedLaunch launch;
    uint64_t seed = 1;
    std::unique_ptr<run::BufferSet> buffers;
    std::vector<std::vector<std::byte>> results; ///< Of the original.
  };
  run::RunOutcome launch(const object::CodeObject &object, const Input &input,
                         emu::CheckSet checks) const;

  object::CodeObject original_;
  std::unique_ptr<run::Backend> backend_;
  std::vector<Input> inputs_;
  Findings findings_;
};

} // namespace rdna::fuzz
