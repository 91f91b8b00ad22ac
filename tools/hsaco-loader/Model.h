//===- Model.h - bench --backend model: predicted, not measured ----------------===//
#pragma once

#include "Commands.h"

namespace rdna::loader {

llvm::Expected<int> modelCommand(const tool::Tool &tool, const Options &options,
                                 const object::CodeObject &object, const LaunchPlan &plan);

/// bench --backend hip --calibrate: what a card says of the model's doubtful constants.
llvm::Expected<int> calibrateCommand(const tool::Tool &tool, const Options &options);

} // namespace rdna::loader
