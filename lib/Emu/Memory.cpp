#include "Emu/Memory.h"

#include <algorithm>
#include <fmt/format.h>

namespace rdna::emu {

void MemoryMap::add(std::string name, const void *data, uint64_t bytes, Protection protection) {
  auto begin = reinterpret_cast<uint64_t>(data);
  if (bytes != 0)
    ranges_.push_back({begin, begin + bytes, protection == Protection::ReadWrite, std::move(name)});
}

void MemoryMap::allowEverything() { ranges_ = {{0, ~uint64_t(0), true, "host memory"}}; }

void MemoryMap::finish() {
  std::stable_sort(ranges_.begin(), ranges_.end(),
                   [](const auto &a, const auto &b) { return a.begin < b.begin; });
}

const MemoryRange *MemoryMap::find(uint64_t address) const {
  auto it = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                             [](uint64_t a, const MemoryRange &r) { return a < r.begin; });
  // Regions may overlap (a caller can pass a buffer and a slice of it): look back over all that
  // start before the address.
  while (it != ranges_.begin()) {
    --it;
    if (address < it->end)
      return &*it;
  }
  return nullptr;
}

std::string MemoryMap::describe(uint64_t address) const {
  constexpr uint64_t reach = 1 << 20;
  const MemoryRange *best = nullptr;
  uint64_t distance = reach + 1;
  bool past = false;
  for (const MemoryRange &r : ranges_) {
    if (address >= r.begin && address < r.end) // Straddles the end, or a write to read-only memory.
      return fmt::format("{} bytes before the end of {}{}", r.end - address, r.name,
                         r.writable ? "" : ", which is read-only");
    if (address >= r.end && address - r.end < distance) {
      best = &r;
      distance = address - r.end;
      past = true;
    } else if (address < r.begin && r.begin - address < distance) {
      best = &r;
      distance = r.begin - address;
      past = false;
    }
  }
  if (!best)
    return {};
  return past ? fmt::format("{} bytes past the end of {}", distance, best->name)
              : fmt::format("{} bytes before {}", distance, best->name);
}

static void takeFirst(BoundsLog::Entry &e, uint64_t address, const AccessPlace &place) {
  if (address < e.firstAddress || (address == e.firstAddress && place < e.place)) {
    e.firstAddress = address;
    e.place = place;
  }
}

void BoundsLog::add(uint32_t codeOffset, AccessKind kind, uint64_t address, uint32_t wave,
                    uint32_t lane) {
  Entry &e = log_[{codeOffset, kind}];
  ++e.lanes;
  takeFirst(e, address, {group_, wave, lane});
  e.lastAddress = std::max(e.lastAddress, address);
}

void BoundsLog::merge(const BoundsLog &other) {
  for (const auto &[key, entry] : other.log_) {
    Entry &e = log_[key];
    e.lanes += entry.lanes;
    takeFirst(e, entry.firstAddress, entry.place);
    e.lastAddress = std::max(e.lastAddress, entry.lastAddress);
  }
}

bool MemoryView::refill(uint64_t address, uint64_t bytes, bool write) {
  const MemoryRange *r = map_.find(address);
  if (!r || bytes > r->end - address)
    return false;
  recent_[oldest_++ % recent_.size()] = {r->begin, r->end, r->writable};
  return r->writable || !write;
}

} // namespace rdna::emu
