#include "Emu/LdsRows.h"

#include "Emu/Access.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>

namespace rdna::emu {
namespace {

#if defined(__x86_64__)

/// False, and nothing done, if the lanes' places do not fit a window of 128 bytes. `guess` is where
/// the lowest lane is, relative to lane 0: with it, finding the window costs two comparisons
/// instead of two reductions.
template <unsigned dwords>
[[gnu::target("avx512f,avx512bw,avx512vl,bmi2")]] bool
ldsWindow(const std::byte *lds, uint32_t ldsBytes, const uint32_t *address, uint32_t offset,
          int32_t &guess, uint32_t *rows) {
  const __m512i a0 = _mm512_load_si512(address), b0 = _mm512_load_si512(address + 16);
  const __m512i most = _mm512_set1_epi32(int(128 - 4 * dwords)), three = _mm512_set1_epi32(3);
  uint32_t lowest = address[0] + uint32_t(guess);
  __m512i a = _mm512_sub_epi32(a0, _mm512_set1_epi32(int(lowest)));
  __m512i b = _mm512_sub_epi32(b0, _mm512_set1_epi32(int(lowest)));
  if (_mm512_cmpgt_epu32_mask(_mm512_max_epu32(a, b), most)) {
    lowest = _mm512_reduce_min_epu32(_mm512_min_epu32(a0, b0));
    a = _mm512_sub_epi32(a0, _mm512_set1_epi32(int(lowest)));
    b = _mm512_sub_epi32(b0, _mm512_set1_epi32(int(lowest)));
    if (_mm512_cmpgt_epu32_mask(_mm512_max_epu32(a, b), most))
      return false;
    guess = int32_t(lowest - address[0]);
  }
  if (_mm512_test_epi32_mask(_mm512_or_si512(a, b), three))
    return false;
  // The highest lane must be in range; the window's rest may lie in the padding.
  const uint32_t base = lowest + offset;
  if (uint64_t(base) + 128 > ldsBytes &&
      uint64_t(base) + _mm512_reduce_max_epu32(_mm512_max_epu32(a, b)) + 4 * dwords > ldsBytes)
    return false;
  const __m512i low = _mm512_loadu_si512(lds + base), high = _mm512_loadu_si512(lds + base + 64);
  a = _mm512_srli_epi32(a, 2);
  b = _mm512_srli_epi32(b, 2);
  const __m512i one = _mm512_set1_epi32(1);
  for (unsigned k = 0; k < dwords; ++k) {
    _mm512_store_si512(rows + k * laneCount, _mm512_permutex2var_epi32(low, a, high));
    _mm512_store_si512(rows + k * laneCount + 16, _mm512_permutex2var_epi32(low, b, high));
    a = _mm512_add_epi32(a, one);
    b = _mm512_add_epi32(b, one);
  }
  return true;
}

/// Scatters write in the order of the lanes, as the portable loop does (Intel SDM, VSCATTERDPS).
template <unsigned dwords>
[[gnu::target("avx512f,avx512bw,avx512vl,bmi2")]] bool
ldsScatter(std::byte *lds, uint32_t ldsBytes, const uint32_t *address, uint32_t offset,
           const uint32_t *rows) {
  if (ldsBytes < 4 * dwords)
    return false;
  const __m512i add = _mm512_set1_epi32(int(offset));
  const __m512i a = _mm512_add_epi32(_mm512_load_si512(address), add);
  const __m512i b = _mm512_add_epi32(_mm512_load_si512(address + 16), add);
  const __m512i last = _mm512_set1_epi32(int(ldsBytes - 4 * dwords));
  if (_mm512_cmpgt_epu32_mask(_mm512_max_epu32(a, b), last))
    return false;
  const __m512i ramp =
      _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
  const uint32_t first = address[0] + offset;
  const __m512i expected = _mm512_add_epi32(_mm512_set1_epi32(int(first)), ramp);
  if (dwords == 1 && _mm512_cmpeq_epu32_mask(a, expected) == 0xffff &&
      _mm512_cmpeq_epu32_mask(b, _mm512_add_epi32(expected, _mm512_set1_epi32(64))) == 0xffff) {
    std::memcpy(lds + first, rows, sizeof(Lanes));
    return true;
  }
  for (unsigned k = 0; k < dwords; ++k) {
    _mm512_i32scatter_epi32(lds + 4 * k, a, _mm512_load_si512(rows + k * laneCount), 1);
    _mm512_i32scatter_epi32(lds + 4 * k, b, _mm512_load_si512(rows + k * laneCount + 16), 1);
  }
  return true;
}

[[gnu::target("avx512f,avx512bw,avx512vl,bmi2")]] bool
wideTileRows(const uint32_t *low, const uint32_t *high, uint64_t base, uint64_t (&row)[4]) {
  const __m512i heads = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
  const __m512i ramp = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
  const __m512i quarters = _mm512_setr_epi32(0, 8, 16, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m512i a = _mm512_load_si512(low), b = _mm512_load_si512(low + 16);
  const __m512i firstA = _mm512_permutexvar_epi32(heads, a);
  const __m512i firstB = _mm512_permutexvar_epi32(heads, b);
  // The last of eight must not wrap around to lower addresses.
  const __m512i highest = _mm512_max_epu32(firstA, firstB);
  const __m512i wrong = _mm512_or_si512(_mm512_xor_si512(_mm512_sub_epi32(a, firstA), ramp),
                                        _mm512_xor_si512(_mm512_sub_epi32(b, firstB), ramp));
  if (_mm512_test_epi32_mask(wrong, wrong) ||
      _mm512_cmpgt_epu32_mask(highest, _mm512_set1_epi32(-32)))
    return false;
  __m256i at =
      _mm256_cvtepu32_epi64(_mm512_castsi512_si128(_mm512_permutex2var_epi32(a, quarters, b)));
  if (high) {
    const __m512i c = _mm512_load_si512(high), d = _mm512_load_si512(high + 16);
    const __m512i other = _mm512_or_si512(_mm512_xor_si512(c, _mm512_permutexvar_epi32(heads, c)),
                                          _mm512_xor_si512(d, _mm512_permutexvar_epi32(heads, d)));
    if (_mm512_test_epi32_mask(other, other))
      return false;
    const __m256i up =
        _mm256_cvtepu32_epi64(_mm512_castsi512_si128(_mm512_permutex2var_epi32(c, quarters, d)));
    at = _mm256_or_si256(at, _mm256_slli_epi64(up, 32));
  }
  at = _mm256_add_epi64(at, _mm256_set1_epi64x(int64_t(base)));
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(row), at);
  return true;
}

#endif

} // namespace

bool tileRows(const uint32_t *low, const uint32_t *high, uint64_t base, uint64_t (&row)[4]) {
#if defined(__x86_64__)
  if (builtForAvx512)
    return wideTileRows(low, high, base, row);
#endif
  bool same = true;
  for (unsigned l = 0; l < laneCount; ++l) {
    const unsigned first = l & ~7u;
    same &= low[l] - low[first] == 4 * (l - first) && low[first] <= 0xffffffe0u;
    same &= !high || high[l] == high[first];
  }
  for (unsigned n = 0; n < 4; ++n)
    row[n] = base + (low[8 * n] | (high ? uint64_t(high[8 * n]) << 32 : 0));
  return same;
}

template <unsigned dwords>
bool ldsRows(Wave &w, [[maybe_unused]] const Inst &i, const uint32_t *address, uint32_t offset,
             uint32_t *rows) {
#if defined(__x86_64__)
  if (builtForAvx512 &&
      ldsWindow<dwords>(w.lds, w.ldsBytes, address, offset, w.ldsWindow[hintSlot(i)], rows))
    return true;
#endif
  alignas(64) uint32_t at[laneCount];
  uint32_t highest = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    at[l] = address[l] + offset;
    highest = at[l] > highest ? at[l] : highest;
  }
  if (uint64_t(highest) + 4 * dwords > w.ldsBytes)
    return false;
  const std::byte *lds = w.lds;
  loadAllLanes<dwords>(rows, [&](unsigned l) { return lds + at[l]; });
  return true;
}

template <unsigned dwords>
bool ldsStoreRows(Wave &w, const uint32_t *address, uint32_t offset, const uint32_t *rows) {
#if defined(__x86_64__)
  // Two dwords per lane would be scattered one after the other, not lane by lane.
  if (dwords == 1 && builtForAvx512)
    return ldsScatter<dwords>(w.lds, w.ldsBytes, address, offset, rows);
#endif
  alignas(64) uint32_t at[laneCount];
  uint32_t highest = 0;
  for (unsigned l = 0; l < laneCount; ++l) {
    at[l] = address[l] + offset;
    highest = at[l] > highest ? at[l] : highest;
  }
  if (uint64_t(highest) + 4 * dwords > w.ldsBytes)
    return false;
  std::byte *lds = w.lds;
#pragma GCC unroll 8
  for (unsigned l = 0; l < laneCount; ++l)
    for (unsigned k = 0; k < dwords; ++k)
      storeTo(lds + at[l] + 4 * k, rows[k * laneCount + l]);
  return true;
}

template bool ldsStoreRows<1>(Wave &, const uint32_t *, uint32_t, const uint32_t *);
template bool ldsStoreRows<2>(Wave &, const uint32_t *, uint32_t, const uint32_t *);
template bool ldsRows<1>(Wave &, const Inst &, const uint32_t *, uint32_t, uint32_t *);
template bool ldsRows<2>(Wave &, const Inst &, const uint32_t *, uint32_t, uint32_t *);
template bool ldsRows<3>(Wave &, const Inst &, const uint32_t *, uint32_t, uint32_t *);
template bool ldsRows<4>(Wave &, const Inst &, const uint32_t *, uint32_t, uint32_t *);

} // namespace rdna::emu
