#include "HipRuntime/DeviceMemory.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/mman.h>

namespace rdna::hip {

namespace {

constexpr uint64_t page = 4096;
/// Between two allocations, so that an access a little past the end of one is in no other.
constexpr uint64_t redZone = page;
constexpr size_t rememberedFrees = 4096;

uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

} // namespace

std::string Allocation::name() const {
  return fmt::format("allocation {} ({}, {} bytes)", number, function, bytes);
}

DeviceMemory::DeviceMemory(uint64_t capacity) : capacity_(capacity) {
  for (uint64_t size = uint64_t{1} << 40; size >= uint64_t{1} << 30; size /= 2) {
    void *range = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
      continue;
    begin_ = reinterpret_cast<uint64_t>(range);
    reserved_ = size;
    break;
  }
  cursor_ = begin_;
}

DeviceMemory::~DeviceMemory() {
  if (reserved_)
    munmap(pointer(begin_), reserved_);
}

uint64_t DeviceMemory::findRoom(uint64_t bytes) {
  const uint64_t end = begin_ + reserved_;
  uint64_t at = cursor_;
  for (unsigned round = 0; round < 2; ++round) {
    for (auto next = allocations_.lower_bound(at);; ++next) {
      const uint64_t limit =
          next == allocations_.end() ? end : std::min(end, std::max(next->first, begin_));
      if (limit > at && limit - at >= bytes) {
        return at;
      }
      if (next == allocations_.end() || next->first >= end)
        break;
      at = std::max(at, roundUp(next->second.end(), page) + redZone);
    }
    at = begin_;
  }
  return 0;
}

Allocation *DeviceMemory::allocate(uint64_t bytes, Allocation::Kind kind, std::string function) {
  if (bytes > reserved_ || (kind == Allocation::Kind::Device && bytes > capacity_ - used_))
    return nullptr;
  const uint64_t room = roundUp(bytes, page) + redZone;
  const uint64_t address = findRoom(room);
  if (address == 0)
    return nullptr;
  cursor_ = address + room;
  Allocation &made = allocations_[address];
  made.kind = kind;
  made.address = address;
  made.bytes = bytes;
  made.number = ++made_;
  made.function = std::move(function);
  if (kind == Allocation::Kind::Device)
    used_ += bytes;
  else
    made.contents = Allocation::Contents::Defined;
  return &made;
}

Allocation *DeviceMemory::addHostMemory(void *data, uint64_t bytes, std::string function) {
  const auto address = reinterpret_cast<uint64_t>(data);
  const auto next = allocations_.lower_bound(address);
  if ((next != allocations_.end() && next->first < address + bytes) || find(address))
    return nullptr;
  Allocation &made = allocations_[address];
  made.kind = Allocation::Kind::Registered;
  made.address = address;
  made.bytes = bytes;
  made.number = ++made_;
  made.function = std::move(function);
  made.contents = Allocation::Contents::Defined;
  return &made;
}

bool DeviceMemory::release(uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end())
    return false;
  const Allocation &old = found->second;
  if (old.kind == Allocation::Kind::Device)
    used_ -= old.bytes;
  if (old.kind != Allocation::Kind::Registered)
    madvise(pointer(address), roundUp(old.bytes, page), MADV_DONTNEED);
  freed_.push_back(old);
  if (freed_.size() > rememberedFrees)
    freed_.pop_front();
  allocations_.erase(found);
  return true;
}

Allocation *DeviceMemory::find(uint64_t address) {
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin())
    return nullptr;
  Allocation &before = std::prev(next)->second;
  return address < before.end() ? &before : nullptr;
}

Allocation *DeviceMemory::findBase(uint64_t address) {
  const auto found = allocations_.find(address);
  return found == allocations_.end() ? nullptr : &found->second;
}

std::string DeviceMemory::describe(uint64_t address) const {
  if (address < page)
    return "a null pointer";
  constexpr uint64_t near = uint64_t{1} << 30;
  const auto next = allocations_.upper_bound(address);
  const Allocation *before = next == allocations_.begin() ? nullptr : &std::prev(next)->second;
  if (before && address < before->end())
    return fmt::format("{} bytes before the end of {}", before->end() - address, before->name());
  for (auto old = freed_.rbegin(); old != freed_.rend(); ++old)
    if (address >= old->address && address < old->end())
      return fmt::format("{} bytes into {}, which was freed", address - old->address, old->name());
  const uint64_t past = before ? address - before->end() : near;
  const uint64_t ahead = next == allocations_.end() ? near : next->first - address;
  if (past <= ahead && past < near)
    return fmt::format("{} bytes past the end of {}", past, before->name());
  if (ahead < near)
    return fmt::format("{} bytes before {}", ahead, next->second.name());
  return isDeviceAddress(address) ? "no allocation of the device"
                                  : "no memory of the device: an address of the host, or wild";
}

} // namespace rdna::hip
