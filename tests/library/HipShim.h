// As much of libamdhip64 as generated headers and the example use, over the emulator's C interface.
// Memory is the host's; kernels may touch what hipMalloc has given out and nothing else.
#pragma once

#include <cstddef>
#include <string>

namespace rdna::test {

/// Launches so far: the kernel's name of each.
const std::string &lastKernel();
size_t launchCount();

} // namespace rdna::test
