//===- Occupancy.h - waves per SIMD and what limits them ------------------===//
#pragma once

#include "Isa/Processor.h"

#include <cstdint>
#include <string>

namespace rdna {

enum class WorkgroupMode { Cu, Wgp };

struct OccupancyQuery {
  unsigned vgprs = 0;         ///< As the descriptor declares them (next_free_vgpr).
  uint32_t ldsBytes = 0;      ///< Static and dynamic, per workgroup.
  unsigned workgroupSize = 0; ///< Work-items; 0 if unknown (whole-workgroup effects are left out).
  WorkgroupMode mode = WorkgroupMode::Wgp;
  Processor processor = Processor::Gfx1100;
};

enum class OccupancyLimit { Waves, Vgprs, Lds, Workgroups };

struct Occupancy {
  unsigned wavesPerSimd = 0; ///< Whole workgroups only.
  OccupancyLimit limit = OccupancyLimit::Waves;
  std::string lift; ///< What would lift the limit, in words; empty if nothing can.
};

/// RDNA3, wave32: 16 wave slots and the processor's VGPRs a SIMD (on gfx1100 1536 in blocks of 24:
/// ISA guide 3.3.2.1; LLVM prints the same for every count), 64 KiB of LDS a CU, 32 multi-wave
/// workgroups a WGP. Unlike LLVM's estimate it counts whole workgroups: a group of 4 waves in CU
/// mode puts 2 on each SIMD.
Occupancy occupancy(const OccupancyQuery &query);

/// The largest VGPR count that keeps the waves per SIMD of `query`.
unsigned vgprBudget(const OccupancyQuery &query);

const char *toString(OccupancyLimit limit);

} // namespace rdna
