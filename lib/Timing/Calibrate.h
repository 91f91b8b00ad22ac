//===- Calibrate.h - constants that a card settles ---------------------------===//
//
// Small kernels whose time hangs on one doubtful constant each. They run on a backend that
// measures; the constant is then the one with which the model predicts what was measured. One after
// the other: the clock first, and each with those before it as they were found.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Run/Backend.h"
#include "Timing/Machine.h"

#include <vector>

namespace rdna::timing {

struct Settled {
  Constant constant;
  double assumed = 0, found = 0;
  double milliseconds = 0; ///< That were measured,
  double predicted = 0;    ///< and predicted with what was assumed.
  /// Beyond: the time is not to be had in the range that was searched, `found` is its nearer end.
  enum class Where : uint8_t { Inside, Beyond } where = Where::Inside;
};

llvm::Expected<std::vector<Settled>> calibrate(run::Backend &backend, const Machine &machine,
                                               const run::RunOptions &options);

/// A file for readMachine with everything that was found inside of its range.
std::string machineFile(const Machine &machine, const std::vector<Settled> &settled);

} // namespace rdna::timing
