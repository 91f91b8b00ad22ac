//===- ApplyProven.h - from proposals to a module that is proven ----------===//
#pragma once

#include "Pipeline/Appraise.h"
#include "Pipeline/Next.h"
#include "Transform/Pass.h"

#include <functional>

namespace rdna {

/// Accepted rewrites, one of each function that has a claim: both texts and the claims under which
/// they were proven equal.
struct ProvenStep {
  std::string_view pass;
  const Module &before, &after;
  const std::vector<Correspondence> &claims;
};

/// Are steps proven? What is made without proofs is only looked at, and thrown away (Ways.cpp).
enum class Proofs : uint8_t { Made, Skipped };

struct ApplyOptions {
  const PassRequest &request;
  /// Called for everything that is accepted; may be empty. Proofs can be repeated from it, which is
  /// how the tests plant faults.
  const std::function<void(const ProvenStep &)> &onStep;
  TimeJudge *time = nullptr; ///< None: counts decide.
  Proofs proofs = Proofs::Made;
};

/// What a pass proposes for one function.
struct Proposed {
  uint32_t function;
  Proposal proposal;
};

/// What became of it.
struct ProposalOutcome {
  PassState::Last last = PassState::Last::None;
  std::optional<StepReport> report; ///< If it is kept.
  std::optional<Diagnostic> remark; ///< If it is not.
};

struct Applied {
  Next next;                             ///< No module if nothing is kept.
  std::vector<ProposalOutcome> outcomes; ///< By proposal.
};

/// Applies the proposals for different functions at once, cleans up, judges, and proves each
/// function by itself. What is refused is dropped, and the rest applied without it, so the work is
/// that of one file however many functions there are. The only place that accepts a change.
llvm::Expected<Applied> applyProven(const Module &before, const PassInfo &pass,
                                    std::vector<Proposed> proposals, const ApplyOptions &options);

} // namespace rdna
