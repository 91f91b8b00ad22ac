//===- Address.h - the bytes that an instruction is about to touch ---===//
#pragma once

#include "Emu/Observe/Plan.h"

namespace rdna::emu {

struct LaunchState;

/// The bytes of one space that the lanes of a wave touch: `bytes` from `at` in each of `lanes`.
struct LaneAccess {
  enum class Space : uint8_t { Global, Lds, Scratch } space = Space::Global;
  AccessKind kind = AccessKind::Read;
  uint8_t bytes = 0;
  uint32_t lanes = 0;
  /// An address, or an offset in LDS or in the lane's scratch.
  std::array<uint64_t, laneCount> at;
};

/// What one instruction touches: two places (2addr), or one in each space (FLAT).
struct AccessList {
  unsigned count = 0;
  std::array<LaneAccess, 3> item;
  LaneAccess &add(LaneAccess::Space space, const InstPlan &plan) {
    LaneAccess &access = item[count++];
    access.space = space;
    access.kind = plan.kind;
    access.bytes = plan.bytes;
    access.lanes = 0;
    return access;
  }
  std::span<const LaneAccess> all() const { return {item.data(), count}; }
};

/// Before the instruction executes. An SMEM is one lane's access. Lanes that a buffer resource
/// leaves out are not listed: hardware defines what happens to them.
void findAccesses(Wave &w, const InstPlan &plan, AccessList &out);

/// "LDS byte 64", "byte 256 of arg2", "scratch byte 4".
std::string describePlace(const LaunchState &launch, LaneAccess::Space space, uint64_t at);

} // namespace rdna::emu
