#include "Tune/Measure.h"

#include "Object/CodeObject.h"
#include "Pipeline/Registry.h"
#include "Run/LaunchDescription.h"
#include "Support/Diagnostic.h"
#include "Timing/Alcop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace rdna::tune {

using generate::KernelText;
using timing::Machine;
using timing::ObservedLaunch;
using timing::PredictOptions;

std::string_view toString(Stage stage) {
  constexpr std::array<std::string_view, 5> names = {"", "estimate", "model", "emulator", "card"};
  return names[static_cast<size_t>(stage)];
}

std::string_view toString(Outcome::Verdict verdict) {
  constexpr std::array<std::string_view, 3> names = {"fits", "refused", "wrong"};
  return names[static_cast<size_t>(verdict)];
}

llvm::Expected<run::BufferSet *> BufferCache::of(const run::ResolvedLaunch &launch, uint64_t seed) {
  std::string key = fmt::format("{}", seed);
  for (const run::ResolvedBuffer &buffer : launch.buffers)
    key += fmt::format(" {} {} {} {}", buffer.bytes, static_cast<int>(buffer.type),
                       static_cast<int>(buffer.init), buffer.seed);
  if (buffers_ == nullptr || key != key_) {
    buffers_ = nullptr; // Before others are made: they may be large.
    auto made = run::BufferSet::allocate(launch);
    if (!made)
      return made.takeError();
    buffers_ = std::move(*made);
    buffers_->fill(seed);
    key_ = std::move(key);
  }
  return buffers_.get();
}

static Pipeline pipelineOf(const std::string &rewrite) {
  PassChoice choice;
  if (rewrite != "all") {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(rewrite).split(names, '+');
    for (const llvm::StringRef name : names)
      choice.names.insert(name.str());
  }
  return {.passes = choosePasses(choice)};
}

llvm::Expected<KernelText> makeKernel(const Point &point) {
  auto kernel = generate::generateKernel(point.spec);
  if (!kernel || point.rewrite == "none")
    return kernel;
  auto module = Module::parse(kernel->text, kernel->name + ".s");
  if (!module)
    return module.takeError();
  auto result = runPipeline(std::move(*module), pipelineOf(point.rewrite));
  if (!result)
    return result.takeError();
  kernel->text = std::move(result->text);
  return kernel;
}

llvm::Expected<Observed> observeKernel(const KernelText &kernel, const Subject &subject,
                                       BufferCache &buffers, const PredictOptions &options) {
  auto object = object::loadCodeObjectBytes(kernel.text, kernel.name + ".s");
  if (!object)
    return object.takeError();
  Observed out;
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
    auto memory = buffers.of(*launch, subject.seed);
    if (!memory)
      return memory.takeError();
    auto observed = observe(*object, **entry, *launch, subject.machine, options, {*memory});
    if (!observed)
      return observed.takeError();
    if (out.launches.empty()) {
      out.vgprs = (*entry)->vgprs;
      out.ldsBytes = (*entry)->ldsBytes;
    }
    out.launches.push_back(std::move(*observed));
  }
  return out;
}

double estimateOf(const Observed &observed, const Machine &machine) {
  double sum = 0;
  for (const ObservedLaunch &launch : observed.launches)
    sum += analyticalEstimate(launch, countNest(launch.recording, machine), machine);
  return sum;
}

Outcome predictionOf(const Observed &observed, const Machine &machine,
                     const PredictOptions &options) {
  Outcome outcome;
  timing::StallClocks limiters{};
  for (const ObservedLaunch &launch : observed.launches) {
    const timing::Prediction p = predict(launch, machine, options);
    outcome.milliseconds += p.milliseconds;
    outcome.low += p.low;
    outcome.high += p.high;
    for (unsigned n = 0; n < timing::stallKinds; ++n)
      limiters[n] += p.limiters[n];
  }
  // The first is what is no wait at all.
  const auto most = std::max_element(limiters.begin() + 1, limiters.end());
  outcome.limiter = toString(static_cast<timing::Stall>(most - limiters.begin()));
  return outcome;
}

/// What a point's own limits are is its verdict; anything else ends the search.
static llvm::Expected<Outcome> refusal(llvm::Error error) {
  Outcome outcome;
  llvm::Error other = llvm::handleErrors(std::move(error), [&](const InputError &input) {
    outcome.verdict = Outcome::Verdict::Refused;
    outcome.reason = input.diagnostics().empty() ? "" : input.diagnostics().front().message;
  });
  if (other)
    return other;
  return outcome;
}

llvm::Expected<Outcome> measure(const Point &point, Stage stage, const Subject &subject,
                                BufferCache &buffers) {
  auto kernel = makeKernel(point);
  if (!kernel)
    return refusal(kernel.takeError());
  if (stage == Stage::Emulator)
    return verifyKernel(*kernel, point, subject.seed);
  if (stage == Stage::Card)
    return timeOnCard(*kernel, subject, buffers);
  PredictOptions options;
  options.seed = subject.seed;
  options.threads = 1; // Points are measured side by side.
  auto observed = observeKernel(*kernel, subject, buffers, options);
  if (!observed)
    return refusal(observed.takeError());
  Outcome outcome;
  if (stage == Stage::Estimate) {
    outcome.milliseconds = estimateOf(*observed, subject.machine);
    outcome.low = outcome.high = outcome.milliseconds;
    outcome.limiter = observed->launches.front().occupancyLimit;
  } else {
    outcome = predictionOf(*observed, subject.machine, options);
  }
  outcome.vgprs = observed->vgprs;
  outcome.ldsBytes = observed->ldsBytes;
  outcome.wavesPerSimd = observed->launches.front().wavesPerSimd;
  return outcome;
}

} // namespace rdna::tune
