//===- ProgramCache.h - decoded raw code, found again by its bytes --------===//
#pragma once

#include "Emu/Emulator.h"

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>

namespace rdna::api {

/// A driver dispatches the same code thousands of times. The bytes are compared, not the address,
/// because drivers reuse memory: the price is one pass over the code per dispatch, far less than
/// decoding it.
class ProgramCache {
public:
  struct Key {
    uint32_t rsrc2 = 0;
    uint32_t scratchBytes = 0;
    bool operator==(const Key &) const = default;
  };

  static ProgramCache &ofProcess();

  llvm::Expected<std::shared_ptr<const emu::Program>>
  get(std::span<const std::byte> code, Key key, const std::function<emu::KernelImage()> &image);

private:
  struct Entry {
    Key key;
    uint64_t hash;
    std::shared_ptr<const emu::Program> program;
  };
  std::shared_ptr<const emu::Program> find(std::span<const std::byte> code, Key key, uint64_t hash);

  std::mutex mutex_;
  std::list<Entry> entries_; ///< The most recently used first.
  size_t bytes_ = 0;         ///< Of code.
};

} // namespace rdna::api
