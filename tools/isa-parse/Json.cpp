#include "IsaParse.h"

#include "common/MetricsJson.h"
#include "common/Tool.h"

#include <nlohmann/json.hpp>

namespace rdna::isaparse {

using Json = nlohmann::ordered_json;

std::string jsonReport(const Module &module, const Selection &selection) {
  Json kernels = Json::array();
  for (size_t i = 0; i < selection.kernels.size(); ++i) {
    const KernelMetrics &kernel = selection.kernels[i];
    Json loops = Json::array(), regions = Json::array();
    for (const LoopMetrics &loop : kernel.loops)
      loops.push_back(tool::toJson(loop));
    for (const MeasuredRegion &region : selection.regions)
      if (region.region.functionIndex == selection.functions[i]) {
        Json entry = {{"name", region.region.name}};
        entry.update(tool::toJson(region.metrics));
        regions.push_back(std::move(entry));
      }
    kernels.push_back(
        {{"name", kernel.name},
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
         {"calls", kernel.calls},
         {"loops", std::move(loops)},
         {"regions", std::move(regions)}});
  }
  return tool::jsonText(
      {{"schema", "isa-parse/1"}, {"file", module.file()}, {"kernels", std::move(kernels)}});
}

} // namespace rdna::isaparse
