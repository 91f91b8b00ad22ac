//===- IndexWatch.h - must the emulator watch the indices of a launch? ------===//
#pragma once

#include "Run/Verify.h"

#include <memory>
#include <string>

namespace rdna::loader {

/// Asks bounds, per launch, whether any index of a kernel can wrap. Without its text, or where the
/// text is not understood, they say nothing.
class IndexBounds {
public:
  IndexBounds(const object::Kernel &kernel, const std::string &path);
  ~IndexBounds();
  IndexBounds(IndexBounds &&other) noexcept;
  llvm::Expected<run::IndexWatch::Way> ask(const run::ResolvedLaunch &launch) const;

private:
  struct Text;
  const object::Kernel &kernel_;
  std::unique_ptr<Text> text_;
};

} // namespace rdna::loader
