#include "Run/Buffers.h"

#include "Support/Diagnostic.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace rdna::run {

/// Address space before, between and after buffers. Costs no memory.
constexpr uint64_t gap = uint64_t{1} << 30;
/// Buffers begin at huge pages: a tile's rows lie pages apart, and with small pages a third of the
/// emulator's time on an SGEMM is address translation.
constexpr uint64_t hugePage = uint64_t{2} << 20;

static uint64_t roundUp(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

llvm::Expected<std::unique_ptr<BufferSet>> BufferSet::allocate(const ResolvedLaunch &launch) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t physical = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page;
  uint64_t space = gap + hugePage, wanted = 0;
  for (const ResolvedBuffer &buffer : launch.buffers) {
    space += roundUp(buffer.bytes, hugePage) + gap;
    wanted += buffer.bytes;
  }
  // Overcommitment would grant it and the kernel would kill the process while it fills the pages.
  if (wanted > physical / 4 * 3)
    return makeError(Failure::BadInput, "",
                     fmt::format("the buffers need {} MiB; this machine has {} MiB of memory",
                                 wanted >> 20, physical >> 20));
  void *mapping =
      mmap(nullptr, space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return makeError(Failure::BadInput, "",
                     fmt::format("cannot allocate the buffers: {}", std::strerror(errno)));
  std::unique_ptr<BufferSet> set(new BufferSet);
  set->mapping_ = mapping;
  set->mappedBytes_ = space;
  const auto begin = reinterpret_cast<uint64_t>(mapping);
  std::byte *at = static_cast<std::byte *>(mapping) + (roundUp(begin, hugePage) - begin) + gap;
  for (const ResolvedBuffer &facts : launch.buffers) {
    const uint64_t bytes = roundUp(facts.bytes, page);
    if (bytes != 0 && mprotect(at, bytes, PROT_READ | PROT_WRITE) != 0)
      return makeError(Failure::BadInput, "",
                       fmt::format("cannot allocate {}: {}", facts.name, std::strerror(errno)));
    if (bytes >= hugePage)
      madvise(at, bytes, MADV_HUGEPAGE); // A hint: without huge pages it is slower, no more.
    set->buffers_.push_back({facts, {at, facts.bytes}});
    at += roundUp(bytes, hugePage) + gap;
  }
  return set;
}

BufferSet::~BufferSet() {
  if (mapping_ != nullptr)
    munmap(mapping_, mappedBytes_);
}

void BufferSet::fill(uint64_t seed) {
  for (Buffer &buffer : buffers_)
    if (const FileContents &contents = buffer.facts.contents)
      std::memcpy(buffer.bytes.data(), contents->data(), buffer.bytes.size());
    else
      run::fill(buffer.bytes, buffer.facts.type, buffer.facts.init,
                seed * 0x9e3779b97f4a7c15u + buffer.facts.seed);
}

std::vector<std::vector<std::byte>> BufferSet::snapshot() const {
  std::vector<std::vector<std::byte>> copies;
  for (const Buffer &buffer : buffers_)
    copies.emplace_back(buffer.bytes.begin(), buffer.bytes.end());
  return copies;
}

} // namespace rdna::run
