//===- ModelInput.h - what a user gives the timing model, the same for every tool -===//
#pragma once

#include "Run/LaunchDescription.h"
#include "Timing/Machine.h"

#include <string>
#include <vector>

namespace rdna::tool {

/// A card by its name, or `FILE.json`.
llvm::Expected<timing::Machine> readDevice(const std::string &device);

/// The launch that a file describes with these NAME=value.
llvm::Expected<run::ResolvedLaunch> readLaunch(const std::string &file,
                                               const std::vector<std::string> &parameters);

} // namespace rdna::tool
