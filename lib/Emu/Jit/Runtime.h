//===- Runtime.h - native functions that compiled code calls --------------===//
#pragma once

#include "Emu/Jit/Plan.h"

namespace rdna::emu::jit {

/// Loads whole dwords from LDS for all lanes: `address` is the row of byte addresses, `rows` takes
/// one row per dword. Neither need be a register of the wave.
using LdsLoadFunction = void (*)(Wave &w, const Inst &i, const uint32_t *address, uint32_t *rows);

LdsLoadFunction ldsLoadFunction(LdsShape shape);

/// Where the addresses of a row lie.
struct LdsSpan {
  Lanes dword; ///< By lane: distance from `lowest` of its sixteen lanes, in whole dwords.
  uint32_t lowest[2], highest[2]; ///< Of sixteen lanes each.
  uint32_t unaligned;             ///< Nonzero if some distance is no multiple of four.
};
using LdsSpanFunction = void (*)(const uint32_t *address, LdsSpan *span);
void findLdsSpan(const uint32_t *address, LdsSpan *span);

/// Loads `dwords` from each of the first `lanes` addresses plus an offset, which must be in range,
/// to rows that are `rowBytes` apart.
void loadLdsLanes(const std::byte *lds, const uint32_t *address, uint32_t *rows, uint32_t offset,
                  uint32_t dwords, uint32_t lanes, uint32_t rowBytes);
using LdsLanesFunction = decltype(&loadLdsLanes);

} // namespace rdna::emu::jit
