#include "ForDevice.h"

#include "Support/Diagnostic.h"
#include "common/ModelInput.h"

#include <fmt/format.h>

namespace rdna::dualfmac {

static llvm::Expected<run::ResolvedLaunch> launchOf(const DevicePredictions::Wanted &wanted) {
  if (wanted.launchFile.empty())
    return makeError(Failure::BadInput, "",
                     "--for needs a launch: times are those of executing it (--launch FILE, see "
                     "docs/howto-run.md)");
  return tool::readLaunch(wanted.launchFile, wanted.parameters);
}

llvm::Expected<std::unique_ptr<DevicePredictions>> DevicePredictions::create(const Wanted &wanted,
                                                                             const Module &module) {
  llvm::Expected<timing::Machine> machine = tool::readDevice(wanted.device);
  if (!machine)
    return machine.takeError();
  llvm::Expected<run::ResolvedLaunch> launch = launchOf(wanted);
  if (!launch)
    return launch.takeError();
  auto object = object::loadCodeObjectBytes(module.text(), module.file());
  if (!object)
    return object.takeError();
  auto kernel = object->kernel(wanted.kernel.empty() ? launch->kernel : wanted.kernel);
  if (!kernel)
    return kernel.takeError();
  std::unique_ptr<DevicePredictions> made(
      new DevicePredictions(std::move(*machine), std::move(*launch), (*kernel)->name));
  auto buffers = run::BufferSet::allocate(made->launch_);
  if (!buffers)
    return buffers.takeError();
  made->buffers_ = std::move(*buffers);
  made->buffers_->fill(made->options_.seed);
  return made;
}

llvm::Expected<const timing::ObservedLaunch *> DevicePredictions::observe(std::string_view text,
                                                                          const std::string &file) {
  for (const Observed &known : observed_)
    if (known.text == text)
      return &known.launch;
  auto object = object::loadCodeObjectBytes(text, file);
  if (!object)
    return object.takeError();
  auto kernel = object->kernel(kernel_);
  if (!kernel)
    return kernel.takeError();
  auto launch = timing::observe(*object, **kernel, launch_, machine_, options_,
                                {buffers_.get(), first_ ? &*first_ : nullptr});
  if (!launch)
    return launch.takeError();
  if (!first_)
    first_ = *launch;
  constexpr size_t most = 3; // The text before a step, behind it, and one that was refused.
  if (observed_.size() == most)
    observed_.pop_front();
  observed_.push_back({std::string(text), std::move(*launch)});
  return &observed_.back().launch;
}

llvm::Expected<Appraisal> DevicePredictions::appraise(const Module &module, Doubts doubts) {
  const auto known = appraised_.find(module.text());
  if (known != appraised_.end() && (doubts == Doubts::LeftOut || !known->second.doubted.empty()))
    return known->second;
  auto observed = observe(module.text(), std::string(module.file()));
  if (!observed)
    return observed.takeError();
  timing::PredictOptions quick = options_;
  quick.steps = 8000;
  quick.interval = timing::PredictOptions::Interval::No;
  Appraisal appraisal{timing::predict(**observed, machine_, quick).milliseconds};
  if (doubts == Doubts::Asked)
    for (const timing::Sensitivity &effect : timing::doubtsOf(**observed, machine_, options_)) {
      appraisal.doubted.push_back(appraisal.believed * effect.atLow);
      appraisal.doubted.push_back(appraisal.believed * effect.atHigh);
    }
  appraised_[std::string(module.text())] = appraisal;
  return appraisal;
}

/// As `predict` does it, without the interval.
llvm::Expected<double> DevicePredictions::settle(const Module &module) {
  auto observed = observe(module.text(), std::string(module.file()));
  if (!observed)
    return observed.takeError();
  timing::PredictOptions whole = options_;
  whole.interval = timing::PredictOptions::Interval::No;
  return timing::predict(**observed, machine_, whole).milliseconds;
}

llvm::Expected<timing::Prediction> DevicePredictions::predict(std::string_view text,
                                                              const std::string &file) {
  auto observed = observe(text, file);
  if (!observed)
    return observed.takeError();
  return timing::predict(**observed, machine_, options_);
}

std::string DevicePredictions::launchWords() const {
  std::string words;
  for (const auto &[name, value] : launch_.parameters)
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", name, value);
  return words.empty() ? "this launch" : words;
}

} // namespace rdna::dualfmac
