#include "IsaParse.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::isaparse {

static std::string number(uint64_t value) { return fmt::format("{}", value); }

/// The waves per SIMD with the limit that binds and what would lift it.
static std::string occupancyText(const KernelMetrics &kernel) {
  std::string text = fmt::format("{} waves per SIMD", kernel.occupancy.wavesPerSimd);
  if (kernel.occupancy.limit == OccupancyLimit::Waves)
    text += ", all there are";
  else
    text += fmt::format(", limited by {}", toString(kernel.occupancy.limit));
  if (!kernel.occupancy.lift.empty())
    text += fmt::format(": {}", kernel.occupancy.lift);
  return text;
}

static std::string kernelFacts(const KernelMetrics &kernel, const KernelNames &names,
                               size_t width) {
  const std::string group =
      kernel.workgroupSize ? fmt::format("{} work-items", *kernel.workgroupSize)
                           : "unknown size (give --block), so whole workgroups are not counted";
  std::vector<std::vector<std::string>> rows;
  if (const std::string source = nameInSource(kernel.name); !source.empty())
    rows.push_back({"in source", source});
  rows.push_back({"VGPRs", fmt::format("{} declared, {} used", kernel.vgprs, kernel.vgprsUsed)});
  rows.push_back({"SGPRs", fmt::format("{} used", kernel.sgprs)});
  rows.push_back({"LDS", fmt::format("{} bytes", kernel.ldsBytes)});
  if (kernel.scratchBytes != 0)
    rows.push_back({"scratch", fmt::format("{} bytes per lane", kernel.scratchBytes)});
  rows.push_back(
      {"code", fmt::format("{} bytes, {} instructions", kernel.codeBytes, kernel.instructions)});
  if (kernel.calls != 0)
    rows.push_back(
        {"calls", fmt::format("{}, not followed: {}", kernel.calls, calleeText(names.callees))});
  rows.push_back({"workgroup", fmt::format("{}, {} mode", group,
                                           kernel.mode == WorkgroupMode::Cu ? "CU" : "WGP")});
  rows.push_back({"occupancy", occupancyText(kernel)});
  return layOut(rows, {{Align::Left}, {Align::Left}}, "  ", width);
}

struct LoopColumn {
  const char *name;
  unsigned dispensable;
};
static constexpr LoopColumn kLoopColumns[] = {
    {"loop", 0},      {"source", 1},    {"lines", 4},      {"instr", 0},      {"VALU", 0},
    {"VOPD", 3},      {"dual FMAC", 0}, {"single", 0},     {"ds load", 5},    {"global load", 6},
    {"conflicts", 0}, {"hazards", 0},   {"src0 reuse", 7}, {"src1 reuse", 8}, {"rotation", 9}};

static std::vector<std::string> loopRow(const LoopMetrics &loop, std::string name,
                                        std::string source) {
  return {std::move(name),
          std::move(source),
          fmt::format("{}-{}", loop.firstLine, loop.lastLine),
          number(loop.instructions),
          number(loop.valu),
          number(loop.vopd),
          number(loop.dualFmac),
          number(loop.singleFmac),
          number(loop.dsLoads),
          number(loop.globalLoads),
          number(loop.sourceBankConflicts),
          number(loop.parityHazards),
          number(loop.src0Reuse),
          number(loop.src1Reuse),
          number(loop.destinationRotation)};
}

/// Without debug lines no row has a source.
static std::string loopTable(std::vector<std::vector<std::string>> rows, size_t width) {
  std::vector<Column> columns;
  for (const LoopColumn &column : kLoopColumns)
    columns.push_back({columns.size() < 2 ? Align::Left : Align::Right, column.dispensable});
  if (std::all_of(rows.begin() + 1, rows.end(), [](const auto &row) { return row[1].empty(); })) {
    columns.erase(columns.begin() + 1);
    for (auto &row : rows)
      row.erase(row.begin() + 1);
  }
  return layOut(rows, columns, "  ", width);
}

static std::string predictionText(const PredictedKernel &predicted) {
  const timing::Prediction &figures = predicted.prediction;
  std::string parameters;
  for (const auto &[name, value] : predicted.observed.launch.parameters)
    parameters += fmt::format(", {}={}", name, value);
  return fmt::format("  predicted  {:.4f} ms ({:.4f} to {:.4f}) on {}{}, by the timing model\n",
                     figures.milliseconds, figures.low, figures.high,
                     predicted.machine.device().title, parameters);
}

std::string textReport(const Module &module, const Selection &selection,
                       const PredictedKernel *predicted, size_t width) {
  std::string text;
  const SourcePlaces &sources = selection.sources;
  for (size_t i = 0; i < selection.kernels.size(); ++i) {
    const KernelMetrics &kernel = selection.kernels[i];
    const KernelNames &names = selection.names[i];
    text += fmt::format("{}{}:{}: kernel {}\n{}", i > 0 ? "\n" : "", module.file(),
                        module.functions()[selection.functions[i]].line, kernel.name,
                        kernelFacts(kernel, names, width));
    if (predicted != nullptr && predicted->kernel == kernel.name)
      text += predictionText(*predicted);
    std::vector<std::vector<std::string>> rows(1);
    for (const LoopColumn &column : kLoopColumns)
      rows[0].emplace_back(column.name);
    for (const LoopMetrics &loop : kernel.loops)
      rows.push_back(loopRow(loop,
                             fmt::format("{:{}}{}", "", 2 * (loop.depth - 1),
                                         loop.header.empty() ? "(no label)" : loop.header),
                             shortName(sources, names.of(loop))));
    for (const MeasuredRegion &region : selection.regions)
      if (region.region.functionIndex == selection.functions[i])
        rows.push_back(loopRow(region.metrics, fmt::format("region {}", region.region.name),
                               shortName(sources, placeOfRegion(module, sources, region.region))));
    text +=
        rows.size() > 1 ? fmt::format("\n{}", loopTable(std::move(rows), width)) : "  no loops\n";
  }
  return text;
}

} // namespace rdna::isaparse
