#include "EmuApi/ProgramCache.h"

#include "llvm/Support/xxhash.h"

#include <cstring>

namespace rdna::api {

// A decoded instruction takes some forty times the memory of its code.
static constexpr size_t mostBytes = 16 << 20;
static constexpr size_t mostEntries = 256;

/// Never destroyed: threads of the caller may still run kernels while the process ends.
ProgramCache &ProgramCache::ofProcess() {
  static ProgramCache &cache = *new ProgramCache;
  return cache;
}

std::shared_ptr<const emu::Program> ProgramCache::find(std::span<const std::byte> code, Key key,
                                                       uint64_t hash) {
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    const std::vector<std::byte> &image = it->program->image().image;
    if (it->hash != hash || it->key != key || image.size() != code.size() ||
        std::memcmp(image.data(), code.data(), code.size()) != 0)
      continue;
    entries_.splice(entries_.begin(), entries_, it);
    return it->program;
  }
  return nullptr;
}

llvm::Expected<std::shared_ptr<const emu::Program>>
ProgramCache::get(std::span<const std::byte> code, Key key,
                  const std::function<emu::KernelImage()> &image) {
  const uint64_t hash = llvm::xxh3_64bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(code.data()), code.size()));
  {
    std::lock_guard lock(mutex_);
    if (auto program = find(code, key, hash))
      return program;
  }
  // Decoded outside the lock; two threads that meet the same new code both decode it once.
  auto created = emu::Program::create(image());
  if (!created)
    return created.takeError();
  std::shared_ptr<const emu::Program> program = std::move(*created);
  std::lock_guard lock(mutex_);
  entries_.push_front({key, hash, program});
  bytes_ += code.size();
  while (entries_.size() > 1 && (bytes_ > mostBytes || entries_.size() > mostEntries)) {
    bytes_ -= entries_.back().program->image().image.size();
    entries_.pop_back();
  }
  return program;
}

} // namespace rdna::api
