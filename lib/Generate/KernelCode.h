//===- KernelCode.h - the loop nest of a kernel (private to lib/Generate) --===//
#pragma once

#include "Generate/KernelShape.h"
#include "Generate/Listing.h"

namespace rdna::generate {

struct KernelCode {
  Listing code;
  unsigned vgprs = 0;
};

llvm::Expected<KernelCode> writeKernel(const KernelShape &shape);
/// The kernel that adds the parts of a split K: SplitK.cpp. Its shape has a name of its own.
KernelCode writeSum(const KernelShape &shape);
inline constexpr unsigned kSumThreads = 256;
inline std::string sumName(const KernelShape &shape) { return shape.name + "_sum"; }

} // namespace rdna::generate
