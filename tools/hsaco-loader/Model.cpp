#include "Model.h"

#include "Support/File.h"
#include "Timing/Alcop.h"
#include "Timing/Calibrate.h"

#include "common/ModelInput.h"
#include "common/PredictionJson.h"
#include "common/Tool.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace rdna::loader {

namespace {

using Json = nlohmann::ordered_json;
using namespace timing;

struct Case {
  ObservedLaunch observed;
  Prediction prediction;
  double analytical = 0;
  std::optional<double> operations;
  std::optional<Prediction> without; ///< --what-if
};

llvm::Expected<PredictOptions> predictOptions(const Options &options) {
  PredictOptions out;
  out.seed = options.seed;
  out.threads = options.threads;
  if (options.budget != 0)
    out.budget = std::min(out.budget, options.budget);
  if (options.coldCaches)
    out.start = Sharing::Start::Cold;
  return out;
}

WhatIf whatIf(std::string_view name) {
  const auto *row =
      llvm::find_if(whatIfRows, [name](const WhatIfRow &r) { return r.name == name; });
  return row == std::end(whatIfRows) ? WhatIf{} : WhatIf{row->part};
}

llvm::Expected<Case> predictCase(const Options &options, const object::CodeObject &object,
                                 const LaunchPlan &plan, const run::Parameters &parameters,
                                 const Machine &machine) {
  llvm::Expected<run::ResolvedLaunch> launch = resolve(plan.description, parameters);
  if (!launch)
    return launch.takeError();
  llvm::Expected<PredictOptions> how = predictOptions(options);
  if (!how)
    return how.takeError();
  llvm::Expected<ObservedLaunch> observed = observe(object, *plan.kernel, *launch, machine, *how);
  if (!observed)
    return observed.takeError();
  Case out;
  if (!options.flops.empty()) {
    llvm::Expected<int64_t> flops = run::evaluate(options.flops, launch->parameters);
    if (!flops)
      return flops.takeError();
    out.operations = static_cast<double>(*flops);
  } else if (launch->gemm) {
    out.operations = launch->gemm->operations();
  }
  out.prediction = predict(*observed, machine, *how);
  out.analytical = analyticalEstimate(*observed, countNest(observed->recording, machine), machine);
  if (!options.whatIf.empty()) {
    how->what = whatIf(options.whatIf);
    how->interval = PredictOptions::Interval::No;
    out.without = predict(*observed, machine, *how);
  }
  out.observed = std::move(*observed);
  return out;
}

double gflops(const Case &entry, double milliseconds) {
  return *entry.operations / milliseconds * 1e-6;
}

std::string caseText(const Case &entry, const Machine &machine, const Options &options) {
  const Prediction &p = entry.prediction;
  std::string parameters;
  for (const auto &[name, value] : entry.observed.launch.parameters)
    parameters += fmt::format("{}{}={}", parameters.empty() ? "" : " ", name, value);
  std::string text =
      fmt::format("  {}: predicted {:.4f} ms ({:.4f} to {:.4f})",
                  parameters.empty() ? "launch" : parameters, p.milliseconds, p.low, p.high);
  if (entry.operations) {
    const double rate = gflops(entry, p.milliseconds);
    text +=
        fmt::format(", {:.1f} GFLOP/s, {:.1f} % of peak", rate, rate / machine.peakGflops() * 100);
  }
  text += fmt::format(
      "\n    at {:.0f} MHz; {} waves per SIMD (limit: {}), {} of {} workgroups of a "
      "{} at once; predicted VALU busy {:.0f} %\n    predicted by the analytical estimate {:.4f} "
      "ms\n",
      p.clockMHz, entry.observed.wavesPerSimd, entry.observed.occupancyLimit, p.groupsAtOnce,
      p.groupsOfUnit, p.units == machine.device().cus ? "CU" : "WGP", p.vectorBusy * 100,
      entry.analytical);
  text += "    what limits it, predicted:\n";
  for (unsigned n = 0; n < stallKinds; ++n)
    if (p.limiters[n] > p.milliseconds * 0.0005)
      text += fmt::format("      {:17} {:9.4f} ms {:5.1f} %\n", toString(static_cast<Stall>(n)),
                          p.limiters[n], p.limiters[n] / p.milliseconds * 100);
  text += "    doubts that matter most (constant, its range, time at both ends):\n";
  for (size_t n = 0; n < std::min<size_t>(4, p.sensitivity.size()); ++n) {
    const Sensitivity &effect = p.sensitivity[n];
    const ConstantRow &row = rowOf(effect.constant);
    text += fmt::format("      {:17} {} to {} {}: {:+.1f} %, {:+.1f} %\n", row.name, row.low,
                        row.high, row.unit, (effect.atLow - 1) * 100, (effect.atHigh - 1) * 100);
  }
  if (entry.without)
    text += fmt::format("    what if {}: predicted {:.4f} ms, {:+.1f} %\n", options.whatIf,
                        entry.without->milliseconds,
                        (entry.without->milliseconds / p.milliseconds - 1) * 100);
  return text;
}

Json caseJson(const Case &entry, const Machine &machine, const Options &options) {
  Json json = tool::toJson(entry.prediction, entry.observed, machine, entry.operations);
  if (entry.without)
    json["what_if"] = {{"without", options.whatIf}, {"predicted_ms", entry.without->milliseconds}};
  return json;
}

} // namespace

llvm::Expected<int> modelCommand(const tool::Tool &tool, const Options &options,
                                 const object::CodeObject &object, const LaunchPlan &plan) {
  if (options.command != Command::Bench)
    return makeError(Failure::BadInput, "",
                     "--backend model predicts times and computes nothing: it is for bench");
  llvm::Expected<Machine> machine = tool::readDevice(options.device);
  if (!machine)
    return machine.takeError();
  std::string text =
      fmt::format("{} on {}, by the timing model\n", plan.kernel->name, machine->device().title);
  Json json;
  json["schema"] = "hsaco-loader/1";
  json["command"] = "bench";
  json["kernel"] = plan.kernel->name;
  json["backend"] = "model";
  json["device"] = machine->device().title;
  json["predicted"] = true;
  json["cases"] = Json::array();
  for (const run::Parameters &parameters : plan.parameters) {
    llvm::Expected<Case> entry = predictCase(options, object, plan, parameters, *machine);
    if (!entry)
      return entry.takeError();
    text += caseText(*entry, *machine, options);
    json["cases"].push_back(caseJson(*entry, *machine, options));
  }
  text += "All of this is predicted; nothing was measured. docs/howto-timing.md says how far to "
          "trust it.\n";
  if (llvm::Error error = tool.print(options.format == Format::Json ? tool::jsonText(json) : text))
    return error;
  return 0;
}

llvm::Expected<int> calibrateCommand(const tool::Tool &tool, const Options &options) {
  if (options.backend != "hip")
    return makeError(Failure::BadInput, "",
                     "--calibrate measures, so it needs a card: --backend hip");
  llvm::Expected<Machine> machine = tool::readDevice(options.device);
  if (!machine)
    return machine.takeError();
  llvm::Expected<std::unique_ptr<run::Backend>> backend = run::createBackend("hip");
  if (!backend)
    return backend.takeError();
  run::RunOptions run;
  run.warmups = options.warmups;
  run.repeats = options.repeats;
  auto settled = calibrate(**backend, *machine, run);
  if (!settled)
    return settled.takeError();
  std::string text = fmt::format("{}, against what is assumed of {}\n", (*backend)->device(),
                                 machine->device().title);
  for (const Settled &constant : *settled) {
    const ConstantRow &row = rowOf(constant.constant);
    text += fmt::format("  {:14} assumed {:.3f} ({} to {}), found {}{:.3f} {}; measured {:.4f} ms, "
                        "predicted {:.4f}\n",
                        row.name, constant.assumed, row.low, row.high,
                        constant.where == Settled::Where::Beyond ? "beyond " : "", constant.found,
                        row.unit, constant.milliseconds, constant.predicted);
  }
  if (llvm::Error error = writeOutput(options.calibrate, machineFile(*machine, *settled)))
    return error;
  if (llvm::Error error = tool.print(text))
    return error;
  return 0;
}

} // namespace rdna::loader
