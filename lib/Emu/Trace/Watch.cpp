#include "Emu/Trace/Watch.h"

#include "Emu/GroupRunner.h"

#include <bit>
#include <fmt/format.h>

namespace rdna::emu {
namespace {

uint32_t valueAt(const Wave &w, const WatchPoint &point) {
  if (point.space == WatchPoint::Space::Lds)
    return point.address + watchBytes <= w.ldsBytes ? loadFrom<uint32_t>(w.lds + point.address) : 0;
  return loadFrom<uint32_t>(reinterpret_cast<const std::byte *>(point.address));
}

std::string_view nameOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "written";
  case AccessKind::Atomic:
    break;
  }
  return "changed atomically";
}

std::string lanesOf(uint32_t lanes) {
  const unsigned first = unsigned(std::countr_zero(lanes));
  const unsigned count = unsigned(std::popcount(lanes));
  return count == 1 ? fmt::format("lane {}", first)
                    : fmt::format("{} lanes, lane {} first", count, first);
}

} // namespace

void Watcher::look(const Wave &w, const WatchPoint &point, const LaneAccess &access) {
  if ((access.space == LaneAccess::Space::Lds) != (point.space == WatchPoint::Space::Lds) ||
      access.space == LaneAccess::Space::Scratch)
    return;
  uint32_t lanes = 0;
  for (unsigned l = 0; l < laneCount; ++l)
    if (access.lanes >> l & 1 && access.at[l] < point.address + watchBytes &&
        point.address < access.at[l] + access.bytes)
      lanes |= 1u << l;
  if (lanes)
    hits_.push_back({&point, access.kind, lanes, valueAt(w, point)});
}

void Watcher::before(Record &record) {
  hits_.clear();
  if (points_.empty())
    return;
  for (const WatchPoint &point : points_)
    for (const LaneAccess &access : record.accesses().all())
      look(record.wave(), point, access);
}

std::string Watcher::after(const Wave &w) {
  std::string text;
  for (const Hit &hit : hits_) {
    text +=
        fmt::format("watch {}: {} by {}, ", hit.point->name, nameOf(hit.kind), lanesOf(hit.lanes));
    const uint32_t now = valueAt(w, *hit.point);
    text += hit.kind == AccessKind::Read ? fmt::format("{:#010x}\n", hit.old)
                                         : fmt::format("{:#010x} -> {:#010x}\n", hit.old, now);
  }
  hits_.clear();
  return text;
}

} // namespace rdna::emu
