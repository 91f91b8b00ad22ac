//===- Given.h - --given and --launch: ranges of what is launched -----------===//
#pragma once

#include "Transform/Pass.h"

#include <string>
#include <vector>

namespace rdna::dualfmac {

/// The ranges for each kernel that is rewritten, and the names that a launch description (a file as
/// hsaco-loader takes it; empty: none) has for arguments. Errors: Failure::BadInput.
llvm::Error readGiven(const Module &module, const std::vector<std::string> &given,
                      const std::string &launchFile, PassRequest &request);

} // namespace rdna::dualfmac
