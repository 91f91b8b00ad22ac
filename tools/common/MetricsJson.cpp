#include "common/MetricsJson.h"

#include <nlohmann/json.hpp>

namespace rdna::tool {

nlohmann::ordered_json toJson(const LoopMetrics &loop) {
  return {{"header", loop.header},
          {"depth", loop.depth},
          {"first_line", loop.firstLine},
          {"last_line", loop.lastLine},
          {"instructions", loop.instructions},
          {"hints", loop.hints},
          {"valu", loop.valu},
          {"vopd", loop.vopd},
          {"dual_fmac", loop.dualFmac},
          {"single_fmac", loop.singleFmac},
          {"ds_loads", loop.dsLoads},
          {"global_loads", loop.globalLoads},
          {"source_bank_conflicts", loop.sourceBankConflicts},
          {"parity_hazards", loop.parityHazards},
          {"src0_reuse", loop.src0Reuse},
          {"src1_reuse", loop.src1Reuse},
          {"destination_rotation", loop.destinationRotation}};
}

} // namespace rdna::tool
