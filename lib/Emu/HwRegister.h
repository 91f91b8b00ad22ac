//===- HwRegister.h - the registers of S_GETREG and S_SETREG --------------===//
#pragma once

#include "Emu/Inst.h"

namespace rdna::emu {

/// Hardware register `id` as `inst` of wave `w` reads it. What an emulator has no counterpart of
/// (counters, queues, performance snapshots) reads 0.
uint32_t readHardware(const Wave &w, const Inst &inst, unsigned id);

/// Writes the bits of `mask` as far as a wave without privilege may.
void writeHardware(Wave &w, unsigned id, uint32_t value, uint32_t mask);

} // namespace rdna::emu
