//===- ForDevice.h - --for: steps are judged by predicted time ---------------===//
#pragma once

#include "Pipeline/Appraise.h"
#include "Run/Buffers.h"
#include "Timing/Predict.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rdna::dualfmac {

/// Predicted times of one launch of a kernel on one card, for one text after the other.
class DevicePredictions final : public Appraiser {
public:
  struct Wanted {
    std::string device;     ///< "7900xtx", or a file of its own.
    std::string launchFile; ///< As hsaco-loader takes it.
    std::vector<std::string> parameters;
    std::string kernel; ///< Empty: the launch's, or the only one.
  };
  static llvm::Expected<std::unique_ptr<DevicePredictions>> create(const Wanted &wanted,
                                                                   const Module &module);

  std::string_view kernel() const override { return kernel_; }
  llvm::Expected<Appraisal> appraise(const Module &module, Doubts doubts) override;
  llvm::Expected<double> settle(const Module &module) override;
  /// With the interval of all doubts, as `hsaco-loader bench --backend model` prints it.
  llvm::Expected<timing::Prediction> predict(std::string_view text, const std::string &file);
  const timing::Machine &machine() const { return machine_; }
  /// "N=4096".
  std::string launchWords() const;

private:
  DevicePredictions(timing::Machine machine, run::ResolvedLaunch launch, std::string kernel)
      : machine_(std::move(machine)), launch_(std::move(launch)), kernel_(std::move(kernel)) {}
  struct Observed {
    std::string text;
    timing::ObservedLaunch launch;
  };
  llvm::Expected<const timing::ObservedLaunch *> observe(std::string_view text,
                                                         const std::string &file);

  timing::Machine machine_;
  run::ResolvedLaunch launch_;
  std::string kernel_;
  timing::PredictOptions options_;
  std::optional<timing::ObservedLaunch> first_;             ///< All others are rewritten from it.
  std::deque<Observed> observed_;                           ///< The last texts.
  std::map<std::string, Appraisal, std::less<>> appraised_; ///< Ways of rewriting share texts.
  std::unique_ptr<run::BufferSet> buffers_; ///< Filled once: what kernels write is not looked at.
};

} // namespace rdna::dualfmac
