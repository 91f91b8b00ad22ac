//===- Judge.h - what becomes of a mutant ----------------------------------===//
#pragma once

#include "KernelManifest.h"
#include "Pipeline/Registry.h"
#include "Verify/Verify.h"
#include "mutation/Operators.h"

#include "Object/CodeObject.h"
#include "Run/Backend.h"
#include "Run/LaunchDescription.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rdna::mutation {

/// A proven rewrite of one block: what the verifier was asked.
struct Step {
  std::unique_ptr<Module> before, after;
  Correspondence claim;
  uint32_t function = 0; ///< Of `after`.
};

enum class Verdict {
  NotAssembling,
  KilledByProof,
  KilledByRules, ///< By Proof::brokenRules.
  Survived,
};

/// Asks the verifier, as the pipeline does. `mutant` receives the parsed text if it assembles.
Verdict judge(const Step &step, const std::string &text, std::unique_ptr<Module> &mutant);

/// A compiled kernel, its rewrite step by step, and the emulator to run both on.
class Laboratory {
public:
  /// Rewrites the kernel, by the remapping, by scalar bases as if no index wrapped, or by the
  /// remapping and then the unrolling, or by both of them and then the spreading of loads. Only the
  /// steps of the last one count. Throws std::runtime_error with the
  /// error's text.
  /// `factor`: iterations at a time for the unrolling.
  Laboratory(const test::CompiledKernel &kernel, const std::string &pass,
             std::optional<unsigned> factor = std::nullopt);

  const std::vector<Step> &steps() const { return steps_; }
  const std::string &rewritten() const { return rewritten_; }
  /// Empty if `text` computes bit for bit what the original does, else what is wrong.
  std::string runAgainstOriginal(const std::string &text) const;

private:
  object::CodeObject original_;
  run::LaunchDescription launch_;
  std::unique_ptr<run::Backend> backend_;
  std::vector<Step> steps_;
  std::string rewritten_;
};

/// Why a mutant that the verifier accepts computes the same; nothing if no argument applies. None
/// of them uses lib/Verify.
std::optional<std::string> reasonOf(const Operator &op, const Step &step, const Mutant &mutant,
                                    const Module &mutated, uint64_t seed);

} // namespace rdna::mutation
