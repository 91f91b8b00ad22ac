//===- RawCode.h - a dispatch of code that has no code object around it ---===//
#pragma once

#include "Emu/Emulator.h"

#include <array>
#include <cstdint>
#include <span>

namespace rdna::api {

struct RawDispatch {
  std::span<const std::byte> code;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  const std::byte *kernarg = nullptr;
  uint32_t rsrc2 = 0;
  uint32_t scratchBytes = 0;
  uint64_t instructionBudget = 0;
  unsigned threads = 0; ///< Host threads, 0 = all cores.
  emu::Addressing addressing = emu::Addressing::Host;
  /// What the kernel may access beside its code, where `addressing` is Regions.
  std::vector<emu::MemoryRegion> regions;
};

/// Code without descriptor, with the settings of run_asm(): MODE, LDS from RSRC2, kernarg in
/// s[0:1].
emu::KernelImage rawImage(std::span<const std::byte> code, uint32_t rsrc2, uint32_t scratchBytes);

/// What run_asm() does; a caller that cannot trust the code restricts its memory.
llvm::Error dispatch(const RawDispatch &dispatch);

} // namespace rdna::api
