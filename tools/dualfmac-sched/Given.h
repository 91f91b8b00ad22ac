//===- Given.h - --given and --launch: ranges of what is launched -----------===//
#pragma once

#include "Transform/Pass.h"

#include <optional>
#include <string>
#include <vector>

namespace rdna::dualfmac {

/// What the command line says of launches.
struct Given {
  std::vector<std::string> ranges;
  std::string launchFile; ///< As hsaco-loader takes it; empty: none.
  std::optional<WorkgroupShape> block;
};

/// For each kernel that is rewritten: the ranges, in which arguments have the names that the launch
/// description gives them, and the shape of its workgroups, which is the launch's if --block says
/// nothing else. Errors: Failure::BadInput.
llvm::Error readGiven(const Module &module, const Given &given, PassRequest &request);

} // namespace rdna::dualfmac
