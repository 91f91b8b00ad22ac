//===- HostCallers.h - who called, in the program's own source ------------===//
#pragma once

#include <string>
#include <vector>

namespace rdna::hip {

/// The return addresses of this thread, as they are now.
std::vector<void *> hostStack();

/// The functions outside of this library, innermost first: "main at vector_add.hip:40", or with an
/// offset where the program has no debug information. Slow: for reports.
std::vector<std::string> describeStack(const std::vector<void *> &stack);

} // namespace rdna::hip
