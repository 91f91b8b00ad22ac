//===- Kernarg.h - the kernel argument segment ----------------------------===//
#pragma once

#include "Object/CodeObject.h"
#include "Run/LaunchDescription.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <span>
#include <vector>

namespace rdna::run {

/// The segment as the kernel sees it, and how many bytes of it are the caller's own (a HIP runtime
/// adds the hidden ones itself).
struct Kernarg {
  std::vector<std::byte> bytes;
  size_t explicitBytes = 0;
};

/// Packs the arguments; `bufferAddresses` has the address of each buffer argument in order. With
/// metadata, offsets and sizes come from `.args` and must agree with the launch; hidden arguments
/// of code object 4, 5 and 6 are filled by their value kind, wherever that version puts them.
/// Without metadata, arguments are packed at their natural alignment.
llvm::Expected<Kernarg> packKernarg(const object::Kernel &kernel, const ResolvedLaunch &launch,
                                    std::span<const uint64_t> bufferAddresses);

} // namespace rdna::run
