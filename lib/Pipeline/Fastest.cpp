#include "Pipeline/Fastest.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace rdna {
namespace {

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

} // namespace

llvm::Expected<FastestResult> runFastest(std::unique_ptr<Module> module, const Pipeline &pipeline) {
  FastestResult result;
  auto original = pipeline.appraiser->appraise(*module, Doubts::LeftOut);
  if (!original)
    return original.takeError();
  result.ways.push_back({"as it is", original->believed, WayTaken::Chosen::No});
  std::optional<size_t> best;
  for (Way &way : waysOf(pipeline)) {
    auto copy = Module::parse(std::string(module->text()), std::string(module->file()));
    if (!copy)
      return copy.takeError();
    auto rewritten = runPipeline(std::move(*copy), way.pipeline);
    if (!rewritten)
      return rewritten.takeError();
    auto time = pipeline.appraiser->appraise(*rewritten->module, Doubts::LeftOut);
    if (!time)
      return time.takeError();
    result.ways.push_back({std::move(way.name), time->believed, WayTaken::Chosen::No});
    if (!best || time->believed < result.ways[*best].milliseconds) {
      best = result.ways.size() - 1;
      result.best = std::move(*rewritten);
    }
  }
  result.ways[*best].chosen = WayTaken::Chosen::Yes;
  return result;
}

} // namespace rdna
