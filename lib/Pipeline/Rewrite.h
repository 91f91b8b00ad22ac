//===- Rewrite.h - the rewriting pipeline, from text to proven text -------===//
//
// The one place that knows the order: pick blocks, rewrite one, read the result anew, prove it,
// recount it, go on. Transform never judges its own work, Verify never sees a pass.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Metrics.h"
#include "Transform/Remap.h"
#include "Verify/Verify.h"

#include <functional>
#include <string>
#include <vector>

namespace rdna {

/// One accepted rewrite of one block: both texts and the claim under which they were proven equal.
struct ProvenStep {
  const Module &before, &after;
  const Correspondence &claim;
};

struct RewriteOptions {
  RemapOptions remap;
  std::string kernel; ///< Only this kernel; empty = all functions.
  std::string region; ///< Only this loop or marked region.
  /// Blocks with more F32 FMAs are left alone: the search takes time that grows faster than they
  /// do.
  unsigned mostFmas = ~0u;
  std::set<Assumption> assumptions; ///< That the user answers for.
  /// Called for every step, in order, while the pipeline goes on; may be empty. Proofs can be
  /// repeated from it, which is how the tests plant faults.
  std::function<void(const ProvenStep &)> onStep;
};

/// One block that was rewritten, with the recount of the printed result.
struct RewrittenRegion {
  std::string function, name;
  unsigned round = 0; ///< A block is rewritten again until nothing improves; 0 is the first time.
  LoopMetrics before, after;
  unsigned entryMoves = 0, exitMoves = 0, entryValues = 0, exitValues = 0;
  std::vector<MappingEntry> mapping;
  Proof proof;
};

struct KernelChange {
  std::string name;
  KernelMetrics before, after;
};

struct RewriteResult {
  std::string text;
  std::vector<RewrittenRegion> regions;
  std::vector<Diagnostic> remarks; ///< Why blocks were left alone.
  unsigned candidates = 0;         ///< Blocks that were looked at.
  std::vector<KernelChange> kernels;
};

/// Rewrites what pays. Failure::Refused: a finished rewrite could not be proven, or made something
/// worse; Failure::BadInput: nothing to work on (no kernel, no such region).
llvm::Expected<RewriteResult> rewriteModule(std::unique_ptr<Module> module,
                                            const RewriteOptions &options);

} // namespace rdna
