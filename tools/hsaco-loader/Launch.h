//===- Launch.h - from the command line to launches -----------------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Options.h"
#include "Run/LaunchDescription.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace rdna::loader {

/// What to launch, and with which parameters, one set per case.
struct LaunchPlan {
  run::LaunchDescription description;
  const object::Kernel *kernel = nullptr;
  std::vector<run::Parameters> parameters;
  std::vector<std::optional<run::Init>> inputs;
  std::optional<std::array<uint32_t, 2>> tile; ///< Of --sgemm.
};

llvm::Expected<LaunchPlan> planLaunch(const Options &options, const object::CodeObject &object);

/// What may be wrong with a size of --sgemm where the kernel fails; else empty.
std::string unevenTiles(const LaunchPlan &plan);

} // namespace rdna::loader
