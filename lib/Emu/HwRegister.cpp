//===- HwRegister.cpp - the registers of S_GETREG and S_SETREG ------------===//
//
// Fields of STATUS and MODE: ISA, chapter 3; of the others: the register headers of Linux' amdgpu
// driver, because the ISA guide is silent.
//
//===----------------------------------------------------------------------===//
#include "Emu/HwRegister.h"

#include "Emu/Access.h"
#include "Isa/HwRegister.h"

namespace rdna::emu {
namespace {

/// MODE: FP_ROUND, FP_DENORM, DX10_CLAMP, IEEE, LOD_CLAMPED, exception enables, FP16_OVFL,
/// DISABLE_PERF.
constexpr uint32_t writableMode = 0x089ff7ffu;

uint32_t status(const Wave &w) {
  constexpr uint32_t valid = 1u << 16;
  return (w.s[regScc] ? 1 : 0) | (w.exec() ? 0 : 1) << 9 | (w.s[regVcc] ? 0 : 1) << 10 |
         (w.wavesOfGroup > 1 ? 1 : 0) << 11 | valid | (w.scratchBytes ? 1u : 0) << 29;
}

/// The emulated device puts every workgroup on the first WGP, its waves round-robin on the SIMDs.
uint32_t hardwareId(const Wave &w) { return (w.number / 4 & 31) | (w.number % 4) << 8; }

uint64_t scratchAddress(const Wave &w) {
  return w.scratchBytes ? reinterpret_cast<uint64_t>(w.scratch) : 0;
}

} // namespace

uint32_t readHardware(const Wave &w, const Inst &inst, unsigned id) {
  const uint64_t next = w.memory->imageBase + inst.offset + inst.bytes;
  // LDS is counted in 64 dwords here, although it is allocated in 128.
  constexpr uint32_t ldsUnit = 256;
  switch (hwRegister(id)) {
  case HwRegister::Mode:
    return w.mode.bits;
  case HwRegister::Status:
    return status(w);
  case HwRegister::GprAlloc:
    return w.vgprBlocks << 12;
  case HwRegister::LdsAlloc:
    return (w.ldsBytes + ldsUnit - 1) / ldsUnit << 12;
  case HwRegister::PcLow:
    return uint32_t(next);
  case HwRegister::PcHigh:
    return uint32_t(next >> 32);
  case HwRegister::MemoryBases:
    return uint32_t(sharedAperture >> 48 << 16 | privateAperture >> 48);
  case HwRegister::FlatScratchLow:
    return uint32_t(scratchAddress(w));
  case HwRegister::FlatScratchHigh:
    return uint32_t(scratchAddress(w) >> 32);
  case HwRegister::Id1:
    return hardwareId(w);
  case HwRegister::ShaderCycles: // Instructions stand for cycles: deterministic, and advancing.
    return uint32_t(w.executed) & 0xfffff;
  default:
    return 0;
  }
}

void writeHardware(Wave &w, unsigned id, uint32_t value, uint32_t mask) {
  if (hwRegister(id) != HwRegister::Mode)
    return; // Nothing else that a wave without privilege may write changes a result.
  mask &= writableMode;
  w.setMode((w.mode.bits & ~mask) | (value & mask));
}

} // namespace rdna::emu
