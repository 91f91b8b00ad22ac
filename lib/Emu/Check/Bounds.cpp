#include "Emu/Check/Bounds.h"

#include "Emu/GroupRunner.h"

#include <fmt/format.h>

namespace rdna::emu {

using Space = LaneAccess::Space;

BoundsCheck::BoundsCheck(CheckContext &context) : context_(context), view_(context.launch.memory) {}

void BoundsCheck::before(Record &record) {
  const Wave &w = record.wave();
  const InstPlan &plan = *record.plan();
  const bool write = plan.kind != AccessKind::Read;
  for (const LaneAccess &access : record.accesses().all()) {
    if (!access.lanes)
      continue;
    const uint64_t limit = access.space == Space::Lds       ? context_.launch.ldsBytes
                           : access.space == Space::Scratch ? context_.launch.scratchBytes
                                                            : 0;
    uint64_t lo = ~uint64_t(0), hi = 0;
    for (unsigned l = 0; l < laneCount; ++l) {
      const bool active = access.lanes >> l & 1;
      lo = active && access.at[l] < lo ? access.at[l] : lo;
      hi = active && access.at[l] > hi ? access.at[l] : hi;
    }
    const bool allInside = access.space == Space::Global
                               ? view_.covers(lo, hi - lo + access.bytes, write)
                               : hi + access.bytes <= limit;
    if (allInside) [[likely]]
      continue;
    for (unsigned l = 0; l < laneCount; ++l) {
      if (!(access.lanes >> l & 1))
        continue;
      const bool inside = access.space == Space::Global
                              ? view_.covers(access.at[l], access.bytes, write)
                              : access.at[l] + access.bytes <= limit;
      if (!inside) [[unlikely]]
        report(w, plan, access, l);
    }
  }
}

void BoundsCheck::report(const Wave &w, const InstPlan &plan, const LaneAccess &access,
                         unsigned lane) {
  Occurrence s{};
  s.check = Check::Bounds;
  s.rule = access.space == Space::Lds       ? "lds-bounds"
           : access.space == Space::Scratch ? "scratch-bounds"
                                            : "memory-bounds";
  s.offset = plan.offset;
  s.wave = w.number;
  if (plan.memory != MemoryClass::Scalar)
    s.lane = lane;
  s.address = access.at[lane];
  context_.log.add(std::move(s), [&](Occurrence &occurrence) {
    const char *what = access.kind == AccessKind::Read    ? "reads"
                       : access.kind == AccessKind::Write ? "writes"
                                                          : "updates";
    if (access.space == Space::Global) {
      const std::string nearest = context_.launch.memory.describe(access.at[lane]);
      occurrence.place = nearest.empty() ? fmt::format("address {:#x}", access.at[lane]) : nearest;
      occurrence.message =
          fmt::format("{} {} bytes outside every buffer: {}", what, access.bytes, occurrence.place);
    } else {
      occurrence.place = describePlace(context_.launch, access.space, access.at[lane]);
      occurrence.message = fmt::format(
          "{} {} bytes at {}, of {}", what, access.bytes, occurrence.place,
          access.space == Space::Lds ? context_.launch.ldsBytes : context_.launch.scratchBytes);
    }
  });
}

std::unique_ptr<Listener> createBoundsCheck(CheckContext &context) {
  return std::make_unique<BoundsCheck>(context);
}

} // namespace rdna::emu
