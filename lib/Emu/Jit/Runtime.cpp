#include "Emu/Jit/Runtime.h"

#include "Emu/Access.h"
#include "Emu/LdsRows.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstring>

namespace rdna::emu::jit {
namespace {

/// Lanes out of range: the handler reports them and defines the results. It works on the wave's
/// registers, which may hold other versions of these VGPRs that compiled code still needs.
template <unsigned rows>
[[gnu::noinline]] void throughHandler(Wave &w, const Inst &i, const uint32_t *address,
                                      uint32_t *out) {
  Lanes from, savedAddress = w.vgpr(i.addr), saved[rows];
  std::memcpy(&from, address, sizeof from);
  std::memcpy(saved, &w.vgpr(i.dst), sizeof saved);
  w.vgpr(i.addr) = from;
  i.op->run(w, i);
  Lanes results[rows];
  std::memcpy(results, &w.vgpr(i.dst), sizeof results);
  w.vgpr(i.addr) = savedAddress;
  std::memcpy(&w.vgpr(i.dst), saved, sizeof saved);
  std::memcpy(out, results, sizeof results); // Last: it may be the registers themselves.
}

template <unsigned dwords>
void load(Wave &w, const Inst &i, const uint32_t *address, uint32_t *rows) {
  if (!ldsRows<dwords>(w, i, address, uint32_t(i.imm) & 0xffff, rows))
    throughHandler<dwords>(w, i, address, rows);
}

template <unsigned dwords, unsigned scale>
void load2(Wave &w, const Inst &i, const uint32_t *address, uint32_t *rows) {
  uint32_t first = (uint32_t(i.imm) & 0xff) * scale, second = (uint32_t(i.imm) >> 8 & 0xff) * scale;
  // The first result may lie over the addresses.
  alignas(64) uint32_t copy[laneCount];
  std::memcpy(copy, address, sizeof copy);
  if (!ldsRows<dwords>(w, i, copy, first, rows) ||
      !ldsRows<dwords>(w, i, copy, second, rows + dwords * laneCount))
    throughHandler<2 * dwords>(w, i, copy, rows);
}

} // namespace

#if defined(__AVX512F__)
void findLdsSpan(const uint32_t *address, LdsSpan *span) {
  __m512i unaligned = _mm512_setzero_si512();
  for (unsigned n = 0; n < 2; ++n) {
    const __m512i at = _mm512_load_si512(address + 16 * n);
    span->lowest[n] = _mm512_reduce_min_epu32(at);
    span->highest[n] = _mm512_reduce_max_epu32(at);
    const __m512i place = _mm512_sub_epi32(at, _mm512_set1_epi32(int(span->lowest[n])));
    unaligned = _mm512_or_si512(unaligned, place);
    _mm512_store_si512(span->dword.lane + 16 * n, _mm512_srli_epi32(place, 2));
  }
  span->unaligned = _mm512_test_epi32_mask(unaligned, _mm512_set1_epi32(3));
}
#else
void findLdsSpan(const uint32_t *address, LdsSpan *span) {
  uint32_t unaligned = 0;
  for (unsigned n = 0; n < 2; ++n) {
    const uint32_t *at = address + 16 * n;
    uint32_t lowest = at[0], highest = at[0];
    for (unsigned l = 0; l < 16; ++l) {
      lowest = at[l] < lowest ? at[l] : lowest;
      highest = at[l] > highest ? at[l] : highest;
    }
    for (unsigned l = 0; l < 16; ++l) {
      unaligned |= at[l] - lowest;
      span->dword.lane[16 * n + l] = (at[l] - lowest) >> 2;
    }
    span->lowest[n] = lowest;
    span->highest[n] = highest;
  }
  span->unaligned = unaligned & 3;
}
#endif

void loadLdsLanes(const std::byte *lds, const uint32_t *address, uint32_t *rows, uint32_t offset,
                  uint32_t dwords, uint32_t lanes, uint32_t rowBytes) {
  auto at = [&](unsigned lane) { return lds + uint32_t(address[lane] + offset); };
  switch (dwords) {
  case 1:
    return loadAllLanes<1>(rows, at, lanes, rowBytes / 4);
  case 2:
    return loadAllLanes<2>(rows, at, lanes, rowBytes / 4);
  case 3:
    return loadAllLanes<3>(rows, at, lanes, rowBytes / 4);
  default:
    return loadAllLanes<4>(rows, at, lanes, rowBytes / 4);
  }
}

LdsLoadFunction ldsLoadFunction(LdsShape s) {
  if (s.addresses == 1)
    return s.dwords == 1 ? load<1> : s.dwords == 2 ? load<2> : s.dwords == 3 ? load<3> : load<4>;
  if (s.dwords == 1)
    return s.scale == 4 ? load2<1, 4> : load2<1, 256>;
  return s.scale == 8 ? load2<2, 8> : load2<2, 512>;
}

} // namespace rdna::emu::jit
