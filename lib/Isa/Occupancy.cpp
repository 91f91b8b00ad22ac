#include "Isa/Occupancy.h"

#include <fmt/format.h>

#include <algorithm>

namespace rdna {

static constexpr unsigned kWaveSlots = 16; // ISA guide 3.3; LLVM getMaxWavesPerEU
static constexpr unsigned kMaxVgprs = 256;
static constexpr uint32_t kLdsPerCu = 64 * 1024; // ISA guide 12.1
static constexpr uint32_t kLdsGranule =
    1024; // ISA guide; RSRC2 counts 512, so this is the cautious one
static constexpr unsigned kGroupsPerWgp = 32; // LLVM getMaxWorkGroupsPerCU, multi-wave groups

static unsigned roundUp(unsigned value, unsigned step) { return (value + step - 1) / step * step; }

static unsigned wavesByVgprs(unsigned vgprs, const ProcessorFacts &chip) {
  return std::min(kWaveSlots, chip.vgprFile / roundUp(std::max(vgprs, 1u), chip.vgprGranule));
}

namespace {
struct Shape {
  unsigned wavesPerGroup, perSimd, simds;
  uint32_t ldsPool;
  unsigned groupSlots;
};
} // namespace

static Shape shapeOf(const OccupancyQuery &query) {
  Shape shape{};
  const bool cu = query.mode == WorkgroupMode::Cu;
  shape.wavesPerGroup = query.workgroupSize == 0 ? 1 : (query.workgroupSize + 31) / 32;
  shape.simds = cu ? 2 : 4;
  shape.perSimd = (shape.wavesPerGroup + shape.simds - 1) / shape.simds;
  shape.ldsPool = cu ? kLdsPerCu : 2 * kLdsPerCu;
  // One-wave groups use no barrier slot, so only the wave slots bound them.
  shape.groupSlots = shape.wavesPerGroup == 1 ? ~0u : (cu ? kGroupsPerWgp / 2 : kGroupsPerWgp);
  return shape;
}

/// Whole groups that fit when a SIMD holds `waves` waves, as waves per SIMD.
static unsigned wholeGroups(unsigned waves, const Shape &shape) {
  return shape.wavesPerGroup == 1 ? waves : waves / shape.perSimd * shape.perSimd;
}

static unsigned wavesOfGroups(unsigned groups, const Shape &shape) {
  const uint64_t waves = uint64_t{groups} * shape.wavesPerGroup;
  return static_cast<unsigned>(
      std::min<uint64_t>(kWaveSlots, (waves + shape.simds - 1) / shape.simds));
}

Occupancy occupancy(const OccupancyQuery &query) {
  const Shape shape = shapeOf(query);
  const ProcessorFacts &chip = factsOf(query.processor);
  const unsigned slots = wholeGroups(kWaveSlots, shape);
  const unsigned byVgprs = wholeGroups(wavesByVgprs(query.vgprs, chip), shape);
  const uint32_t lds = roundUp(query.ldsBytes, kLdsGranule);
  const unsigned byLds =
      lds == 0 ? slots : std::min(slots, wavesOfGroups(shape.ldsPool / lds, shape));
  const unsigned byGroups =
      shape.groupSlots == ~0u ? slots : std::min(slots, wavesOfGroups(shape.groupSlots, shape));

  Occupancy result;
  result.wavesPerSimd = std::min(std::min(slots, byVgprs), std::min(byLds, byGroups));
  if (result.wavesPerSimd == slots)
    return result;
  if (byVgprs == result.wavesPerSimd) {
    result.limit = OccupancyLimit::Vgprs;
    for (unsigned vgprs = roundUp(query.vgprs, chip.vgprGranule); vgprs > chip.vgprGranule;) {
      vgprs -= chip.vgprGranule;
      const unsigned waves = wholeGroups(wavesByVgprs(vgprs, chip), shape);
      if (waves > result.wavesPerSimd) {
        result.lift = fmt::format("{} VGPRs or fewer give {} waves", vgprs,
                                  std::min(waves, std::min(byLds, byGroups)));
        break;
      }
    }
  } else if (byLds == result.wavesPerSimd) {
    result.limit = OccupancyLimit::Lds;
    const unsigned groups = shape.ldsPool / lds + 1;
    result.lift = fmt::format("{} bytes of LDS or fewer give one more workgroup",
                              shape.ldsPool / groups / kLdsGranule * kLdsGranule);
  } else {
    result.limit = OccupancyLimit::Workgroups;
    result.lift = "larger workgroups";
  }
  return result;
}

unsigned vgprBudget(const OccupancyQuery &query) {
  const unsigned waves = occupancy(query).wavesPerSimd;
  const unsigned granule = factsOf(query.processor).vgprGranule;
  unsigned best = query.vgprs;
  for (unsigned vgprs = granule; vgprs <= roundUp(kMaxVgprs, granule); vgprs += granule) {
    OccupancyQuery larger = query;
    larger.vgprs = std::min(vgprs, kMaxVgprs);
    if (occupancy(larger).wavesPerSimd >= waves)
      best = std::max(best, larger.vgprs);
  }
  return best;
}

const char *toString(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Waves:
    return "wave-slots";
  case OccupancyLimit::Vgprs:
    return "vgprs";
  case OccupancyLimit::Lds:
    return "lds";
  case OccupancyLimit::Workgroups:
    return "workgroups";
  }
  return "";
}

} // namespace rdna
