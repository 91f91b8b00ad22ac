//===- Compile.h - clang's steps, with the rewriter among them ------------===//
#pragma once

#include "DeviceCode.h"
#include "common/Tool.h"

namespace rdna::hipclang {

/// Does what `command`, clang and its arguments, would do; returns its exit code.
llvm::Expected<int> runSteps(const tool::Tool &tool, const RewriteRequest &request,
                             const std::vector<std::string> &command);

} // namespace rdna::hipclang
