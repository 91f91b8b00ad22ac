//===- Runtime.h - native functions that compiled code calls --------------===//
#pragma once

#include "Emu/Jit/Plan.h"

namespace rdna::emu::jit {

/// Loads whole dwords from LDS for all lanes: `address` is the row of byte addresses, `rows` takes
/// one row per dword. Neither need be a register of the wave.
using LdsLoadFunction = void (*)(Wave &w, const Inst &i, const uint32_t *address, uint32_t *rows);

LdsLoadFunction ldsLoadFunction(LdsShape shape);

} // namespace rdna::emu::jit
