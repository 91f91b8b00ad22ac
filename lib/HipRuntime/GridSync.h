//===- GridSync.h - what a cooperative launch's grid.sync() works on ------===//
#pragma once

#include "HipRuntime/DeviceMemory.h"
#include "HipRuntime/HipTypes.h"

namespace rdna::hip {

/// Memory behind the hidden argument for synchronisation, as the device libraries up to ROCm 6 lay
/// it out (device/Grid.hip). Later ones have another layout, which nothing in a binary tells apart.
class GridSync {
public:
  GridSync(DeviceMemory &memory, const Dim3 &grid, const Dim3 &block);
  ~GridSync();
  GridSync(const GridSync &) = delete;
  GridSync &operator=(const GridSync &) = delete;

  /// 0 if there was no memory for it.
  uint64_t address() const { return address_; }

private:
  DeviceMemory &memory_;
  uint64_t address_ = 0;
};

} // namespace rdna::hip
