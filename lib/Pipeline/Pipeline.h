//===- Pipeline.h - passes one after the other, each proven ---------------===//
//
// A pipeline is data: which passes, with which options, how often. Each pass is asked about all
// functions before the next one starts, and what is printed at the end is equal to the input step
// by step.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/LeastSingles.h"
#include "Analysis/NestCounts.h"
#include "Pipeline/ApplyProven.h"
#include "Transform/Pass.h"

namespace rdna {

/// A pass with its options.
struct PassInvocation {
  const PassInfo *pass = nullptr;
  PassValues values;
  PassFunction run = pass->run; ///< Another one, for what only one tool can say.
};

enum class Rounds : uint8_t {
  One,
  /// What one pass leaves may be work for another (the last iteration of an unrolled loop pairs
  /// with the first of the next), so they take turns until a second run would change nothing.
  ToFixedPoint
};

/// Which steps an appraiser judges one by one. The others are judged by counts, and by time as a
/// whole (`runFastest`).
enum class Timed : uint8_t { EachStep, GainsAtOnce };

/// Other passes or options than those of a pipeline, which only the time of their end can judge.
struct Variant {
  std::string name;
  /// The pass that it changes: where that has found nothing to do, there is no other way. Empty:
  /// always.
  std::string_view instead;
  std::vector<PassInvocation> passes;
  /// Is it given up where it is slow on the way? Not if what makes it fast gains at once.
  enum class Until : uint8_t { Slow, End } until = Until::Slow;
};

/// Another way through the passes, which only the counts of its end can judge.
struct OtherWay {
  /// Asked once, of what the pipeline's own passes leave; where they change nothing, there is no
  /// way. None: the passes begin anew.
  std::vector<PassInvocation> first;
  std::vector<PassInvocation> passes; ///< Those of the pipeline, in another order perhaps.
};

struct Pipeline {
  std::vector<PassInvocation> passes;
  PassRequest request = {};
  Rounds rounds = Rounds::ToFixedPoint;
  unsigned mostRounds = 8; ///< Then a remark says that there is more to do.
  std::function<void(const ProvenStep &)> onStep = {};
  /// Called when a pass begins with a round, from 1: for showing that there is progress.
  std::function<void(std::string_view pass, unsigned round)> onPass = {};
  Appraiser *appraiser = nullptr; ///< Who says what steps cost in time; none: counts decide.
  Timed timed = Timed::EachStep;
  std::vector<Variant> variants = {}; ///< For `runFastest`.
  std::vector<OtherWay> ways = {};    ///< Tried where the first one leaves much (Ways.h).
  Proofs proofs = Proofs::Made;
  /// Milliseconds. A text that is slower where a pass begins whose gain shows at once is not worth
  /// going on with.
  std::optional<double> slowest = {};
};

/// A whole kernel's text.
struct KernelCounts {
  LoopMetrics text;   ///< Counted as loops are.
  CodeCounts code;    ///< What no rewrite may make more of.
  LeastSingles least; ///< What of the single FMAs cannot be paired.
  uint64_t alone = 0; ///< FMAs that share their instruction with nothing.
};

struct KernelChange {
  std::string name;
  KernelMetrics before, after;
  KernelCounts allBefore, allAfter;
};

struct PipelineResult {
  /// Milliseconds, where a run was given up (Pipeline::slowest). There is nothing else then.
  std::optional<double> givenUp;
  std::string text;
  std::unique_ptr<Module> module; ///< Of the text.
  std::vector<StepReport> steps;  ///< By round, pass and function.
  /// Why code was left alone, of the last round; at lines of the text that came in.
  std::vector<Diagnostic> remarks;
  std::vector<KernelChange> kernels;
};

/// Failure::BadInput: nothing to work on (no kernel, no such region). Failure::Refused: the user's
/// constraints contradict each other.
llvm::Expected<PipelineResult> runPipeline(std::unique_ptr<Module> module,
                                           const Pipeline &pipeline);

} // namespace rdna
