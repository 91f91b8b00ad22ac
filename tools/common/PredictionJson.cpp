#include "common/PredictionJson.h"

#include "Timing/Alcop.h"

#include <nlohmann/json.hpp>

namespace rdna::tool {

using namespace timing;
using Json = nlohmann::ordered_json;

static Json sensitivityJson(const Prediction &prediction, const Machine &machine) {
  Json rows = Json::array();
  for (const Sensitivity &effect : prediction.sensitivity) {
    const ConstantRow &row = rowOf(effect.constant);
    rows.push_back({{"constant", row.name},
                    {"value", machine[effect.constant]},
                    {"low", row.low},
                    {"high", row.high},
                    {"unit", row.unit},
                    {"certainty", toString(row.certainty)},
                    {"source", row.source},
                    {"time_at_low", effect.atLow},
                    {"time_at_high", effect.atHigh}});
  }
  return rows;
}

Json toJson(const Prediction &prediction, const ObservedLaunch &observed, const Machine &machine,
            std::optional<double> operations) {
  const auto rate = [&](double milliseconds) {
    return operations ? Json(*operations / milliseconds * 1e-6) : Json();
  };
  const auto share = [&](double milliseconds) {
    return operations ? Json(*operations / milliseconds * 1e-4 / machine.peakGflops()) : Json();
  };
  Json json;
  json["parameters"] = observed.launch.parameters;
  json["predicted_ms"] = prediction.milliseconds;
  json["predicted_low_ms"] = prediction.low;
  json["predicted_high_ms"] = prediction.high;
  json["predicted_gflops"] = rate(prediction.milliseconds);
  json["predicted_low_gflops"] = rate(prediction.high);
  json["predicted_high_gflops"] = rate(prediction.low);
  json["predicted_percent_of_peak"] = share(prediction.milliseconds);
  json["predicted_low_percent_of_peak"] = share(prediction.high);
  json["predicted_high_percent_of_peak"] = share(prediction.low);
  json["predicted_analytical_ms"] =
      analyticalEstimate(observed, countNest(observed.recording, machine), machine);
  json["clock_mhz"] = prediction.clockMHz;
  json["waves_per_simd"] = observed.wavesPerSimd;
  json["occupancy_limit"] = observed.occupancyLimit;
  json["workgroups_at_once"] = prediction.groupsAtOnce;
  json["workgroups_of_busiest"] = prediction.groupsOfUnit;
  json["predicted_valu_busy_percent"] = prediction.vectorBusy * 100;
  for (unsigned n = 0; n < stallKinds; ++n) {
    const std::string name(toString(static_cast<Stall>(n)));
    json["predicted_limiters_ms"][name] = prediction.limiters[n];
    json["predicted_limiters_low_ms"][name] = prediction.limitersLow[n];
    json["predicted_limiters_high_ms"][name] = prediction.limitersHigh[n];
  }
  json["sensitivity"] = sensitivityJson(prediction, machine);
  return json;
}

} // namespace rdna::tool
