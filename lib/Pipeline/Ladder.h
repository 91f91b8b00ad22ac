//===- Ladder.h - the passes that make a compiled kernel a fast one, in order ===//
//
// Each pass rewrites, is read anew, proven and recounted before the next one starts, so that what
// is printed at the end is equal to the input step by step.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Pipeline/Rebase.h"
#include "Pipeline/Rewrite.h"
#include "Pipeline/Spread.h"
#include "Transform/Unroll.h"

#include <set>
#include <variant>

namespace rdna {

/// In the order in which they run.
enum class Pass : uint8_t {
  VgprRemap,   ///< Conflict-free dual issue; first, because it is cheaper on one trip than on all.
  SgprBase,    ///< Scalar bases for global accesses.
  Unroll,      ///< Several trips of a loop written out, or all of them.
  SpreadLoads, ///< Global loads where LDS loads are.
  MergeStores, ///< LDS stores to two addresses.
  Waits,       ///< None for what nobody needs yet, one for the LDS loads of a run of FMACs.
  Clause,      ///< Memory instructions of one kind are issued together.
  SetPrio,     ///< Waves that compute go first.
  DelayAlu,    ///< s_delay_alu; last, because they count instructions.
};
inline constexpr Pass allPasses[] = {Pass::VgprRemap,   Pass::SgprBase,    Pass::Unroll,
                                     Pass::SpreadLoads, Pass::MergeStores, Pass::Waits,
                                     Pass::Clause,      Pass::SetPrio,     Pass::DelayAlu};

struct LadderOptions {
  std::set<Pass> passes{std::begin(allPasses), std::end(allPasses)};
  RewriteOptions rewrite; ///< Kernel and region count for every pass.
  UnrollOptions unroll;
  std::set<Assumption> assumptions;           ///< That the user answers for.
  std::map<std::string, verify::Given> given; ///< Ranges of what is launched, by function.
  LadderOptions() { rewrite.mostFmas = 400; } // Of unrolled loops; some take minutes otherwise.
};

/// One loop that was unrolled, with the recount of the printed result.
struct UnrolledLoop {
  std::string function, name;
  uint64_t trips = 0;
  UnrollRewrite::Extent extent = UnrollRewrite::Extent::Full;
  unsigned scalarsFolded = 0, offsetsFolded = 0;
  LoopMetrics before; ///< Of one trip.
  LoopMetrics after;  ///< Of the code that these trips are in now.
  uint64_t bytes = 0; ///< Of the loop's code, with what is left over; the cache holds 32 KiB.
  Proof proof;
};

/// Hints that were added to one function.
struct AddedHints {
  Pass pass = Pass::Clause;
  std::string function;
  unsigned instructions = 0;
  Proof proof;
};

/// LDS stores of one function, some of them merged.
struct MergedStores {
  std::string function;
  unsigned before = 0, after = 0;
  Proof proof;
};

/// The s_waitcnt of one function.
struct TightenedWaits {
  std::string function;
  unsigned before = 0, after = 0;
  unsigned changed = 0; ///< Of those that are left.
  Proof proof;
};

/// The s_delay_alu of one function.
struct SetDelays {
  std::string function;
  unsigned set = 0, removed = 0;
  Proof proof;
};

struct LadderResult {
  std::string text;
  std::vector<std::variant<RewrittenRegion, RebasedAccesses, UnrolledLoop, SpreadGlobalLoads,
                           MergedStores, AddedHints, TightenedWaits, SetDelays>>
      steps;                       ///< In order.
  std::vector<Diagnostic> remarks; ///< Why loops were left alone.
  std::vector<KernelChange> kernels;
};

/// Failure::Refused: a finished rewrite could not be proven, or made something worse;
/// Failure::BadInput: nothing to work on.
llvm::Expected<LadderResult> climb(std::unique_ptr<Module> module, const LadderOptions &options);

} // namespace rdna
