//===- Pass.h - what every pass is to the pipeline -------------------------===//
//
// A pass is a function that looks at one function of a module and proposes at most one change of
// it. It applies, proves and prints nothing: the pipeline takes the proposals for all functions
// together, derives the next module, cleans up, proves and measures each of them, keeps it or takes
// it back, and asks again until nothing more is proposed. How a pass is called and what it needs is
// its row in Pipeline/Registry.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Analysis/Regions.h"
#include "Code/Edit.h"
#include "Symbolic/Claim.h"
#include "Transform/Remap.h"
#include "Transform/StepReport.h"

#include "llvm/ADT/ArrayRef.h"

#include <any>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace rdna {

/// Values of options, by name.
class PassValues {
public:
  void set(std::string_view name, uint64_t value) { values_[std::string(name)] = value; }
  /// Every option of a pass's row has a value.
  uint64_t number(std::string_view name) const;
  bool operator==(const PassValues &) const = default;

private:
  std::map<std::string, uint64_t, std::less<>> values_;
};

/// What a comment wants of --pipeline for one loop.
struct LoopForm {
  std::string function;
  uint32_t line = 0;                ///< Of the comment, in the user's text.
  std::optional<PassValues> values; ///< Nothing: the loop stays.
};
using LoopForms = std::map<std::string, LoopForm, std::less<>>; ///< By the loop's label.

/// What the user wants of every pass.
struct PassRequest {
  std::string kernel;               ///< Only this function; empty: all.
  std::string region;               ///< Only this loop; empty: everything.
  std::set<Assumption> assumptions; ///< That the user answers for.
  /// Ranges of what is launched, by kernel.
  std::map<std::string, verify::Given, std::less<>> given;
  OccupancyLoss occupancy = OccupancyLoss::Refuse;
  unsigned workgroupSize = 0; ///< If the file does not say; 0 = unknown.
  /// By kernel, likewise.
  std::map<std::string, WorkgroupShape, std::less<>> shapes;
  LoopForms loopForms; ///< What the text's comments say; `runPipeline` reads them.
  /// Of one run of a pipeline, which makes it: no two threads may share it. Null: none.
  std::shared_ptr<SearchMemory> searches;
};

/// An option of a pass: a number, or a word for the number that stands for none.
struct PassOption {
  std::string_view name; ///< If it is the pass's own name, the switch takes the value.
  std::string_view help;
  uint64_t least = 0, most = 0, fallback = 0;
  std::string_view word = {}; ///< Says the fallback.
  /// Words, in pairs of two names of one value, 0 the first pair's; no numbers then.
  llvm::ArrayRef<std::string_view> choices = {};
  /// No switch of its own: it stands in the value of the pass's, as in --pipeline=lds:2,vgpr:2.
  enum class Place : uint8_t { Switch, Value } place = Place::Switch;
};

class UserLines; // Of lib/Pipeline.

/// One function of the module as it is now.
struct PassSite {
  const Module &module;
  const Cfg &cfg;
  const PassRequest &request;
  const PassValues &values;
  llvm::ArrayRef<Region> marked;                  ///< Regions of the file that comments name.
  llvm::ArrayRef<std::string_view> pipeline = {}; ///< The passes that take turns.
  const UserLines *userLines = nullptr; ///< Where the user's lines are; null: this is his text.
  /// Stale: the user's text says by s_delay_alu how far back results come from, and the function
  /// has changed since.
  enum class Delays : uint8_t { AsWritten, Stale } delays = Delays::AsWritten;
  /// What decides about a step that loses waves: with time there is no need to turn it down.
  enum class JudgedBy : uint8_t { Counts, Time } judgedBy = JudgedBy::Counts;

  const Function &function() const { return module.functions()[cfg.functionIndex]; }
  /// May this loop change?
  bool wants(uint32_t loop) const;
  /// The blocks that may change: all, or those of the named loop.
  std::vector<uint32_t> wantedBlocks() const;
  /// Those of them that are in loops.
  std::vector<uint32_t> wantedLoopBlocks() const;
  bool assumes(Assumption assumption) const { return request.assumptions.contains(assumption); }
};

/// What a pass keeps of one function from the first time that it is asked in a round to the last.
struct PassState {
  /// What became of the last proposal.
  enum class Last : uint8_t {
    None,
    Kept,
    Left,     ///< Its own judge did not want it.
    TakenBack ///< It could not be proven, or made something worse.
  } last = Last::None;
  std::vector<Diagnostic> remarks; ///< Why something was left alone.
  std::set<std::string> seen;      ///< Loops, say, that have been looked at.
  std::vector<uint32_t> places;    ///< Offsets in the text, which follow the edits.
  /// Whatever else.
  template <typename T> T &memory() {
    if (!memory_.has_value())
      memory_.emplace<T>();
    return std::any_cast<T &>(memory_);
  }

private:
  std::any memory_;
};

/// What is done about what an edit leaves behind.
enum class Cleanup : uint8_t {
  None,
  DeadCode,  ///< What only made values that nobody reads any more goes.
  TransGaps, ///< What uses a transcendental's result too early waits.
  Copies,    ///< And copies of addresses; what uses a transcendental's result too early waits.
  /// s_delay_alu comes anew where the function had some: without it a wave that waits for a result
  /// keeps others from issuing, so that a step would be judged slower than it is.
  Delays,
};

/// The module that came of proposals, and the one that they were made for.
struct Derived {
  const Module &before, &after;
  uint32_t function;    ///< The same in both.
  unsigned removed = 0; ///< Instructions of it that were cleaned up.
  /// Where an offset of the old text is in the new one.
  std::function<uint32_t(uint32_t)> placeOf;
};

struct Verdict {
  enum class Kind : uint8_t {
    Keep,
    Leave ///< Not worth it; the remark, if there is one, says so.
  } kind = Kind::Keep;
  std::optional<Diagnostic> remark = {}; ///< Of Leave.
};
/// Completes the report and says whether the step is wanted.
using Judge = std::function<Verdict(const Derived &derived, StepReport &report)>;

/// What a change may make worse.
enum class Price : uint8_t {
  Nothing,
  LdsAccesses,        ///< The user wants loads split.
  AnythingForHazards, ///< Whatever it takes, if the function has fewer parity hazards then.
  Anything,           ///< It is part of a way that is judged at its end.
};

/// A change of one function.
struct Proposal {
  std::vector<TextEdit> edits;
  Correspondence claim; ///< The pipeline fills in the function.
  /// What the claim may assume besides, if it cannot be proven and the user answers for it.
  std::optional<Assumption> fallback = {};
  Price price = Price::Nothing;
  unsigned sgprs = 0, vgprs = 0; ///< Highest that is used, plus one: at least so many are declared.
  Cleanup cleanup = Cleanup::None;
  /// "WHAT was taken back, it could not be proven: ..."; empty: "--waits in 'kernel'".
  std::string what;
  uint32_t line = 0;                               ///< Of that remark; 0: the function's.
  std::optional<StepReport> report = StepReport(); ///< Nothing: it only prepares the next one.
  Judge judgeEdited;                               ///< Before the clean-up; may be empty.
  Judge judge;                                     ///< Behind it, before the proof; may be empty.
};

struct PassResult {
  std::optional<Proposal> proposal;
  /// Is the pass asked once more in this round, if it proposed something?
  enum class Next : uint8_t { Again, Done } next = Next::Again;
};

using PassFunction = std::function<llvm::Expected<PassResult>(const PassSite &, PassState &)>;

/// What a function must be for a pass to be asked.
enum class PassNeeds : uint8_t {
  Anything,
  NoOpaque,   ///< Nothing in it is opaque to the proof, but M0 may choose registers.
  Understood, ///< All instructions name their registers besides.
  NoCalls,    ///< Besides, its graph is complete, and it calls nothing.
  Kernel,     ///< Besides, it is one.
};

/// Where no pass is named, are all: but for those that have to be.
enum class Chosen : uint8_t {
  ByDefault,
  ByName,
  ByPasses ///< By nobody: what others make is for it, or from it. It says nothing of its own.
};

/// A pass.
/// When what a pass costs comes back: with its own step, or with what later passes make of it, as
/// registers moved around a loop do once the loop is unrolled.
enum class Gain : uint8_t { AtOnce, Later };

/// When a pass takes part: from the first round on, or once those before it find nothing more.
enum class Begins : uint8_t {
  AtOnce,
  /// It settles what pairs and loops leave open, so that an order or hints do not stand in the way
  /// of pairs still to be found.
  Behind
};

struct PassInfo {
  std::string_view name; ///< "sgpr-base": of the switch, in remarks and reports.
  std::string_view help;
  PassNeeds needs = PassNeeds::Understood;
  Chosen chosen = Chosen::ByDefault;
  llvm::ArrayRef<PassOption> options = {};
  Gain gain = Gain::AtOnce;
  Begins begins = Begins::AtOnce;
  llvm::Expected<PassResult> (*run)(const PassSite &, PassState &) = nullptr;
};

} // namespace rdna
