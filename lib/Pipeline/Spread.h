//===- Spread.h - global loads spread over the steps of a loop, proven -----===//
#pragma once

#include "Pipeline/Rewrite.h"
#include "Transform/PeelGuard.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace rdna {

/// What became of the loads of one function.
struct SpreadGlobalLoads {
  std::string function;
  std::string peeled;  ///< The loop whose guarded step got a copy of its own; empty: none.
  unsigned copied = 0; ///< Instructions of the copy.
  unsigned tests = 0;  ///< Branches that it does without.
  uint64_t bytes = 0;  ///< Of the loop's code with it; the instruction cache holds 32 KiB.
  unsigned loads = 0;  ///< That moved.
  unsigned groups = 0; ///< Runs of LDS loads that they moved to.
  Proof proof;
};

struct SpreadOptions {
  std::string kernel; ///< Only this function; empty: all.
  PeelOptions peel;
  std::function<void(const ProvenStep &)> onStep;
};

struct SpreadResult {
  std::unique_ptr<Module> module;
  std::vector<SpreadGlobalLoads> functions;
  std::vector<Diagnostic> remarks;
};

/// `isWanted` says which loops may change, by their index in the graph. A loop is only peeled if
/// its loads can be spread then.
llvm::Expected<SpreadResult>
spreadGlobalLoads(std::unique_ptr<Module> module, const SpreadOptions &options,
                  llvm::function_ref<bool(const Module &, const Cfg &, uint32_t)> isWanted);

} // namespace rdna
