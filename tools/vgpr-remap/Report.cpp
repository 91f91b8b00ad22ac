#include "VgprRemap.h"

#include "common/RewriteReport.h"
#include "common/Tool.h"

#include <nlohmann/json.hpp>

namespace rdna::vgprremap {

using Json = nlohmann::ordered_json;

std::string jsonReport(const std::string &file, const PipelineResult &result) {
  Json regions = Json::array();
  for (const StepReport &step : result.steps)
    regions.push_back(tool::toJson(step));
  return tool::jsonText({{"schema", "vgpr-remap/1"},
                         {"file", file},
                         {"kernels", tool::toJson(result.kernels)},
                         {"regions", std::move(regions)},
                         {"remarks", tool::toJson(result.remarks)}});
}

} // namespace rdna::vgprremap
