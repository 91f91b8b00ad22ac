#include "HipRuntime/GridSync.h"

#include <cstring>

namespace rdna::hip {

namespace {

/// cg.cl of AMD's device library.
struct Layout {
  uint64_t otherDevices = 0;
  uint32_t gridNumber = 0, grids = 1;
  uint64_t workItemsBefore = 0, workItems = 0;
  uint32_t arrived = 0, round = 0;
  uint32_t workgroups = 0, padding = 0;
};
static_assert(sizeof(Layout) == 48);

} // namespace

GridSync::GridSync(DeviceMemory &memory, const Dim3 &grid, const Dim3 &block) : memory_(memory) {
  const Allocation *room =
      memory.allocate(sizeof(Layout), Allocation::Kind::Code, "grid synchronisation");
  if (!room)
    return;
  address_ = room->address;
  Layout layout;
  layout.workgroups = grid.x * grid.y * grid.z;
  layout.workItems = uint64_t(layout.workgroups) * block.x * block.y * block.z;
  std::memcpy(reinterpret_cast<void *>(address_), &layout, sizeof layout);
}

GridSync::~GridSync() {
  if (address_)
    memory_.release(address_);
}

} // namespace rdna::hip
