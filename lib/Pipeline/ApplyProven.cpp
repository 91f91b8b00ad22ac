#include "Pipeline/ApplyProven.h"

#include "Pipeline/Cleanup.h"
#include "Pipeline/NeverWorse.h"
#include "Pipeline/Prove.h"
#include "Transform/Descriptor.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {
namespace {

using Last = PassState::Last;

/// Proposals for functions of one module that are tried together.
class Batch {
public:
  Batch(const Module &before, const PassInfo &pass, std::vector<Proposed> proposals,
        const ApplyOptions &options)
      : before_(before), pass_(pass), options_(options) {
    for (Proposed &proposed : proposals) {
      const Function &function = before.functions()[proposed.function];
      Proposal &proposal = proposed.proposal;
      proposal.claim.function = function.name;
      if (proposal.what.empty())
        proposal.what = fmt::format("--{} in '{}'", pass.name, function.name);
      if (proposal.line == 0)
        proposal.line = function.line;
      entries_.push_back({std::move(proposed), {}, 0});
    }
  }

  llvm::Expected<Applied> run() {
    // Each round that does not end it drops a proposal or lets one assume more.
    while (llvm::any_of(entries_, [](const Entry &entry) { return entry.isOpen(); })) {
      dropped_ = Dropped::None;
      auto next = deriveNext();
      if (!next)
        return next.takeError();
      if (dropped_ == Dropped::None && options_.proofs == Proofs::Made)
        if (llvm::Error error = prove(*next->module))
          return error;
      if (dropped_ == Dropped::None)
        if (llvm::Error error = judgeTime(*next->module))
          return error;
      if (dropped_ == Dropped::None)
        return accept(std::move(*next));
    }
    return finish({});
  }

private:
  struct Entry {
    Proposed proposed;
    ProposalOutcome outcome;
    unsigned removed = 0; ///< By the clean-up.
    /// What is worse by count, if only time can pay for it.
    std::optional<std::string> worse = {};
    bool isOpen() const { return outcome.last == Last::None; }
    const Correspondence &claim() const { return proposed.proposal.claim; }
  };
  enum class Dropped : uint8_t { None, Some };
  enum class Stage : uint8_t { Edited, Cleaned };

  std::vector<TextEdit> edits() const {
    std::vector<TextEdit> all;
    for (const Entry &entry : entries_) {
      if (!entry.isOpen())
        continue;
      const Proposal &proposal = entry.proposed.proposal;
      const Function &function = before_.functions()[entry.proposed.function];
      // Declarations first: they belong right below the label.
      for (const Assumption assumption : llvm::reverse(proposal.claim.assumptions))
        declareAssumption(before_, function, assumption, all);
      if (proposal.claim.assumptions.empty() && !proposal.claim.given.said.empty())
        declareGiven(before_, function, proposal.claim.given, all);
      llvm::append_range(all, proposal.edits);
      raiseSgprCount(before_, function, proposal.sgprs, all);
      raiseVgprCount(before_, function, proposal.vgprs, all);
    }
    return all;
  }

  std::vector<uint32_t> functionsWith(Cleanup cleanup) const {
    std::vector<uint32_t> functions;
    for (const Entry &entry : entries_)
      if (entry.isOpen() && entry.proposed.proposal.cleanup == cleanup)
        functions.push_back(entry.proposed.function);
    return functions;
  }

  llvm::Expected<Next> deriveNext() {
    auto next = nextOf(before_, edits());
    if (!next)
      return next;
    for (Entry &entry : entries_)
      entry.outcome.report = entry.proposed.proposal.report;
    judge(*next, Stage::Edited);
    if (dropped_ == Dropped::Some)
      return next;
    auto removed = removeDeadCode(*next, functionsWith(Cleanup::DeadCode));
    if (!removed)
      return removed.takeError();
    for (Entry &entry : entries_)
      entry.removed = (*removed)[entry.proposed.function];
    if (llvm::Error error = cleanUpCopies(before_, *next, functionsWith(Cleanup::Copies)))
      return error;
    if (llvm::Error error = keepTransGaps(before_, *next, functionsWith(Cleanup::TransGaps)))
      return error;
    if (llvm::Error error = setDelaysAnew(before_, *next, functionsWith(Cleanup::Delays)))
      return error;
    judge(*next, Stage::Cleaned);
    return next;
  }

  void judge(const Next &next, Stage stage) {
    StepReport ignored;
    for (Entry &entry : entries_) {
      if (!entry.isOpen())
        continue;
      const Proposal &proposal = entry.proposed.proposal;
      const Derived derived{before_, *next.module, entry.proposed.function, entry.removed,
                            [&](uint32_t offset) { return next.places(offset); }};
      Verdict verdict;
      if (const Judge &own = stage == Stage::Edited ? proposal.judgeEdited : proposal.judge)
        verdict = own(derived, entry.outcome.report ? *entry.outcome.report : ignored);
      if (verdict.kind == Verdict::Kind::Leave)
        drop(entry, Last::Left, std::move(verdict.remark));
      else if (stage == Stage::Cleaned)
        judgeCounts(entry, derived);
    }
  }

  void judgeCounts(Entry &entry, const Derived &derived) {
    const Proposal &proposal = entry.proposed.proposal;
    entry.worse = whatIsWorse(derived, proposal, options_.request);
    if (entry.worse && (!isTimed(entry) || hasMoreHazards(derived)))
      drop(entry, Last::TakenBack, notKept(before_, proposal.line, proposal.what, *entry.worse));
  }

  /// What only prepares the next step is judged together with that.
  bool isTimed(const Entry &entry) const {
    return options_.time && entry.claim().function == options_.time->kernel() &&
           entry.proposed.proposal.report;
  }

  llvm::Error judgeTime(const Module &after) {
    const auto found = llvm::find_if(
        entries_, [&](const Entry &entry) { return entry.isOpen() && isTimed(entry); });
    if (found == entries_.end())
      return llvm::Error::success();
    auto times =
        options_.time->compare(before_, after, found->worse ? Doubts::Asked : Doubts::LeftOut);
    if (!times)
      return times.takeError();
    const Proposal &proposal = found->proposed.proposal;
    const double was = times->before.believed, is = times->after.believed;
    const std::string words = fmt::format("predicted {:.4f} -> {:.4f} ms", was, is);
    const auto refuse = [&](const std::string &why) {
      drop(*found, Last::TakenBack, notKept(before_, proposal.line, proposal.what, why));
      return llvm::Error::success();
    };
    if (times->trend == Trend::Rises)
      return refuse(fmt::format("its time would rise: {}", words));
    if (found->worse && times->trend != Trend::Falls)
      return refuse(
          fmt::format("{}, and not less time for all that is in doubt: {}", *found->worse, words));
    StepReport &report = *found->outcome.report;
    report.summary += fmt::format(", {}", words);
    if (found->worse)
      report.summary += fmt::format(" (kept for its time: {})", *found->worse);
    constexpr double nanoseconds = 1e6;
    report.add("predicted_ns_before", static_cast<uint64_t>(was * nanoseconds));
    report.add("predicted_ns_after", static_cast<uint64_t>(is * nanoseconds));
    options_.time->keep();
    return llvm::Error::success();
  }

  void drop(Entry &entry, Last last, std::optional<Diagnostic> remark) {
    entry.outcome.last = last;
    entry.outcome.remark = std::move(remark);
    dropped_ = Dropped::Some;
  }

  void takeBack(Entry &entry, std::string_view reason) {
    const Proposal &proposal = entry.proposed.proposal;
    drop(entry, Last::TakenBack, takenBack(before_, proposal.line, proposal.what, reason));
  }

  /// What only some steps need is assumed only where it is needed.
  void refuse(Entry &entry, std::string_view reason) {
    using Loads = Correspondence::Loads;
    Proposal &proposal = entry.proposed.proposal;
    std::set<Assumption> &assumed = proposal.claim.assumptions;
    const bool isAhead = proposal.claim.rebuffered && proposal.claim.loads == Loads::Ahead;
    const auto always = isAhead ? Assumption::LdsInBounds : Assumption::NoSyncWithoutBarrier;
    for (const auto more : {proposal.fallback, std::optional(always)})
      if (more && options_.request.assumptions.contains(*more) && assumed.insert(*more).second) {
        dropped_ = Dropped::Some;
        return;
      }
    if (proposal.claim.rebuffered && !isAhead) { // The other proof knows more of lanes.
      proposal.claim.loads = Loads::Ahead;
      assumed.erase(always);
      dropped_ = Dropped::Some;
      return;
    }
    takeBack(entry, reason);
  }

  llvm::Error prove(const Module &after) {
    auto verdicts = proveFunctions(before_, after, claims());
    if (!verdicts)
      return refuseText(after, verdicts.takeError());
    for (FunctionVerdict &verdict : *verdicts) {
      Entry *entry = entryOf(verdict.function);
      if (verdict.refusals.empty()) {
        if (entry && entry->outcome.report)
          entry->outcome.report->proof = std::move(verdict.proof);
      } else if (entry) {
        refuse(*entry, verdict.refusals.front().message);
      } else {
        refuseAll(verdict.refusals.front().message);
        break;
      }
    }
    return llvm::Error::success();
  }

  /// What is refused of the text around the functions belongs to the function where it stands.
  llvm::Error refuseText(const Module &after, llvm::Error error) {
    return llvm::handleErrors(
        std::move(error), [&](std::unique_ptr<InputError> input) -> llvm::Error {
          if (input->failure() != Failure::Refused || input->diagnostics().empty())
            return llvm::Error(std::move(input));
          const Diagnostic &refusal = input->diagnostics().front();
          Entry *nearest = nullptr;
          uint32_t nearestLine = 0;
          for (Entry &entry : entries_) {
            if (!entry.isOpen() || entry.proposed.function >= after.functions().size())
              continue;
            const uint32_t line = after.functions()[entry.proposed.function].line;
            if (line <= refusal.line && line >= nearestLine) {
              nearest = &entry;
              nearestLine = line;
            }
          }
          if (nearest)
            refuse(*nearest, refusal.message);
          else
            refuseAll(refusal.message);
          return llvm::Error::success();
        });
  }

  void refuseAll(std::string_view reason) {
    for (Entry &entry : entries_)
      if (entry.isOpen())
        refuse(entry, reason);
  }

  /// Proposals come in the order of functions.
  Entry *entryOf(uint32_t function) {
    const auto it = std::partition_point(entries_.begin(), entries_.end(), [&](const Entry &entry) {
      return entry.proposed.function < function;
    });
    return it != entries_.end() && it->proposed.function == function && it->isOpen() ? &*it
                                                                                     : nullptr;
  }

  std::vector<Correspondence> claims() const {
    std::vector<Correspondence> claims;
    for (const Entry &entry : entries_)
      if (entry.isOpen())
        claims.push_back(entry.claim());
    return claims;
  }

  Applied accept(Next next) {
    if (options_.onStep && options_.proofs == Proofs::Made)
      options_.onStep({pass_.name, before_, *next.module, claims()});
    for (Entry &entry : entries_) {
      if (!entry.isOpen())
        continue;
      entry.outcome.last = Last::Kept;
      if (std::optional<StepReport> &report = entry.outcome.report) {
        report->pass = pass_.name;
        report->function = entry.claim().function;
        report->proof.assumptions = entry.claim().assumptions;
        if (!entry.claim().assumptions.contains(Assumption::NoIndexWrap))
          report->proof.given = entry.claim().given.said;
      }
    }
    return finish(std::move(next));
  }

  Applied finish(Next next) {
    Applied applied{std::move(next), {}};
    for (Entry &entry : entries_)
      applied.outcomes.push_back(std::move(entry.outcome));
    return applied;
  }

  const Module &before_;
  const PassInfo &pass_;
  const ApplyOptions &options_;
  std::vector<Entry> entries_;
  Dropped dropped_ = Dropped::None;
};

} // namespace

llvm::Expected<Applied> applyProven(const Module &before, const PassInfo &pass,
                                    std::vector<Proposed> proposals, const ApplyOptions &options) {
  return Batch(before, pass, std::move(proposals), options).run();
}

} // namespace rdna
