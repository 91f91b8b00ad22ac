//===- PredictionJson.h - the timing model's figures, the same in every report --===//
#pragma once

#include "Timing/Predict.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace rdna::tool {

/// The predicted figures of one launch with their intervals. `operations`: of the whole launch, if
/// they are known.
nlohmann::ordered_json toJson(const timing::Prediction &prediction,
                              const timing::ObservedLaunch &observed,
                              const timing::Machine &machine, std::optional<double> operations);

} // namespace rdna::tool
