#include "IsaParse.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::isaparse {

std::string layOut(const std::vector<std::vector<std::string>> &rows,
                   const std::vector<Align> &columns, std::string_view indent) {
  std::vector<size_t> width(columns.size(), 0);
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], row[i].size());
  std::string text;
  for (const auto &row : rows) {
    std::string line(indent);
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0)
        line += "  ";
      line += columns[i] == Align::Right ? fmt::format("{:>{}}", row[i], width[i])
                                         : fmt::format("{:<{}}", row[i], width[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line;
    text += '\n';
  }
  return text;
}

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

static std::string kernelFacts(const KernelMetrics &kernel) {
  const std::string group =
      kernel.workgroupSize ? fmt::format("{} work-items", *kernel.workgroupSize)
                           : "unknown size (give --block), so whole workgroups are not counted";
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"VGPRs", fmt::format("{} declared, {} used", kernel.vgprs, kernel.vgprsUsed)});
  rows.push_back({"SGPRs", fmt::format("{} used", kernel.sgprs)});
  rows.push_back({"LDS", fmt::format("{} bytes", kernel.ldsBytes)});
  if (kernel.scratchBytes != 0)
    rows.push_back({"scratch", fmt::format("{} bytes per lane", kernel.scratchBytes)});
  rows.push_back(
      {"code",
       fmt::format("{} bytes, {} instructions{}", kernel.codeBytes, kernel.instructions,
                   kernel.calls == 0 ? ""
                                     : fmt::format(", {} calls (not followed)", kernel.calls))});
  rows.push_back({"workgroup", fmt::format("{}, {} mode", group,
                                           kernel.mode == WorkgroupMode::Cu ? "CU" : "WGP")});
  rows.push_back({"occupancy", occupancyText(kernel)});
  return layOut(rows, {Align::Left, Align::Left}, "  ");
}

static const std::vector<std::string> kHead = {
    "loop",    "lines",       "instr",     "VALU",    "VOPD",       "dual FMAC",  "single",
    "ds load", "global load", "conflicts", "hazards", "src0 reuse", "src1 reuse", "rotation"};

static std::vector<std::string> loopRow(const LoopMetrics &loop, std::string name) {
  return {std::move(name),
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

static std::string loopTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<Align> columns(kHead.size(), Align::Right);
  columns[0] = Align::Left;
  return layOut(rows, columns, "  ");
}

std::string textReport(const Module &module, const Selection &selection) {
  std::string text;
  for (size_t i = 0; i < selection.kernels.size(); ++i) {
    const KernelMetrics &kernel = selection.kernels[i];
    text += fmt::format("{}{}:{}: kernel {}\n{}", i > 0 ? "\n" : "", module.file(),
                        module.functions()[selection.functions[i]].line, kernel.name,
                        kernelFacts(kernel));
    std::vector<std::vector<std::string>> rows{kHead};
    for (const LoopMetrics &loop : kernel.loops)
      rows.push_back(loopRow(loop, fmt::format("{:{}}{}", "", 2 * (loop.depth - 1),
                                               loop.header.empty() ? "(no label)" : loop.header)));
    for (const MeasuredRegion &region : selection.regions)
      if (region.region.functionIndex == selection.functions[i])
        rows.push_back(loopRow(region.metrics, fmt::format("region {}", region.region.name)));
    text += rows.size() > 1 ? fmt::format("\n{}", loopTable(rows)) : "  no loops\n";
  }
  return text;
}

} // namespace rdna::isaparse
