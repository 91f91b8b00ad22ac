// The last stage: what a kernel takes on the GPU of this machine, by HIP.
#include "Object/CodeObject.h"
#include "Run/Backend.h"
#include "Run/Bench.h"
#include "Tune/Measure.h"

#include <fmt/format.h>

namespace rdna::tune {

llvm::Expected<Outcome> timeOnCard(const generate::KernelText &kernel, const Subject &subject,
                                   BufferCache &buffers) {
  auto card = run::createHipBackend();
  if (!card)
    return card.takeError();
  auto object = object::loadCodeObjectBytes(kernel.text, kernel.name + ".s");
  if (!object)
    return object.takeError();
  run::RunOptions options;
  options.warmups = 3;
  options.repeats = 20;
  Outcome outcome;
  outcome.reason = fmt::format("median of {} on {}", options.repeats, (*card)->device());
  for (const std::string *text : {&kernel.launch, &kernel.sumLaunch}) {
    if (text->empty())
      continue;
    auto description = run::parseLaunchDescription(*text, kernel.name + ".json");
    if (!description)
      return description.takeError();
    const Problem &p = subject.problem;
    auto launch = run::resolve(*description, {{"M", p.m}, {"N", p.n}, {"K", p.k}});
    if (!launch)
      return launch.takeError();
    auto entry = object->kernel(launch->kernel);
    if (!entry)
      return entry.takeError();
    auto loaded = (*card)->load(*object, **entry);
    if (!loaded)
      return loaded.takeError();
    auto memory = buffers.of(*launch, subject.seed);
    if (!memory)
      return memory.takeError();
    auto result = (*loaded)->run(*launch, **memory, options);
    if (!result)
      return result.takeError();
    const run::Times times = run::summarize(std::move(result->milliseconds));
    outcome.milliseconds += times.median;
    outcome.low += times.min;
    outcome.high += times.max;
  }
  return outcome;
}

} // namespace rdna::tune
