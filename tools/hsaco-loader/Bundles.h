//===- Bundles.h - device code out of a file and into it ------------------===//
#pragma once

#include "Options.h"

namespace rdna::loader {

/// Lists the device code of a fat binary, an object or a program, and writes it with -o.
llvm::Expected<int> unbundleCommand(const Options &options);

/// Puts a code object in place of the one with the same kernels.
llvm::Expected<int> bundleCommand(const tool::Tool &tool, const Options &options);

} // namespace rdna::loader
