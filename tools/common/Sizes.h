//===- Sizes.h - sizes on a command line ------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace rdna::tool {

/// "128" or "16x16" or "8x8x4"; missing sizes are 1. Errors: Failure::BadInput.
llvm::Expected<std::array<uint32_t, 3>> parseSizes(std::string_view text, std::string_view option);

/// Why `text` is no workgroup of --block ("256", "16x16"); empty: it is one.
std::string whyNoBlock(const std::string &text);

} // namespace rdna::tool
