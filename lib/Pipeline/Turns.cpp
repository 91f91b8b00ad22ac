#include "Pipeline/Turns.h"

#include "Pipeline/Cleanup.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <set>

namespace rdna {

std::vector<std::string_view> namesOf(llvm::ArrayRef<PassInvocation> passes) {
  std::vector<std::string_view> names;
  for (const PassInvocation &invocation : passes)
    names.push_back(invocation.pass->name);
  return names;
}

namespace {

/// One pass of one round in all functions.
class PassRun {
public:
  PassRun(const PassInvocation &invocation, const Pipeline &pipeline,
          std::unique_ptr<Module> module, UserLines &lines, TimeJudge *time,
          const std::set<std::string> &staleDelays)
      : invocation_(invocation), pipeline_(pipeline), time_(time),
        passes_(namesOf(pipeline.passes)), lines_(lines), module_(std::move(module)),
        staleDelays_(staleDelays) {
    for (uint32_t f = 0; f < module_->functions().size(); ++f)
      if (pipeline.request.kernel.empty() ||
          module_->functions()[f].name == pipeline.request.kernel)
        turns_.push_back({f, {}, {}, Turn::More::Yes});
  }

  /// Asks until no function has anything to propose.
  llvm::Error run() {
    while (true) {
      std::vector<size_t> asked;
      auto proposals = ask(asked);
      if (!proposals)
        return proposals.takeError();
      if (proposals->empty())
        return llvm::Error::success();
      auto applied = applyProven(*module_, *invocation_.pass, std::move(*proposals),
                                 {pipeline_.request, pipeline_.onStep, time_, pipeline_.proofs});
      if (!applied)
        return applied.takeError();
      for (size_t n = 0; n < asked.size(); ++n)
        record(turns_[asked[n]], applied->outcomes[n]);
      if (applied->next.module)
        moveTo(std::move(applied->next));
    }
  }

  /// Adds what came of it to the result; says whether the text has changed.
  enum class Changed : uint8_t {
    No,
    NotForItsTime, ///< Time, or a proof, was against all that it proposed.
    Yes
  };
  Changed finish(unsigned round, PipelineResult &result, RoundWords &words,
                 std::unique_ptr<Module> &module) {
    for (Turn &turn : turns_) {
      for (StepReport &step : turn.steps)
        step.round = round;
      if (turn.obstacle && invocation_.pass->chosen != Chosen::ByPasses)
        words.leave(turn.function, invocation_.pass->name, *turn.obstacle);
      if (!turn.state.remarks.empty())
        words.remarked.insert(turn.function);
      if (time_ && changed_ == Changed::No && turn.state.last == PassState::Last::TakenBack)
        changed_ = Changed::NotForItsTime;
      std::move(turn.steps.begin(), turn.steps.end(), std::back_inserter(result.steps));
      llvm::append_range(result.remarks, turn.state.remarks);
    }
    module = std::move(module_);
    return changed_;
  }

private:
  /// A function and what the pass keeps of it.
  struct Turn {
    uint32_t function;
    PassState state;
    std::vector<StepReport> steps;
    enum class More : uint8_t { No, Yes } more;
    std::vector<std::pair<uint32_t, uint32_t>> tried = {}; ///< Where the last proposal edits.
    std::optional<Obstacle> obstacle = {};                 ///< Why the pass is not asked.
  };

  /// A pass that proposes again what has just been refused would be asked for ever.
  static bool isRefusedBefore(Turn &turn, const Proposal &proposal) {
    std::vector<std::pair<uint32_t, uint32_t>> places;
    places.reserve(proposal.edits.size());
    for (const TextEdit &edit : proposal.edits)
      places.emplace_back(edit.begin, edit.end);
    const bool isSame = turn.state.last == PassState::Last::TakenBack && places == turn.tried;
    turn.tried = std::move(places);
    return isSame;
  }

  llvm::Expected<std::vector<Proposed>> ask(std::vector<size_t> &asked) {
    std::vector<Proposed> proposals;
    std::vector<Region> marked;
    if (auto found = markedRegions(*module_))
      marked = std::move(*found);
    else
      llvm::consumeError(found.takeError()); // reported when the region is asked for by name
    for (size_t n = 0; n < turns_.size(); ++n) {
      Turn &turn = turns_[n];
      if (turn.more == Turn::More::No)
        continue;
      turn.more = Turn::More::No;
      const Cfg cfg = buildCfg(*module_, turn.function);
      if (cfg.blocks.empty())
        continue;
      turn.obstacle = obstacleFor(invocation_.pass->needs, *module_, cfg);
      if (turn.obstacle)
        continue;
      const std::string &name = module_->functions()[turn.function].name;
      PassSite site{*module_, cfg, pipeline_.request, invocation_.values, marked, passes_, &lines_};
      if (staleDelays_.contains(name))
        site.delays = PassSite::Delays::Stale;
      if (time_ && time_->kernel() == name)
        site.judgedBy = PassSite::JudgedBy::Time;
      auto result = invocation_.run(site, turn.state);
      if (!result)
        return result.takeError();
      if (!result->proposal || isRefusedBefore(turn, *result->proposal))
        continue;
      if (result->next == PassResult::Next::Again)
        turn.more = Turn::More::Yes;
      proposals.push_back({turn.function, std::move(*result->proposal)});
      asked.push_back(n);
    }
    return proposals;
  }

  void record(Turn &turn, ProposalOutcome &outcome) {
    turn.state.last = outcome.last;
    if (outcome.remark)
      turn.state.remarks.push_back(std::move(*outcome.remark));
    if (outcome.last == PassState::Last::Kept && outcome.report)
      turn.steps.push_back(std::move(*outcome.report));
  }

  void moveTo(Next next) {
    for (Turn &turn : turns_) {
      for (uint32_t &place : turn.state.places)
        place = next.places(place);
      for (Diagnostic &remark : turn.state.remarks)
        if (remark.line != 0)
          remark.line = lineOfOffset(*next.module, next.places(module_->lineBegin(remark.line)));
    }
    lines_.move(next.places);
    module_ = std::move(next.module);
    changed_ = Changed::Yes;
  }

  const PassInvocation &invocation_;
  const Pipeline &pipeline_;
  TimeJudge *time_;
  const std::vector<std::string_view> passes_;
  UserLines &lines_;
  std::unique_ptr<Module> module_;
  const std::set<std::string> &staleDelays_; ///< Functions.
  std::vector<Turn> turns_;
  Changed changed_ = Changed::No;
};

/// Passes take turns.
class Turns {
public:
  Turns(const Pipeline &pipeline, Passage &passage)
      : module_(passage.module), pipeline_(pipeline), result_(passage.result),
        words_(passage.words), lines_(passage.lines) {
    if (pipeline.appraiser)
      time_.emplace(*pipeline.appraiser);
    for (const Function &function : module_->functions())
      for (uint32_t i = function.first; i < function.last; ++i)
        if (module_->instructions()[i].op == Op::s_delay_alu)
          delayed_.insert(function.name);
    if (time_ && llvm::is_contained(namesOf(pipeline.passes), kDelays))
      finish_ = [this](const Module &module) { return withDelays(module, time_->kernel()); };
    if (finish_)
      time_->appraiseFinished(finish_);
  }
  /// The module is the result, if the run was not given up.
  llvm::Error run();

private:
  using Changed = PassRun::Changed;
  static constexpr std::string_view kDelays = "delay-alu";
  llvm::Error ask(llvm::function_ref<bool(std::string_view)> isAsked, unsigned round,
                  Changed &changed);
  llvm::Expected<Changed> pass(const PassInvocation &invocation, unsigned round);
  llvm::Error giveUpIfSlow();
  /// Rounds of those until they find nothing.
  llvm::Error runOf(const std::set<std::string_view> &taking, unsigned &round);
  static auto isOf(Begins begins) {
    return [begins](const PassInvocation &invocation) { return invocation.pass->begins == begins; };
  }

  std::unique_ptr<Module> &module_;
  const Pipeline &pipeline_;
  PipelineResult &result_;
  RoundWords &words_;
  UserLines &lines_;
  std::optional<TimeJudge> time_;
  /// With the delays that the last pass will set; none: nobody sets delays.
  Finish finish_;
  std::set<std::string> delayed_; ///< Functions with s_delay_alu in the text that is given.
  /// Passes of which time wanted nothing. Asking them in each round takes longer than all others
  /// do, so they wait until those have nothing more to do.
  std::set<std::string_view> waiting_;
};

llvm::Error Turns::giveUpIfSlow() {
  if (!pipeline_.slowest)
    return llvm::Error::success();
  auto time = time_->appraise(*module_, Doubts::LeftOut);
  if (time && time->believed > *pipeline_.slowest)
    result_.givenUp = time->believed;
  return time.takeError();
}

llvm::Expected<PassRun::Changed> Turns::pass(const PassInvocation &invocation, unsigned round) {
  if (pipeline_.onPass)
    pipeline_.onPass(invocation.pass->name, round + 1);
  if (invocation.pass->gain == Gain::AtOnce)
    if (llvm::Error error = giveUpIfSlow())
      return error;
  if (result_.givenUp)
    return Changed::No;
  const bool isTimed =
      time_ && (pipeline_.timed == Timed::EachStep || invocation.pass->gain == Gain::AtOnce);
  std::set<std::string> stale;
  for (const StepReport &step : result_.steps)
    if (delayed_.contains(step.function))
      stale.insert(step.function);
  PassRun run(invocation, pipeline_, std::move(module_), lines_, isTimed ? &*time_ : nullptr,
              stale);
  const bool setsDelays = finish_ && invocation.pass->name == kDelays;
  if (setsDelays)
    time_->appraiseFinished({});
  if (llvm::Error error = run.run())
    return error;
  if (setsDelays)
    time_->appraiseFinished(finish_);
  const Changed changed = run.finish(round, result_, words_, module_);
  if (changed == Changed::Yes && time_ && !isTimed)
    time_->forget();
  return changed;
}

llvm::Error Turns::ask(llvm::function_ref<bool(std::string_view)> isAsked, unsigned round,
                       Changed &changed) {
  for (const PassInvocation &invocation : pipeline_.passes) {
    const std::string_view name = invocation.pass->name;
    if (result_.givenUp || !isAsked(name))
      continue;
    auto came = pass(invocation, round);
    if (!came)
      return came.takeError();
    if (*came == Changed::NotForItsTime) {
      waiting_.insert(name);
    } else {
      waiting_.erase(name);
      changed = std::max(changed, *came);
    }
  }
  return llvm::Error::success();
}

llvm::Error Turns::run() {
  unsigned round = 0;
  const bool hasBoth = llvm::any_of(pipeline_.passes, isOf(Begins::AtOnce)) &&
                       llvm::any_of(pipeline_.passes, isOf(Begins::Behind));
  if (hasBoth && pipeline_.rounds != Rounds::One) {
    std::set<std::string_view> early;
    for (const PassInvocation &invocation : pipeline_.passes)
      if (isOf(Begins::AtOnce)(invocation))
        early.insert(invocation.pass->name);
    if (llvm::Error error = runOf(early, round))
      return error;
    if (result_.givenUp)
      return llvm::Error::success();
    ++round;
  }
  const std::vector<std::string_view> names = namesOf(pipeline_.passes);
  return runOf({names.begin(), names.end()}, round);
}

llvm::Error Turns::runOf(const std::set<std::string_view> &taking, unsigned &round) {
  for (const unsigned end = round + pipeline_.mostRounds; round < end; ++round) {
    result_.remarks.clear(); // Only the last round's are about the text that is printed.
    words_.left.clear();
    words_.remarked.clear();
    const std::set<std::string_view> waiting = waiting_;
    Changed changed = Changed::No;
    const auto takesPart = [&](std::string_view name) { return taking.contains(name); };
    if (llvm::Error error =
            ask([&](std::string_view name) { return takesPart(name) && !waiting.contains(name); },
                round, changed))
      return error;
    if (changed == Changed::No)
      if (llvm::Error error =
              ask([&](std::string_view name) { return takesPart(name) && waiting.contains(name); },
                  round, changed))
        return error;
    if (changed == Changed::No || pipeline_.rounds == Rounds::One || result_.givenUp)
      return llvm::Error::success();
  }
  result_.remarks.push_back(
      {.severity = Severity::Remark,
       .file = module_->file(),
       .message = fmt::format("the passes still found something to do in round {}, the last; "
                              "a second run would change more",
                              round),
       .sourceLine = {}});
  return llvm::Error::success();
}

} // namespace

llvm::Error takeTurns(const Pipeline &pipeline, Passage &passage) {
  return Turns(pipeline, passage).run();
}

} // namespace rdna
