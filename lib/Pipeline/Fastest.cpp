#include "Pipeline/Fastest.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace rdna {
namespace {

using Outcome = WayTaken::Outcome;

struct Way {
  std::string name;
  Pipeline pipeline;
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
  Timed timedOfBest() const { return timedOfBest_; }
  FastestResult take();

private:
  const Module &module_;
  Appraiser &appraiser_;
  FastestResult result_;
  std::optional<size_t> best_;
  Timed timedOfBest_ = Timed::EachStep;
};

llvm::Error Race::asItIs() {
  auto original = appraiser_.appraise(module_, Doubts::LeftOut);
  if (!original)
    return original.takeError();
  result_.ways.push_back({"as it is", original->believed, Outcome::Slower});
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
  if (best_ && pipeline.appraiser)
    pipeline.slowest = lostBy * result_.ways[*best_].milliseconds;
  auto rewritten = runPipeline(std::move(*copy), pipeline);
  if (!rewritten)
    return rewritten.takeError();
  if (rewritten->givenUp) {
    result_.ways.push_back({way.name, *rewritten->givenUp, Outcome::GivenUp});
    return llvm::Error::success();
  }
  auto time = appraiser_.appraise(*rewritten->module, Doubts::LeftOut);
  if (!time)
    return time.takeError();
  result_.ways.push_back({way.name, time->believed, Outcome::Slower});
  if (!best_ || time->believed < result_.ways[*best_].milliseconds) {
    best_ = result_.ways.size() - 1;
    result_.best = std::move(*rewritten);
    timedOfBest_ = way.pipeline.timed;
  }
  return llvm::Error::success();
}

bool Race::hasWorked(std::string_view pass) const {
  return llvm::any_of(result_.best.steps,
                      [pass](const StepReport &step) { return step.pass == pass; });
}

FastestResult Race::take() {
  result_.ways[*best_].outcome = Outcome::Chosen;
  return std::move(result_);
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
    Way way{variant.name, pipeline};
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
  return race.take();
}

} // namespace rdna
