//===- Launch.h - a kernel of the input in a launch, by the timing model ------===//
#pragma once

#include "Asm/Module.h"
#include "Object/CodeObject.h"
#include "Timing/Predict.h"

#include <map>

namespace rdna::isaparse {

struct LaunchRequest {
  std::string file, device = "7900xtx";
  std::vector<std::string> parameters; ///< "N=1024"
  bool isGiven() const { return !file.empty(); }
};

struct PredictedKernel {
  std::string kernel;
  timing::Machine machine;
  timing::ObservedLaunch observed;
  timing::Prediction prediction;
  std::optional<double> operations;         ///< Of the launch, if they are known.
  std::map<uint32_t, timing::OpTime> lines; ///< By line of the text.
  std::vector<uint32_t> lineOfOp;
  std::vector<timing::IssueEvent> events; ///< Of the first SIMD, in the order of time.
};

/// `kernel`: empty for the one that the launch names.
llvm::Expected<PredictedKernel> predictKernel(const Module &module, const LaunchRequest &request,
                                              const std::string &kernel,
                                              timing::PredictOptions::Interval interval);

} // namespace rdna::isaparse
