#include "common/Sizes.h"

#include "Support/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna::tool {

llvm::Expected<std::array<uint32_t, 3>> parseSizes(std::string_view text, std::string_view option) {
  std::array<uint32_t, 3> sizes{1, 1, 1};
  llvm::SmallVector<llvm::StringRef, 3> parts;
  llvm::StringRef(text).split(parts, 'x');
  bool valid = parts.size() <= 3;
  for (size_t i = 0; valid && i < parts.size(); ++i)
    valid = !parts[i].getAsInteger(10, sizes[i]) && sizes[i] != 0 && sizes[i] <= 1u << 20;
  if (!valid)
    return makeError(Failure::BadInput, "",
                     fmt::format("{}: '{}' is not of the form 128 or 16x16", option, text));
  return sizes;
}

std::string whyNoBlock(const std::string &text) {
  constexpr uint64_t kMost = 1024;
  auto sizes = parseSizes(text, "--block");
  if (!sizes) {
    llvm::consumeError(sizes.takeError());
    return fmt::format("'{}' is not of the form 256 or 16x16", text);
  }
  uint64_t items = 1;
  for (const uint32_t size : *sizes)
    items = std::min<uint64_t>(items * size, kMost + 1);
  return items <= kMost ? std::string()
                        : fmt::format("a workgroup of {} has more than {} work-items", text, kMost);
}

} // namespace rdna::tool
