//===- TripCountCheck.h - are so many iterations of a loop left? ---------------------===//
#pragma once

#include "Analysis/Cfg.h"
#include "Code/Inst.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna {

/// Scalar instructions that stand at the loop's head and a branch that is taken if fewer iterations
/// are left; or why there are none.
struct TripCountCheck {
  std::vector<Inst> lines;
  Op branch = Op::unknown;
  unsigned sgprs = 0; ///< Registers that they need, as a count of the kernel's.
  std::string obstacle;
};

/// Of a loop of one block that ends with a branch on SCC. The guard may ask for more than is
/// needed, never for less.
TripCountCheck checkTripCount(const Module &module, const Cfg &cfg, const Loop &loop,
                              unsigned iterations);

} // namespace rdna
