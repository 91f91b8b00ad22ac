//===- MetricsJson.h - loop counts as JSON, the same in every report ------===//
#pragma once

#include "Analysis/Metrics.h"

#include <nlohmann/json_fwd.hpp>

namespace rdna::tool {

/// The loop fields of docs/design.md, "Contract of the tools", in their fixed order.
nlohmann::ordered_json toJson(const LoopMetrics &loop);

} // namespace rdna::tool
