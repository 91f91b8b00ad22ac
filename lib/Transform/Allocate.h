//===- Allocate.h - registers for the webs of a scheduled region ----------===//
#pragma once

#include "Transform/Banks.h"
#include "Transform/Schedule.h"

#include <optional>
#include <vector>

namespace rdna {

/// Where values may live in and around a region.
struct RegisterSpace {
  unsigned budget = 256; ///< Registers below this number may be used.
  VgprSet usable;        ///< Further limit (device functions: what they already write).
  /// By loop level: registers that code outside the block, or values that stay, use in that loop.
  std::vector<VgprSet> busy;
};

RegisterSpace registerSpace(const FunctionContext &context, const RegionModel &region,
                            unsigned budget);

/// Relocatable webs may take these registers.
VgprSet relocatableRegisters(const RegisterSpace &space, const Web &web);

/// Registers that the user fixed: web -> register.
using FixedRegisters = std::vector<std::optional<Vgpr>>;

/// A register for every web such that banks, groups and live ranges agree; nothing if there are not
/// enough registers.
std::optional<std::vector<Vgpr>> allocate(const FunctionContext &context, const RegionModel &region,
                                          const Groups &groups, const Schedule &schedule,
                                          const RegisterSpace &space,
                                          const FixedRegisters &fixedRegisters);

} // namespace rdna
