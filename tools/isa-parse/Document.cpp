#include "Document.h"

#include "Analysis/Mix.h"

#include "common/MetricsJson.h"
#include "common/PredictionJson.h"

#include <numeric>

namespace rdna::isaparse {

static Json mixJson(const InstructionMix &mix) {
  Json json = Json::object();
  for (unsigned n = 0; n < instructionKinds; ++n)
    json[std::string(toString(static_cast<InstructionKind>(n)))] = mix[n];
  return json;
}

static Json countsOf(const KernelMetrics &kernel) {
  return {{"name", kernel.name},
          {"vgprs", kernel.vgprs},
          {"vgprs_used", kernel.vgprsUsed},
          {"sgprs", kernel.sgprs},
          {"lds_bytes", kernel.ldsBytes},
          {"scratch_bytes", kernel.scratchBytes},
          {"code_bytes", kernel.codeBytes},
          {"instructions", kernel.instructions},
          {"workgroup_size", kernel.workgroupSize ? Json(*kernel.workgroupSize) : Json(nullptr)},
          {"workgroup_mode", kernel.mode == WorkgroupMode::Cu ? "cu" : "wgp"},
          {"waves_per_simd", kernel.occupancy.wavesPerSimd},
          {"occupancy_limit", toString(kernel.occupancy.limit)},
          {"occupancy_lift", kernel.occupancy.lift},
          {"calls", kernel.calls}};
}

/// Null without debug lines.
static Json sourceJson(const SourcePlaces &sources, SourcePlace place) {
  return place.line == 0 ? Json() : Json{{"file", sources.files[place.file]}, {"line", place.line}};
}

static Json regionJson(const std::string &name, const LoopMetrics &metrics, Json source) {
  Json entry = {{"name", name}};
  entry.update(tool::toJson(metrics));
  entry["source"] = std::move(source);
  return entry;
}

/// The whole function and its hot loop, counted as loops are.
static void addTotals(const Module &module, const SourcePlaces &sources, uint32_t function,
                      const Region &hot, Json &json) {
  const Function &code = module.functions()[function];
  std::vector<uint32_t> all(code.last - code.first);
  std::iota(all.begin(), all.end(), code.first);
  json["totals"] = tool::toJson(measure(module, all));
  json["mix"] = mixJson(instructionMix(module, all));
  LoopMetrics metrics = measure(module, hot.instructions);
  if (hot.loop) {
    const Cfg cfg = buildCfg(module, function);
    metrics = measureLoop(module, cfg, cfg.loops[*hot.loop]);
  }
  json["hot"] =
      regionJson(hot.name, metrics, sourceJson(sources, placeOfRegion(module, sources, hot)));
  json["hot"]["is_loop"] = hot.loop.has_value();
  json["hot"]["mix"] = mixJson(instructionMix(module, hot.instructions));
}

static Json kernelJson(const Input &input, size_t number, const SelectOptions &options,
                       Detail detail) {
  const Module &module = *input.module;
  const KernelMetrics &kernel = input.selection.kernels[number];
  const uint32_t function = input.selection.functions[number];
  const SourcePlaces &sources = input.selection.sources;
  const KernelNames &names = input.selection.names[number];
  Json json = countsOf(kernel);
  json["callees"] = names.callees;
  json["loops"] = Json::array();
  for (const LoopMetrics &loop : kernel.loops) {
    json["loops"].push_back(tool::toJson(loop));
    json["loops"].back()["source"] = sourceJson(sources, names.of(loop));
  }
  json["regions"] = Json::array();
  for (const MeasuredRegion &region : input.selection.regions)
    if (region.region.functionIndex == function)
      json["regions"].push_back(
          regionJson(region.region.name, region.metrics,
                     sourceJson(sources, placeOfRegion(module, sources, region.region))));
  const PredictedKernel *predicted =
      input.predicted && input.predicted->kernel == kernel.name ? &*input.predicted : nullptr;
  const Region hot = hotRegion(module, function, options.region, predicted);
  addTotals(module, sources, function, hot, json);
  if (predicted != nullptr) {
    json["predicted"] = {{"device", predicted->machine.device().title}};
    json["predicted"].update(tool::toJson(predicted->prediction, predicted->observed,
                                          predicted->machine, predicted->operations));
  }
  if (detail == Detail::Full)
    json["details"] = detailsOf(module, function, hot, predicted, options.block);
  return json;
}

static Json fileJson(const Input &input, const SelectOptions &options, Detail detail) {
  Json json = {{"file", input.module->file()}, {"kernels", Json::array()}};
  for (size_t n = 0; n < input.selection.kernels.size(); ++n)
    json["kernels"].push_back(kernelJson(input, n, options, detail));
  return json;
}

Json documentOf(const Input &input, const Input *before, const SelectOptions &options,
                Detail detail) {
  Json json = {{"schema", "isa-parse/1"}};
  json.update(fileJson(input, options, detail));
  if (before == nullptr && detail == Detail::Counts)
    return json;
  if (before != nullptr)
    json["against"] = fileJson(*before, options, detail);
  json["summary"] = Json::array();
  for (const Json &kernel : json["kernels"]) {
    const Json *old = nullptr;
    if (before != nullptr)
      for (const Json &other : json["against"]["kernels"])
        if (other["name"] == kernel["name"])
          old = &other;
    json["summary"].push_back({{"kernel", kernel["name"]}, {"rows", summaryOf(kernel, old)}});
  }
  return json;
}

} // namespace rdna::isaparse
