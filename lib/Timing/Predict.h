//===- Predict.h - what a whole launch takes, by the model --------------------===//
//
// A few workgroups are executed by the emulator and simulated on one compute unit; the launch is so
// many rounds of that on all of them, and a last one that is not full. A predicted figure is never
// called anything else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/Buffers.h"
#include "Timing/Simulation.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace rdna::timing {

struct PredictOptions {
  uint64_t seed = 1;         ///< Of the inputs.
  uint64_t budget = 1 << 24; ///< Instructions that a wave may execute.
  unsigned threads = 0;
  Sharing::Start start = Sharing::Start::Warm;
  WhatIf what;
  /// Of a wave that are simulated, and twice as many, if it is longer: at most a third of those
  /// that are recorded.
  size_t steps = recordedSteps / 3;
  enum class Interval : uint8_t { No, Yes } interval = Interval::Yes;
  IssueListener *listener = nullptr; ///< Of Prediction::sample.
};

/// A launch that was executed as far as the model needs it: prediction can be repeated with other
/// beliefs without emulating again.
struct ObservedLaunch {
  Recording recording;     ///< Of the workgroups that run together on one compute unit.
  uint64_t firstGroup = 0; ///< The number of the first of them.
  run::ResolvedLaunch launch;
  Residents::Place place = Residents::Place::Cu;
  unsigned groupsPerUnit = 0; ///< That fit.
  unsigned wavesPerSimd = 0;
  std::string occupancyLimit;
  /// By op: does it touch the same lines in the workgroup's neighbours along x and y?
  std::vector<uint8_t> sharedAlongX, sharedAlongY;
  double footprintBytes = 0;
};

/// Runs some workgroups of a launch while the observer listens, wherever the kernel lives.
using RunWorkgroups = std::function<llvm::Error(const std::vector<std::array<uint32_t, 3>> &groups,
                                                emu::Observer &observer)>;

/// Failure::Refused with a reason where no figure would be right. Of the launch only its shape and
/// its buffers' sizes matter; `run` may be called several times.
llvm::Expected<ObservedLaunch> observe(const object::Kernel &kernel,
                                       const run::ResolvedLaunch &launch, const Machine &machine,
                                       const RunWorkgroups &run,
                                       const ObservedLaunch *like = nullptr);

/// What who observes a launch more than once has already.
struct ObservedBefore {
  run::BufferSet *buffers = nullptr; ///< Of the launch; null: they are made and filled.
  /// Another text that does the same in as many steps of its loops: which unit is the busiest and
  /// which of its workgroups takes longest is as it was there.
  const ObservedLaunch *like = nullptr;
};

/// The same by the emulator's backend.
llvm::Expected<ObservedLaunch> observe(const object::CodeObject &object,
                                       const object::Kernel &kernel,
                                       const run::ResolvedLaunch &launch, const Machine &machine,
                                       const PredictOptions &options,
                                       const ObservedBefore &before = {});

/// How a doubtful constant moves the result.
struct Sensitivity {
  Constant constant;
  double atLow = 1, atHigh = 1; ///< Times the predicted time.
};

struct Prediction {
  double milliseconds = 0;
  double low = 0, high = 0; ///< By the ranges of the doubtful constants; equal if not asked for.
  StallClocks limiters{};   ///< In milliseconds; they add up to `milliseconds`.
  StallClocks limitersLow{}, limitersHigh{}; ///< As `low` and `high`, each limiter by itself.
  double clocks = 0, clockMHz = 0;
  double vectorBusy = 0;
  unsigned units = 0;                   ///< Compute units, or WGPs.
  unsigned groupsOfUnit = 0;            ///< That the busiest of them gets in all,
  unsigned groupsAtOnce = 0;            ///< so many at once.
  SimulationResult sample;              ///< What was simulated of it.
  std::vector<Sensitivity> sensitivity; ///< The largest first.
};

Prediction predict(const ObservedLaunch &observed, const Machine &machine,
                   const PredictOptions &options);

/// How each doubtful constant at its low and at its high end moves the time, from simulations that
/// are shorter than those of predict: to compare texts by.
std::vector<Sensitivity> doubtsOf(const ObservedLaunch &observed, const Machine &machine,
                                  const PredictOptions &options);

} // namespace rdna::timing
