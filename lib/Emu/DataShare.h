//===- DataShare.h - what all workgroups of a launch share besides memory ---===//
#pragma once

#include "Emu/Emulator.h"
#include "Emu/Inst.h"

#include <array>
#include <cstddef>

namespace rdna::emu {

/// Global data share and global wave sync. Kernels that use them run their workgroups in order on
/// one host thread.
struct GlobalShare {
  std::array<std::byte, 4096> gds{};
  std::array<uint32_t, 64> gws{}; ///< A counter for each resource.
  Residency residency = Residency::InTurn;
};

/// A DS instruction with the GDS bit.
void gdsAccess(Wave &w, const Inst &i);

} // namespace rdna::emu
