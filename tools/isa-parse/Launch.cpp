#include "Launch.h"

#include "common/ModelInput.h"
#include "common/PredictionJson.h"
#include "common/Tool.h"

#include <fmt/format.h>

namespace rdna::isaparse {

using namespace timing;

namespace {

class FirstSimd final : public IssueListener {
public:
  void issued(const IssueEvent &event) override {
    if (event.simd == 0)
      events.push_back(event);
  }
  std::vector<IssueEvent> events;
};

} // namespace

llvm::Expected<PredictedKernel> predictKernel(const Module &module, const LaunchRequest &request,
                                              const std::string &kernel,
                                              PredictOptions::Interval interval) {
  llvm::Expected<Machine> machine = tool::readDevice(request.device);
  if (!machine)
    return machine.takeError();
  llvm::Expected<run::ResolvedLaunch> launch = tool::readLaunch(request.file, request.parameters);
  if (!launch)
    return launch.takeError();
  llvm::Expected<object::CodeObject> object =
      object::loadCodeObjectBytes(module.text(), module.file());
  if (!object)
    return object.takeError();
  llvm::Expected<const object::Kernel *> launched =
      object->kernel(kernel.empty() ? launch->kernel : kernel);
  if (!launched)
    return launched.takeError();
  PredictOptions options;
  options.interval = interval;
  FirstSimd listener;
  options.listener = &listener;
  tool::Progress progress("isa-parse");
  progress.status(fmt::format("{}: running some workgroups on the emulator", (*launched)->name));
  llvm::Expected<ObservedLaunch> observed =
      observe(*object, **launched, *launch, *machine, options);
  if (!observed)
    return observed.takeError();
  progress.status(interval == PredictOptions::Interval::Yes
                      ? fmt::format("{}: timing it with each doubt of the model", (*launched)->name)
                      : fmt::format("{}: timing it", (*launched)->name));
  Prediction prediction = predict(*observed, *machine, options);
  PredictedKernel out{(*launched)->name,
                      std::move(*machine),
                      std::move(*observed),
                      std::move(prediction),
                      std::nullopt,
                      {},
                      {},
                      std::move(listener.events)};
  if (launch->gemm)
    out.operations = launch->gemm->operations();
  for (size_t n = 0; n < out.observed.recording.ops.size(); ++n) {
    const uint32_t at = object->lineAt(out.observed.recording.ops[n].offset);
    out.lineOfOp.push_back(at);
    OpTime &line = out.lines[at];
    const OpTime &op = out.prediction.sample.ops[n];
    line.issues += op.issues;
    line.stalled += op.stalled;
    for (unsigned why = 0; why < stallKinds; ++why)
      line.why[why] += op.why[why];
  }
  return out;
}

} // namespace rdna::isaparse
