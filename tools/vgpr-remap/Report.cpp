#include "VgprRemap.h"

#include "common/MetricsJson.h"
#include "common/Tool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rdna::vgprremap {

using Json = nlohmann::ordered_json;

static Json regionJson(const RewrittenRegion &region) {
  Json mapping = Json::array();
  for (const MappingEntry &entry : region.mapping)
    mapping.push_back({{"line", entry.line},
                       {"value", entry.value},
                       {"old", entry.old.number},
                       {"new", entry.fresh.number}});
  return {{"function", region.function},
          {"name", region.name},
          {"round", region.round},
          {"before", tool::toJson(region.before)},
          {"after", tool::toJson(region.after)},
          {"moves",
           {{"entry", {{"values", region.entryValues}, {"instructions", region.entryMoves}}},
            {"exit", {{"values", region.exitValues}, {"instructions", region.exitMoves}}}}},
          {"mapping", std::move(mapping)},
          {"proof",
           {{"equivalent", true},
            {"method", region.proof.method},
            {"block_pairs", region.proof.blockPairs},
            {"values", region.proof.values},
            {"loads", region.proof.loads}}},
          {"assumptions", Json::array()}};
}

std::string jsonReport(const std::string &file, const RewriteResult &result) {
  Json regions = Json::array(), kernels = Json::array(), remarks = Json::array();
  for (const RewrittenRegion &region : result.regions)
    regions.push_back(regionJson(region));
  const auto counts = [](const KernelMetrics &kernel) {
    return Json{{"vgprs", kernel.vgprs},
                {"sgprs", kernel.sgprs},
                {"waves_per_simd", kernel.occupancy.wavesPerSimd}};
  };
  for (const KernelChange &kernel : result.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"before", counts(kernel.before)},
                       {"after", counts(kernel.after)}});
  for (const Diagnostic &remark : result.remarks)
    remarks.push_back({{"line", remark.line}, {"message", remark.message}});
  return tool::jsonText({{"schema", "vgpr-remap/1"},
                         {"file", file},
                         {"kernels", std::move(kernels)},
                         {"regions", std::move(regions)},
                         {"remarks", std::move(remarks)}});
}

std::string scoreLines(const RewriteResult &result) {
  std::string text;
  for (const RewrittenRegion &region : result.regions)
    text += fmt::format(
        "{} {}: VALU {} -> {}, dual FMAC {} -> {}, single {} -> {}, conflicts {} -> {}, hazards {} "
        "-> {}, moves {} + {}, proven\n",
        region.function, region.name.empty() ? "block" : region.name, region.before.valu,
        region.after.valu, region.before.dualFmac, region.after.dualFmac, region.before.singleFmac,
        region.after.singleFmac, region.before.sourceBankConflicts,
        region.after.sourceBankConflicts, region.before.parityHazards, region.after.parityHazards,
        region.entryMoves, region.exitMoves);
  return text;
}

} // namespace rdna::vgprremap
