#include "Pipeline/Fastest.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <optional>
#include <vector>

namespace rdna {
namespace {

using Outcome = WayTaken::Outcome;

struct Way {
  std::string name;
  Pipeline pipeline;
  Variant::Until until = Variant::Until::Slow;
};

std::vector<Way> waysOf(const Pipeline &pipeline) {
  std::vector<Way> ways;
  const bool hasEnablers = llvm::any_of(pipeline.passes, [](const PassInvocation &invocation) {
    return invocation.pass->gain == Gain::Later;
  });
  if (hasEnablers) {
    ways.push_back({"enabling steps together", pipeline});
    ways.back().pipeline.timed = Timed::GainsAtOnce;
  }
  ways.push_back({"each step by itself", pipeline});
  return ways;
}

/// Tries one way after the other.
class Race {
public:
  Race(const Module &module, Appraiser &appraiser) : module_(module), appraiser_(appraiser) {}
  llvm::Error asItIs();
  llvm::Error run(const Way &way);
  /// Has a step of that pass been kept on the fastest way?
  bool hasWorked(std::string_view pass) const;
  Timed timedOfBest() const { return ends_[*best_].timed; }
  llvm::Expected<FastestResult> take(const Pipeline &pipeline);

private:
  /// What a way has come to.
  struct End {
    size_t way;
    PipelineResult result;
    Timed timed;
  };
  double timeOf(const End &end) const { return ways_[end.way].milliseconds; }
  llvm::Error settle();

  const Module &module_;
  Appraiser &appraiser_;
  std::vector<WayTaken> ways_; ///< The first is the input.
  std::vector<End> ends_;
  std::optional<size_t> best_; ///< Of the ends.
};

llvm::Error Race::asItIs() {
  auto original = appraiser_.appraise(module_, Doubts::LeftOut);
  if (!original)
    return original.takeError();
  ways_.push_back({"as it is", original->believed, Outcome::Slower});
  return llvm::Error::success();
}

llvm::Error Race::run(const Way &way) {
  auto copy = Module::parse(std::string(module_.text()), std::string(module_.file()));
  if (!copy)
    return copy.takeError();
  Pipeline pipeline = way.pipeline;
  // Passes whose gain shows at once have made none of the ladder's and the corpus's kernels faster
  // by as much as that.
  constexpr double lostBy = 1.08;
  if (best_ && pipeline.appraiser && way.until == Variant::Until::Slow)
    pipeline.slowest = lostBy * timeOf(ends_[*best_]);
  auto rewritten = runPipeline(std::move(*copy), pipeline);
  if (!rewritten)
    return rewritten.takeError();
  if (rewritten->givenUp) {
    ways_.push_back({way.name, *rewritten->givenUp, Outcome::GivenUp});
    return llvm::Error::success();
  }
  auto time = appraiser_.appraise(*rewritten->module, Doubts::LeftOut);
  if (!time)
    return time.takeError();
  ends_.push_back({ways_.size(), std::move(*rewritten), way.pipeline.timed});
  ways_.push_back({way.name, time->believed, Outcome::Slower});
  if (!best_ || timeOf(ends_.back()) < timeOf(ends_[*best_]))
    best_ = ends_.size() - 1;
  return llvm::Error::success();
}

bool Race::hasWorked(std::string_view pass) const {
  return llvm::any_of(ends_[*best_].result.steps,
                      [pass](const StepReport &step) { return step.pass == pass; });
}

/// Ends that are nearer to the best one than the difference between a short simulation and a long
/// one are looked at for longer, and so is the input.
llvm::Error Race::settle() {
  constexpr double near = 1.06; // The two differ by up to 3.3 % (sgemm_8x16 of the corpus).
  const double least = timeOf(ends_[*best_]);
  std::map<std::string_view, double> settled;
  for (const End &end : ends_) {
    const Module &module = *end.result.module;
    if (timeOf(end) > near * least || settled.contains(module.text()))
      continue;
    auto time = appraiser_.settle(module);
    if (!time)
      return time.takeError();
    settled.emplace(module.text(), *time);
  }
  auto original = appraiser_.settle(module_);
  if (!original)
    return original.takeError();
  ways_.front().milliseconds = *original;
  best_.reset();
  for (size_t e = 0; e < ends_.size(); ++e)
    if (const auto time = settled.find(ends_[e].result.module->text()); time != settled.end()) {
      ways_[ends_[e].way].milliseconds = time->second;
      if (!best_ || time->second < timeOf(ends_[*best_]))
        best_ = e;
    }
  return llvm::Error::success();
}

llvm::Expected<FastestResult> Race::take(const Pipeline &pipeline) {
  if (llvm::Error error = settle())
    return error;
  // Differences below that are the model's own noise (trendOf).
  constexpr double noise = 1.005;
  if (timeOf(ends_[*best_]) > noise * ways_.front().milliseconds) {
    auto copy = Module::parse(std::string(module_.text()), std::string(module_.file()));
    if (!copy)
      return copy.takeError();
    Pipeline nothing = pipeline;
    nothing.passes.clear();
    nothing.ways.clear();
    auto unchanged = runPipeline(std::move(*copy), nothing);
    if (!unchanged)
      return unchanged.takeError();
    ways_.front().outcome = Outcome::Chosen;
    return FastestResult{std::move(*unchanged), std::move(ways_)};
  }
  ways_[ends_[*best_].way].outcome = Outcome::Chosen;
  return FastestResult{std::move(ends_[*best_].result), std::move(ways_)};
}

} // namespace

llvm::Expected<FastestResult> runFastest(std::unique_ptr<Module> module, const Pipeline &pipeline) {
  Race race(*module, *pipeline.appraiser);
  if (llvm::Error error = race.asItIs())
    return error;
  for (const Way &way : waysOf(pipeline))
    if (llvm::Error error = race.run(way))
      return error;
  for (const Variant &variant : pipeline.variants) {
    if (!variant.instead.empty() && !race.hasWorked(variant.instead))
      continue;
    Way way{variant.name, pipeline, variant.until};
    way.pipeline.passes = variant.passes;
    way.pipeline.timed = race.timedOfBest();
    if (llvm::Error error = race.run(way))
      return error;
  }
  // Which step time refuses depends on those that were kept before it, so that all of them together
  // may be faster yet. It costs a rewrite without a prediction in it.
  Way counts{"counts alone", pipeline};
  counts.pipeline.appraiser = nullptr;
  if (llvm::Error error = race.run(counts))
    return error;
  return race.take(pipeline);
}

} // namespace rdna
