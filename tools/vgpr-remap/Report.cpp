#include "VgprRemap.h"

#include "common/RewriteReport.h"
#include "common/Tool.h"

#include <nlohmann/json.hpp>

namespace rdna::vgprremap {

using Json = nlohmann::ordered_json;

std::string jsonReport(const std::string &file, const RewriteResult &result) {
  Json regions = Json::array();
  for (const RewrittenRegion &region : result.regions)
    regions.push_back(tool::toJson(region));
  return tool::jsonText({{"schema", "vgpr-remap/1"},
                         {"file", file},
                         {"kernels", tool::toJson(result.kernels)},
                         {"regions", std::move(regions)},
                         {"remarks", tool::toJson(result.remarks)}});
}

std::string scoreLines(const RewriteResult &result) {
  std::string text;
  for (const RewrittenRegion &region : result.regions)
    text += tool::scoreLine(region);
  return text;
}

} // namespace rdna::vgprremap
