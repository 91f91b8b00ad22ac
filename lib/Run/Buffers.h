//===- Buffers.h - the host memory of a launch ----------------------------===//
#pragma once

#include "Run/LaunchDescription.h"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace rdna::run {

/// One buffer of a launch in host memory.
struct Buffer {
  ResolvedBuffer facts;
  std::span<std::byte> bytes;
};

/// The buffers of a launch, each between address ranges that belong to nothing: an access past a
/// buffer's end must not hit the next one, and is described relative to the right one. The
/// addresses stay the same for all runs on this object, so two kernels can be compared even where
/// their results depend on addresses.
class BufferSet {
public:
  static llvm::Expected<std::unique_ptr<BufferSet>> allocate(const ResolvedLaunch &launch);
  ~BufferSet();
  BufferSet(const BufferSet &) = delete;
  BufferSet &operator=(const BufferSet &) = delete;

  std::vector<Buffer> &buffers() { return buffers_; }
  const std::vector<Buffer> &buffers() const { return buffers_; }
  /// Fills every buffer as its description says; `seed` is mixed into each buffer's own.
  void fill(uint64_t seed);
  /// Contents of all buffers, in order.
  std::vector<std::vector<std::byte>> snapshot() const;

private:
  BufferSet() = default;
  std::vector<Buffer> buffers_;
  void *mapping_ = nullptr;
  size_t mappedBytes_ = 0;
};

} // namespace rdna::run
