//===- LdsRows.h - the fast way to load and store dwords of all lanes -----===//
//
// In a tiled kernel the lanes of a wave read few distinct places close to each other. If all of
// them lie in 128 bytes, two vector loads and a permutation per result row replace 32 loads: a
// quarter of the time of lane-by-lane loads, and gathers are no faster than those.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emu/Wave.h"

namespace rdna::emu {

/// Bytes that may be read behind the LDS of a workgroup.
inline constexpr uint32_t ldsPadding = 128;

/// Loads `dwords` (1 to 4) rows from the lanes' byte addresses plus an offset, every lane active.
/// False, and nothing done, if a lane is out of range. The addresses are read before the first row
/// is written, so one may lie over the other.
template <unsigned dwords>
bool ldsRows(Wave &w, const Inst &i, const uint32_t *address, uint32_t offset, uint32_t *rows);

/// Stores `dwords` (1 or 2) rows the same way, in the order of the lanes.
template <unsigned dwords>
bool ldsStoreRows(Wave &w, const uint32_t *address, uint32_t offset, const uint32_t *rows);

/// Whether the vector paths are taken: this level of x86-64 has what they need.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__)
constexpr bool builtForAvx512 = true;
#else
constexpr bool builtForAvx512 = false;
#endif

/// The addresses of lanes 0, 8, 16 and 24, if each eight lanes' addresses (low and, if not null,
/// high words, plus `base`) are those of eight dwords side by side.
bool tileRows(const uint32_t *low, const uint32_t *high, uint64_t base, uint64_t (&row)[4]);

} // namespace rdna::emu
